import { resolveAssetClass } from '../../../engine/events/classes.ts';
import { assetKeyOf, assetKeysOf, linksOf } from '../../../engine/events/keys.ts';
import { otherNamesIn, withBookNamesOf } from '../../../engine/events/same-assets.ts';
import type { AssetClass, ClassRules, Statement } from '../../../engine/model.ts';
import { type ExtraMember, extraMembers } from '../../../engine/statement-members.ts';
import { unstated } from '../../../engine/unstated.ts';
import { lotsText } from '../rows/statement-sql.ts';

/** A statement with all that is stored beside it, except its id: that depends on the rest of its file. */
export interface Prepared {
  /** With the names of the books. */
  readonly statement: Statement;
  /** The names that the row states, as JSON, if the books have others. */
  readonly statedNames: string | null;
  /** What the statement's class, its account and its source come to. */
  readonly assetClass: AssetClass;
  /** What the class was resolved from, so that a changed election can resolve it again. */
  readonly sourceClass: AssetClass | null;
  /** The zone that the import stated; null where the taxpayer's applies. */
  readonly timeZone: string | null;
  readonly line: number;
  /** Of how many lines it is made: none where it is the second thing that a line makes. */
  readonly lines: number;
  /** SHA-256 of what the row means, in hex. */
  readonly fingerprint: string;
  /** The same under the account that the row had before its file was known to name one. Null: it had the same. */
  readonly earlier: string | null;
  /** The book of its own asset first, then the other ones it moves. */
  readonly keys: readonly string[];
  /** Pairs of keys it joins, as JSON; null for none. */
  readonly links: string | null;
  readonly digits: TradeDigits;
  /** Whether it states nothing but what every trade does, as nearly every row. */
  readonly isTradeOnly: boolean;
}

/** The whole numbers that quantity, amount and fee are kept as. Written once: fingerprint and column both want them. */
interface TradeDigits {
  readonly quantity: string | null;
  readonly amount: string | null;
  readonly fee: string | null;
}

export interface Preparation extends ClassRules {
  readonly sourceClass: AssetClass | null;
  readonly timeZone: string | null;
  /** One where it is left out. */
  readonly lines?: number;
  /** The account of the row in earlier versions, if it was another one. */
  readonly earlierAccount?: string | undefined;
}

/** Resolves what the row leaves open. The account is named already. */
export function prepare(stated: Statement, line: number, context: Preparation): Prepared {
  const statement = withBookNamesOf(stated, context.assets);
  const others = otherNamesIn(stated, statement);
  const assetClass = resolveAssetClass(statement, context, context.sourceClass);
  const ownKey = assetKeyOf(statement.asset, assetClass);
  const meantKey = meantKeyOf(stated, statement, assetClass, context);
  const [digits, tradeOnly] = [digitsOf(statement), isTradeOnly(statement)];
  const { keys, links } = booksOf(statement, assetClass, ownKey);
  const { earlierAccount } = context;
  const before = earlierAccount === undefined ? null : { ...stated, account: earlierAccount };
  return {
    statement,
    statedNames: others === null ? null : JSON.stringify(others),
    assetClass,
    sourceClass: context.sourceClass,
    timeZone: context.timeZone,
    line,
    lines: context.lines ?? 1,
    fingerprint: sha256(meaningOf(stated, meantKey, digits, tradeOnly)),
    earlier: before === null ? null : sha256(meaningOf(before, meantKey, digits, tradeOnly)),
    keys,
    links,
    digits,
    isTradeOnly: tradeOnly,
  };
}

/**
 * The key that the row means by itself, under the name that it states. The other assets of its account and the names of the
 * books may change, so they have no part in it.
 */
function meantKeyOf(
  { asset }: Statement,
  booked: Statement,
  assetClass: AssetClass,
  { tickers, ...context }: Preparation,
): string {
  const isRead = tickers?.[booked.account]?.[booked.asset] !== undefined;
  return assetKeyOf(asset, isRead ? resolveAssetClass(booked, context, context.sourceClass) : assetClass);
}

