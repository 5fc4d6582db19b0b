import { type Day, formatDay, longTermOn } from '../../../base/day.ts';
import { type Cents, formatQuantity } from '../../../base/decimal.ts';
import type { Lot } from '../../../engine/model.ts';
import { listWithRest, partsOf } from './answer-gains.ts';
import type { Question } from './question.ts';
import type { AssistantReply, BooksPart, BookView, Citation, HeldPosition, ReplyContext } from './view.ts';
import { count, dollars } from './words.ts';

const lotsShown = 10;
const positionsShown = 20;

/** Answers with the open lots of the named assets, or with all positions, in the named accounts or in all. */
export async function answerLots(question: Question, { view }: ReplyContext): Promise<AssistantReply> {
  const parts: string[] = [];
  for (const part of partsOf(question))
    parts.push(part.asset === null ? await describePositions(view, part) : await describeLots(view, part, part.asset));
  return { content: parts.join('\n\n'), citations: lotPages(view, question.assets) };
}

/** Answers with the lots that become long-term next. */
export async function answerLongTerm(question: Question, { view }: ReplyContext): Promise<AssistantReply> {
  const parts: string[] = [];
  for (const part of partsOf(question)) parts.push(await describeLongTerm(view, part));
  return { content: parts.join('\n\n'), citations: lotPages(view, question.assets) };
}

export function lotPages(view: BookView, assets: readonly string[]): Citation[] {
  if (assets.length === 0) return [{ title: 'Open lots', href: view.link('/v1/tax/lots') }];
  return assets.map((asset) => ({ title: `Open lots of ${asset}`, href: view.link('/v1/tax/lots', { asset }) }));
}

async function describePositions(view: BookView, part: BooksPart): Promise<string> {
  const positions = await view.positions(part);
  const within = inAccount(part);
  if (positions.length === 0) return `You hold no open lots${within}.`;
  const basis = positions.reduce((sum, position) => sum + position.basis, 0n) as Cents;
  const lots = positions.reduce((sum, position) => sum + position.lots, 0);
  const others = positions.length - positionsShown;
  return [
    `You hold ${count(positions.length, 'asset')} in ${count(lots, 'open lot')}${within} with a total basis of ${dollars(basis)}:`,
    ...listWithRest(positions.slice(0, positionsShown).map(formatHeld), others, 'more asset'),
  ].join('\n');
}

async function describeLots(view: BookView, part: BooksPart, asset: string): Promise<string> {
  const positions = await view.positions(part);
  if (positions.length === 0) return noLots(asset, inAccount(part));
  const { first, count: total } = await view.lots(part, lotsShown);
  return [
    `You hold ${positions.map(formatHeld).join(' and ')}:`,
    ...listWithRest(
      first.map((lot) => lotLine(lot, view.today)),
      total - first.length,
      'later lot',
    ),
  ].join('\n');
}

async function describeLongTerm(view: BookView, part: BooksPart): Promise<string> {
  const of = `${part.asset === null ? '' : ` of ${part.asset}`}${inAccount(part)}`;
  const open = (await view.positions(part)).reduce((sum, position) => sum + position.lots, 0);
  if (open === 0) return `You hold no open lots${of}.`;
  const waiting = await view.shortTermLots(part, lotsShown);
  if (waiting.count === 0) return `${count(open, 'open lot')}${of}: all long-term already.`;
  const already = open - waiting.count;
  return [
    `Of ${count(open, 'open lot')}${of}, ${already} ${already === 1 ? 'is' : 'are'} long-term already. These become long-term next:`,
    ...listWithRest(
      waiting.first.map((lot) => formatLongTermDay(lot, view.today)),
      waiting.count - waiting.first.length,
      'later lot',
    ),
  ].join('\n');
}

function inAccount({ account }: BooksPart): string {
  return account === null ? '' : ` in ${account}`;
}

function formatLongTermDay(lot: Lot, today: Day): string {
  const on = longTermOn(lot.heldSince);
  const units = `${formatQuantity(lot.quantity)} ${lot.asset}${formatAccount(lot)}`;
  if (lot.purchaseUnknown) return `unknown: ${units}, acquired on an unknown date`;
  const lotText = `${units}, held since ${formatDay(lot.heldSince)}`;
  return `${formatDay(on)} (in ${count(on - today, 'day')}): ${lotText}`;
}

function formatHeld(position: HeldPosition): string {
  const quantity = formatQuantity(position.quantity);
  return `${quantity} ${position.asset} in ${count(position.lots, 'lot')}, basis ${dollars(position.basis)}`;
}

/** `where` names the account, if there is one. */
export function noLots(asset: string, where = ''): string {
  return `You hold no ${asset}${where}. No lot of it is open.`;
}

export function lotLine(lot: Lot, today: Day): string {
  const quantity = `${formatQuantity(lot.quantity)} ${lot.asset}${formatAccount(lot)}`;
  const dates = lot.inherited ? 'inherited' : formatAcquired(lot);
  return `${quantity}, ${dates}, basis ${dollars(lot.basis)}, ${describeTerm(lot, today)}`;
}

function formatAcquired(lot: Lot): string {
  if (lot.purchaseUnknown) return 'acquired on an unknown date';
  const acquired = `acquired ${formatDay(lot.acquired)}`;
  return lot.heldSince === lot.acquired ? acquired : `${acquired} (held since ${formatDay(lot.heldSince)})`;
}

function describeTerm(lot: Lot, today: Day): string {
  if (lot.inherited) return 'long-term';
  if (lot.purchaseUnknown) return 'term unknown';
  const on = longTermOn(lot.heldSince);
  return isLongTerm(lot, today) ? `long-term since ${formatDay(on)}` : `long-term on ${formatDay(on)}`;
}

function formatAccount(lot: Lot): string {
  return lot.account === '' ? '' : ` in ${lot.account}`;
}

function isLongTerm(lot: Lot, today: Day): boolean {
  return lot.inherited || longTermOn(lot.heldSince) <= today;
}
