import { formatDay } from '../../base/day.ts';
import {
  type Cents,
  formatCents,
  formatQuantity,
  proportion,
  type Quantity,
  roundToCents,
} from '../../base/decimal.ts';
import { dollars, sharesPerContract, tradeFee } from '../../engine/events/event.ts';
import { eventsOf } from '../../engine/events/events.ts';
import type { Disposal, Lot, Transaction } from '../../engine/model.ts';
import type { LotChange } from '../../engine/transaction-types.ts';
import type { Course, Station } from './explain-course.ts';
import { centsOf, type UsedUp } from './explain-given.ts';

/** A part of an amount, in plain words: parts add up to it, to the cent. */
export interface Part {
  readonly text: string;
  readonly cents: bigint;
}

/** Units with the dollars that belong to all of them, and what these are made of. */
interface Whole {
  readonly quantity: bigint;
  readonly cents: bigint;
  readonly parts: readonly Part[];
}

export function partView({ text, cents }: Part) {
  return { text, amount: formatCents(cents as Cents) };
}

/** What a row brought: gross, and what it cost to sell; null where that is not all there is to it. */
export function broughtBy(tx: Transaction, ordinal: number): Whole | null {
  const event = eventsOf(tx).find((one) => one.kind === 'dispose' && one.ordinal === ordinal);
  if (event?.kind !== 'dispose' || event.proceeds === null) return null;
  const whole = { quantity: event.quantity, cents: roundToCents(event.proceeds) };
  return withFee(tx, whole, -1n, broughtWords(tx, ordinal));
}

/** Whether a row does not say in dollars what it brought. */
export function isUnstated(tx: Transaction, ordinal: number): boolean {
  return eventsOf(tx).some((one) => one.kind === 'dispose' && one.ordinal === ordinal && one.proceeds === null);
}

/** What a row cost, its fee on top. */
export function costOf(tx: Transaction, ordinal: number): Whole | null {
  const event = eventsOf(tx).find((one) => one.kind === 'acquire' && one.ordinal === ordinal);
  if (event?.kind !== 'acquire' || event.cost === null) return null;
  return withFee(tx, { quantity: event.quantity, cents: roundToCents(event.cost) }, 1n, costWords(tx));
}

/** Of what is no purchase and no sale by itself (shorts, written options and what closes them): amount and fee. */
export function statedBy(tx: Transaction, sign: 1n | -1n, text: string): Whole | null {
  const amount = dollars(tx, tx.amount);
  if (amount === null) return null;
  const net = roundToCents((amount + sign * tradeFee(tx)) as typeof amount);
  return withFee(tx, { quantity: tx.quantity ?? 0n, cents: net }, sign, text);
}

/** Stock that an exercise or an assignment brought or took: at its strike, with what the options had cost or brought. */
export function strikeOf(tx: Transaction, used: UsedUp | undefined, sign: 1n | -1n): Whole | null {
  const shares = tx.shares ?? ((tx.quantity ?? 0n) * sharesPerContract) / 10n ** 18n;
  const strike = statedBy(tx, sign, `Strike of the ${wordOf(tx)} of ${formatDay(tx.on)}`);
  if (strike === null) return null;
  const isPaid = tx.type === 'exercise';
  const premium = centsOf(used) * (isPaid === (sign === 1n) ? 1n : -1n);
  const text = isPaid ? 'What the options exercised had cost' : 'What the options assigned had brought';
  const parts = premium === 0n ? strike.parts : [...strike.parts, { text, cents: premium }];
  return { quantity: shares, cents: strike.cents + premium, parts };
}

function withFee(tx: Transaction, whole: Omit<Whole, 'parts'>, sign: 1n | -1n, text: string): Whole {
  const gross = roundToCents(dollars(tx, tx.amount) ?? (0n as never));
  const fee = whole.cents - gross;
  const stated = sign * roundToCents(tradeFee(tx));
  // Both may be rounded: a cent of the one is of the other.
  if (fee === 0n || fee - stated > 1n || stated - fee > 1n) return { ...whole, parts: [{ text, cents: whole.cents }] };
  return {
    ...whole,
    parts: [
      { text, cents: gross },
      { text: sign === 1n ? 'Its fees, which join the basis' : 'Its fees, which are taken off', cents: fee },
    ],
  };
}

export function wordOf({ type }: Transaction): string {
  return type.replaceAll('_', ' ');
}

function broughtWords(tx: Transaction, ordinal: number): string {
  const day = formatDay(tx.on);
  if (ordinal === 2) return `Value of the units that paid the fee of the ${wordOf(tx)} of ${day}`;
  if (tx.type === 'sell' || tx.type === 'sell_to_close') return `Sold on ${day}, before fees`;
  return `What the ${wordOf(tx)} of ${day} brought, before fees`;
}

function costWords(tx: Transaction): string {
  switch (tx.type) {
    case 'opening_lot':
    case 'gift_in':
      return `Basis that the ${tx.type === 'gift_in' ? 'gift' : 'opening lot'} states`;
    case 'inherit':
      return 'Value at death';
    case 'buy':
    case 'buy_to_open':
      return `${formatQuantity(tx.quantity ?? (0n as Quantity))} ${tx.asset} bought on ${formatDay(tx.on)}`;
    default:
      return `What the ${wordOf(tx)} of ${formatDay(tx.on)} was worth`;
  }
}

