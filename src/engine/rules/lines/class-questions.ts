import { type Day, dayOf, formatDay, yearOf } from '../../../base/day.ts';
import { type Cents, formatCents } from '../../../base/decimal.ts';
import type { ClassQuestion } from '../../book/class-question.ts';
import type { Fold } from '../../book/fold.ts';
import { isDigital } from '../../events/classes.ts';
import { isCollectible } from '../../events/collectibles.ts';
import { toAssetKey } from '../../events/keys.ts';
import type { Disposal, Rules } from '../../model.ts';

/**
 * Issues about assets whose nature is unknown. A name may be shared by a coin and a security, and no other asset of the
 * account may show which is meant. A foreign metal trust or an NFT may be a collectible. If the resolution changes a
 * line, an issue is raised, once per asset and year. The sums are stored in the book, so that a resumed replay raises
 * the same issue.
 */

/**
 * The day these issues count as caused. It is after every event, so each replay drops the issues and raises them again.
 */
const afterAll = (dayOf(2100, 12, 31) ?? 0) as Day;

/** The first year in which digital assets have separate boxes. */
const ownBoxesFrom = 2025;

/** Returns the names of assets that may raise an issue. The lines of their pools are never summed. */
export function questionedNames(rules: Rules, keys: ReadonlySet<string>): ReadonlySet<string> {
  const names = Object.values(rules.tickers ?? {}).flatMap((readings) =>
    Object.entries(readings).flatMap(([asset, reading]) => (reading === 'unknown' ? [asset] : [])),
  );
  const trusts = [...keys].map(nameOfKey).filter((asset) => isCollectible(asset, 'stock', rules) === null);
  return new Set([...names, ...trusts]);
}

function nameOfKey(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}

/** Adds today's lines with an unknown class or rate. */
export function noteQuestions(fold: Fold): void {
  for (let at = fold.dayStart; at < fold.facts.length; at++) {
    const fact = fold.facts[at];
    if (fact?.kind !== 'disposal' || !(fact.assetClass === 'nft' || fold.questionedNames.has(fact.asset))) continue;
    const about = findClassQuestion(fact, fold.rules);
    if (about !== null) note(fold, fact, about);
  }
}

function findClassQuestion(line: Disposal, rules: Rules): ClassQuestion['about'] | null {
  if (rules.tickers?.[line.account]?.[line.asset] === 'unknown' && isEitherClass(line)) {
    const isLoss = line.proceeds - line.basis < 0n;
    return yearOf(line.on) >= ownBoxesFrom || isLoss ? 'class' : null;
  }
  return line.term === 'long' && isCollectible(line.asset, line.assetClass, rules) === null ? 'collectible' : null;
}

function isEitherClass({ assetClass }: Disposal): boolean {
  return assetClass === 'stock' || assetClass === 'crypto';
}

function note(fold: Fold, line: Disposal, about: ClassQuestion['about']): void {
  const { asset, assetClass, account, saleId: openedBy, on } = line;
  const key = toAssetKey(asset, assetClass);
  const year = yearOf(on);
  const gain = line.proceeds - line.basis;
  const [gained, lost] = gain < 0n ? [0n, -gain] : [gain, 0n];
  const at = fold.questions.findIndex((one) => one.about === about && one.key === key && yearOf(one.on) === year);
  const known = fold.questions[at];
  if (known === undefined)
    fold.questions.push({ about, key, asset, assetClass, account, openedBy, on, lines: 1, gain: gained, loss: lost });
  else
    fold.questions[at] = {
      ...known,
      lines: known.lines + 1,
      gain: known.gain + gained,
      loss: known.loss + lost,
    };
}

export function raiseQuestions(fold: Fold): void {
  for (const question of fold.questions) {
    const { about, asset, account, openedBy, on, gain, loss } = question;
    fold.facts.push({
      kind: 'issue',
      causedOn: afterAll,
      id: `${openedBy}/0/class_unknown/${account}/${about}/${yearOf(on)}`,
      issue: 'class_unknown',
      on,
      asset,
      account,
      transactions: [openedBy],
      dollars: (about === 'class' ? loss : gain + loss) as Cents,
      detail: about === 'class' ? classText(question) : rateText(question),
    });
  }
}

function classText({ asset, assetClass, on, lines, loss }: ClassQuestion): string {
  const year = yearOf(on);
  const now = isDigital(assetClass) ? 'a coin' : 'a security';
  const boxes = year < ownBoxesFrom ? '' : ' If no form reports it, a coin has box I or L, and a security C or F.';
  const losses =
    loss === 0n
      ? ''
      : ` This affects losses of $${formatCents(loss as Cents)}: a loss on a security may be a wash sale (IRC 1091), and a worthless security counts as sold (IRC 165(g)). Neither rule applies to a coin.`;
  const many = lines === 1 ? 'a line' : `${lines} lines`;
  return `It is unknown whether ${asset}, with ${many} in ${year} from ${formatDay(on)} on, is a coin or a security. It counts as ${now}.${boxes}${losses} Select its class.`;
}

const askWhether = 'They do not count as collectibles now. Select whether it is a collectible.';

function rateText({ asset, assetClass, on, gain, loss }: ClassQuestion): string {
  if (assetClass === 'nft') {
    return (
      `${asset} is an NFT. If its associated right or asset is a collectible, such as a gem or a work of art, its long-term gains of ` +
      `$${formatCents(gain as Cents)} and losses of $${formatCents(loss as Cents)} in ${yearOf(on)} are taxed at up to 28% (IRC 1(h)(4), 408(m); Notice 2023-27). ` +
      askWhether
    );
  }
  return (
    `${asset} is a foreign metal trust. If you elected to treat it as a qualified electing fund, its long-term gains of $${formatCents(gain as Cents)} ` +
    `and losses of $${formatCents(loss as Cents)} in ${yearOf(on)} are collectibles gains and losses, taxed at 28% (IRC 1(h)(4), 1293, 1295). ` +
    askWhether
  );
}
