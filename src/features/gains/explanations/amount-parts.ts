import { formatDay } from '../../../base/day.ts';
import {
  type Cents,
  formatCents,
  formatQuantity,
  proportion,
  type Quantity,
  roundToCents,
} from '../../../base/decimal.ts';
import { dollars, sharesPerContract, tradeFee } from '../../../engine/events/event.ts';
import { buildEvents } from '../../../engine/events/events.ts';
import type { Disposal, Transaction } from '../../../engine/model.ts';
import { type PositionAmounts, sumRole } from './sources.ts';

/** A part of an amount. All parts add up to the amount exactly. */
export interface AmountPart {
  readonly text: string;
  readonly cents: bigint;
}

/** The total amount for all units of a row or lot, and its parts. */
export interface WholeAmount {
  readonly quantity: bigint;
  readonly cents: bigint;
  readonly parts: readonly AmountPart[];
}

export function partView({ text, cents }: AmountPart) {
  return { text, amount: formatCents(cents as Cents) };
}

/**
 * Returns the proceeds of a row, split into gross amount and fees. Returns null if the row does not contain them in
 * dollars.
 */
export function computeProceeds(tx: Transaction, ordinal: number): WholeAmount | null {
  const event = buildEvents(tx).find((one) => one.kind === 'dispose' && one.ordinal === ordinal);
  if (event?.kind !== 'dispose' || event.proceeds === null) return null;
  const whole = { quantity: event.quantity, cents: roundToCents(event.proceeds) };
  return withFee(tx, whole, -1n, proceedsText(tx, ordinal));
}

/** Returns whether a row disposes of units without stating the proceeds in dollars. */
export function hasNoProceeds(tx: Transaction, ordinal: number): boolean {
  return buildEvents(tx).some((one) => one.kind === 'dispose' && one.ordinal === ordinal && one.proceeds === null);
}

/** Returns the cost of a row, split into amount and fees. Returns null if the row does not contain it in dollars. */
export function computeCost(tx: Transaction, ordinal: number): WholeAmount | null {
  const event = buildEvents(tx).find((one) => one.kind === 'acquire' && one.ordinal === ordinal);
  if (event?.kind !== 'acquire' || event.cost === null) return null;
  return withFee(tx, { quantity: event.quantity, cents: roundToCents(event.cost) }, 1n, costText(tx));
}

/**
 * Returns the amount of a short sale, a written option, or a transaction that closes one, split into amount and fees.
 */
export function computeStatedAmount(tx: Transaction, sign: 1n | -1n, text: string): WholeAmount | null {
  const amount = dollars(tx, tx.amount);
  if (amount === null) return null;
  const net = roundToCents((amount + sign * tradeFee(tx)) as typeof amount);
  return withFee(tx, { quantity: tx.quantity ?? 0n, cents: net }, sign, text);
}

/**
 * Returns the amount for stock bought or sold by exercise or assignment: the strike price plus or minus the option
 * premium.
 */
export function computeStrikeAmount(
  tx: Transaction,
  used: PositionAmounts | undefined,
  sign: 1n | -1n,
): WholeAmount | null {
  const shares = tx.shares ?? ((tx.quantity ?? 0n) * sharesPerContract) / 10n ** 18n;
  const strike = computeStatedAmount(tx, sign, `Strike price of the ${typeName(tx)} of ${formatDay(tx.on)}`);
  if (strike === null) return null;
  const isPaid = tx.type === 'exercise';
  const premium = sumRole(used, 'option') * (isPaid === (sign === 1n) ? 1n : -1n);
  const text = isPaid ? 'Cost of the exercised options' : 'Premium of the assigned options';
  const parts = premium === 0n ? strike.parts : [...strike.parts, { text, cents: premium }];
  return { quantity: shares, cents: strike.cents + premium, parts };
}

function withFee(tx: Transaction, whole: Omit<WholeAmount, 'parts'>, sign: 1n | -1n, text: string): WholeAmount {
  const gross = roundToCents(dollars(tx, tx.amount) ?? (0n as never));
  const fee = whole.cents - gross;
  const stated = sign * roundToCents(tradeFee(tx));
  // Amount and fee are rounded separately, so their sum may differ by a cent.
  if (fee === 0n || fee - stated > 1n || stated - fee > 1n) return { ...whole, parts: [{ text, cents: whole.cents }] };
  return {
    ...whole,
    parts: [
      { text, cents: gross },
      { text: sign === 1n ? 'Fees, added to the basis' : 'Fees, deducted from the proceeds', cents: fee },
    ],
  };
}

export function typeName({ type }: Transaction): string {
  return type.replaceAll('_', ' ');
}

function proceedsText(tx: Transaction, ordinal: number): string {
  const day = formatDay(tx.on);
  if (ordinal === 2) return `Value of the units that paid the fee of the ${typeName(tx)} of ${day}`;
  if (tx.type === 'sell' || tx.type === 'sell_to_close') return `Sold on ${day}, before fees`;
  return `Proceeds of the ${typeName(tx)} of ${day}, before fees`;
}

function costText(tx: Transaction): string {
  switch (tx.type) {
    case 'opening_lot':
    case 'gift_in':
      return `Basis stated for the ${tx.type === 'gift_in' ? 'gift' : 'opening lot'}`;
    case 'inherit':
      return 'Value at death';
    case 'buy':
    case 'espp_purchase':
    case 'buy_to_open':
      return `${formatQuantity(tx.quantity ?? (0n as Quantity))} ${tx.asset} bought on ${formatDay(tx.on)}`;
    default:
      return `Value of the ${typeName(tx)} of ${formatDay(tx.on)}`;
  }
}

/**
 * Returns the parts of the amount for some of the units. Returns an empty list if the amount is not the proportional
 * share of these units.
 */
export function shareParts(whole: WholeAmount | null, units: bigint, cents: bigint, othersText: string): AmountPart[] {
  if (whole === null || whole.quantity <= 0n || units > whole.quantity) return [];
  const off = proportion(whole.cents, units, whole.quantity) - cents;
  // Shares are rounded cumulatively, so a share may be off by one cent.
  if (off > 1n || off < -1n) return [];
  const left = cents - whole.cents;
  return left === 0n ? [...whole.parts] : [...whole.parts, { text: othersText, cents: left }];
}

/** Returns the proceeds of the whole sale, less the proceeds on its other lines. */
export function partsOfSale(whole: WholeAmount | null, disposal: Disposal, lines: readonly Disposal[]): AmountPart[] {
  if (whole === null) return [];
  const others = lines.filter(({ id }) => id !== disposal.id && ordinalOf(id) === ordinalOf(disposal.id));
  const otherLines = others.map(
    ({ quantity, asset, acquired, proceeds }): AmountPart => ({
      text: `Less another line of this sale: ${formatQuantity(quantity)} ${asset} acquired on ${formatDay(acquired)}`,
      cents: -proceeds,
    }),
  );
  const left = disposal.proceeds - [...whole.parts, ...otherLines].reduce((sum, { cents }) => sum + cents, 0n);
  if (left > 1n || left < -1n) return [];
  const rounding = { text: 'Rounding carried over from other sales', cents: left };
  return [...whole.parts, ...otherLines, ...(left === 0n ? [] : [rounding])];
}

/**
 * Returns the ordinal in a line's id (`saleId/ordinal.row`) or a lot's id (`transactionId/ordinal`), or -1 if the id
 * has none.
 */
export function ordinalOf(id: string): number {
  return Number(/^[^/]*\/(\d+)/.exec(id)?.[1] ?? -1);
}