/** The parts of a share in a whole; none where the share is not what the whole says. */
export function shareParts(whole: Whole | null, units: bigint, cents: bigint, rest: string): Part[] {
  if (whole === null || whole.quantity <= 0n || units > whole.quantity) return [];
  const off = proportion(whole.cents, units, whole.quantity) - cents;
  // Shares of one whole are rounded one upon the other: a cent either way.
  if (off > 1n || off < -1n) return [];
  const left = cents - whole.cents;
  return left === 0n ? [...whole.parts] : [...whole.parts, { text: rest, cents: left }];
}

/** What a sale of several lines brought, less what its other lines show. */
export function lineParts(whole: Whole | null, own: Disposal, lines: readonly Disposal[]): Part[] {
  if (whole === null) return [];
  const others = lines.filter(({ id }) => id !== own.id && ordinalOf(id) === ordinalOf(own.id));
  const told = others.map(
    ({ quantity, asset, acquired, proceeds }): Part => ({
      text: `Another line of this sale has ${formatQuantity(quantity)} ${asset} acquired on ${formatDay(acquired)}`,
      cents: -proceeds,
    }),
  );
  const left = own.proceeds - [...whole.parts, ...told].reduce((sum, { cents }) => sum + cents, 0n);
  if (left > 1n || left < -1n) return [];
  const carried = { text: 'Parts of a cent, carried from one sale to the next', cents: left };
  return [...whole.parts, ...told, ...(left === 0n ? [] : [carried])];
}

/** `saleId/ordinal.row` of a line, `transactionId/ordinal` of a lot. */
export function ordinalOf(id: string): number {
  return Number(/^[^/]*\/(\d+)/.exec(id)?.[1] ?? -1);
}

/** The lot on the evening before its sale, from its purchase on; null where not all of it can be told. */
export function wholeOf(opened: Whole | null, course: Course | null): Whole | null {
  if (course === null) return opened;
  if (course.pool !== null) {
    const { quantity, basis } = course.pool;
    const text = `Averaged basis of all ${formatQuantity(quantity as Quantity)} shares of the account`;
    return { quantity, cents: basis, parts: [{ text, cents: basis }] };
  }
  const first = course.stations[0];
  let [quantity, cents] = [opened?.quantity ?? 0n, opened?.cents ?? 0n];
  const parts = [...(opened?.parts ?? [])];
  const add = (text: string, part: bigint, always = false): void => {
    if (part !== 0n || always) parts.push({ text, cents: part });
    cents += part;
  };
  if (opened === null && first?.before == null && course.last === null) return null;
  for (const station of course.stations) {
    const { before, after, losses } = station;
    if (before !== null && opened === null && parts.length === 0)
      add(`What ${lotWords(before)} had cost`, before.basis);
    if (before !== null) add(`Went with units that left the lot before ${formatDay(station.on)}`, before.basis - cents);
    if (before === null && opened === null) add(`What ${lotWords(after)} had as basis`, after.basis);
    for (const { disallowed, quantity: units } of losses) {
      add(`Denied loss of ${formatQuantity(units)} units, which these replaced`, disallowed);
    }
    add(stationWords(station), after.basis - cents, station.rows.length > 0);
    quantity = after.quantity;
  }
  if (course.last !== null) {
    add('Went with units that left the lot before the sale', course.last.basis - cents);
    quantity = course.last.quantity;
  }
  return { quantity, cents, parts };
}

function stationWords(station: Station): string {
  const { on, before, after, rows } = station;
  const day = formatDay(on);
  const row = rows[0];
  if (row === undefined) return `Stays with units that replaced nothing on ${day}`;
  const changed = changeWords(row.type);
  if (changed !== undefined) return changed(row, station, day);
  const now = lotWords(after);
  return before?.account === after.account
    ? `Went with units that left ${after.account} on ${day}: ${now} stay`
    : `Moved on ${day} to ${after.account}: ${now}${before?.quantity === after.quantity ? '' : ', the rest stays'}`;
}

type ChangeWords = (row: Transaction, station: Station, day: string) => string;

function changeWords(type: Transaction['type']): ChangeWords | undefined {
  const words: Readonly<Partial<Record<Transaction['type'], ChangeWords>>> = wordsOfChange;
  return words[type];
}

/** What each type of row that changes lots did to this one. */
const wordsOfChange: Readonly<Record<LotChange, ChangeWords>> = {
  split: (row, { after }, day) => `Split of ${row.asset} on ${day}: ${lotWords(after)}`,
  return_of_capital: (_row, _station, day) => `Return of capital of ${day}`,
  bond_amortization: (_row, _station, day) => `Bond premium amortized on ${day}`,
  spinoff: (row, { before, after }, day) =>
    after.asset === before?.asset
      ? `Went to ${row.receivedAsset}, spun off on ${day}`
      : `Stays with ${row.asset}, of which ${row.receivedAsset} was spun off on ${day}: ${lotWords(after)}`,
  merger: (_row, { after }, day) => `Merger of ${day}, less its cash, with the gain recognized: ${lotWords(after)}`,
  rename: (_row, { after }, day) => `New name on ${day}: ${lotWords(after)}`,
};

function lotWords({ quantity, asset }: Lot): string {
  return `${formatQuantity(quantity)} ${asset}`;
}