/** Which books it moves, and which of them it joins. Nearly every row moves the book of its asset alone. */
function booksOf(statement: Statement, assetClass: AssetClass, ownKey: string): Pick<Prepared, 'keys' | 'links'> {
  const { type, receivedAsset, feeAsset } = statement;
  const alone = receivedAsset === '' && feeAsset === '' && assetClass !== 'option';
  if (alone && type !== 'exercise' && type !== 'assign') return { keys: [ownKey], links: null };
  const transaction = { ...statement, assetClass, id: '', line: 0 };
  const links = linksOf(transaction);
  return {
    keys: [ownKey, ...assetKeysOf(transaction).filter((key) => key !== ownKey)],
    links: links.length === 0 ? null : JSON.stringify(links),
  };
}

function digitsOf({ quantity, amount, fee }: Statement): TradeDigits {
  return {
    quantity: quantity === null ? null : quantity.toString(),
    amount: amount === null ? null : amount.toString(),
    fee: fee === null ? null : fee.toString(),
  };
}

/**
 * What a row means: all that it states except its note and its line. A time stands for itself, whatever day the
 * taxpayer's zone makes of it; the asset stands with the namespace it was resolved to, so that a file that states
 * classes and one that leaves them out give the same row.
 */
export function fingerprintOf(statement: Statement, ownKey: string): string {
  return sha256(meaningOf(statement, ownKey, digitsOf(statement), isTradeOnly(statement)));
}

/** Written as one text and not as a list of words: of the time that reading a file takes this is a tenth. */
function meaningOf(s: Statement, ownKey: string, digits: TradeDigits, tradeOnly: boolean): string {
  const { quantity, amount, fee } = digits;
  const moment = s.at === null ? `${s.on}` : `"${s.at}"`;
  const trade = `"${s.type}",${moment},${nameOf(s.account)},${nameOf(ownKey)},${quantity ?? ''},${amount ?? ''},${fee ?? ''},${nameOf(s.currency)}`;
  const extras = tradeOnly ? noExtras : extrasOf(s);
  return `${trade},${extras},${wordOf(s.externalId)}`;
}

function extrasOf(s: Omit<Statement, 'type' | 'at' | 'on'>): string {
  const words = identifyingMembers.map((name) => wordOfMember(s, name));
  // A row that states none of the members added later keeps its fingerprint.
  while (words.length > extrasAtFirst && words.at(-1) === notStated) words.pop();
  return words.join(',');
}

function wordOfMember(s: Pick<Statement, ExtraMember>, name: ExtraMember): string {
  if (name === 'lots') return wordOf(lotsText(s.lots));
  if (name === 'ratio') return wordOf(s.ratio === null ? null : `${s.ratio.numerator}:${s.ratio.denominator}`);
  return wordOf(s[name]);
}

/** Whether the row states none of the members that extrasOf writes, as nearly every row. */
function isTradeOnly(s: Statement): boolean {
  for (const name of extraMembers) if (s[name] !== unstated[name] && !isEmptyList(s[name])) return false;
  return true;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function sha256(text: string): string {
  return Bun.SHA256.hash(text, 'hex');
}

/** As wordOf, of texts that many rows share. */
function nameOf(text: string): string {
  let word = names.get(text);
  if (word === undefined) {
    if (names.size >= namesMax) names.clear();
    word = wordOf(text);
    names.set(text, word);
  }
  return word;
}

const names = new Map<string, string>();
const namesMax = 10_000;

/** What JSON writes as it stands. */
const simple = /^[\w :.+/-]*$/;

/** Texts in quotes as in JSON, so that no two rows read alike. */
function wordOf(value: string | number | bigint | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return value.toString();
  return simple.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** A later file may state another gain of the same sale, so the gain does not identify a row. */
const identifyingMembers = extraMembers.filter((name) => name !== 'statedGain');

/** The number of extra members that every fingerprint has. Later ones are part of it where they are stated. */
const extrasAtFirst = identifyingMembers.indexOf('term') + 1;
const notStated = wordOf(null);

/** What extrasOf writes of a row that states nothing of it. */
const noExtras = extrasOf(unstated);
