import { type Day, formatDay, longTermOn, yearOf } from '../base/day.ts';
import { type Cents, divideRounded, formatQuantity, type Quantity, zeroCents } from '../base/decimal.ts';
import { type BoxAnswer, boxOf, evidenceOf } from './box.ts';
import { isContract1256, isWashable } from './classes.ts';
import type { Dispose, Event } from './event.ts';
import { type Fold, isRetirement, type LossPiece, poolOf, raise, settle, trailOf } from './fold.ts';
import { withFractions } from './fragments.ts';
import { turnFunds } from './funds.ts';
import type { Slice } from './lots.ts';
import type { Disposal, Term } from './model.ts';
import { restartSold, type Sold } from './periods.ts';
import { closePuts, turnPuts } from './puts.ts';
import { rememberSold } from './replacements.ts';
import { bearShortLosses } from './short-losses.ts';
import { feeJoinsBasis, lotAccountOf, type Taken, take } from './take.ts';
import { registerLosses } from './wash.ts';

/** A disposal event: lots leave, and unless it is a gift each slice is a line. */
export function dispose(fold: Fold, event: Dispose): void {
  if (event.ordinal === 2 && feeJoinsBasis(fold.rules, event.tx)) return;
  const taken = take(fold, event, event.account, event.quantity, event.ordinal === 0);
  switch (event.purpose) {
    case 'gift':
      explainGift(fold, event, taken);
      return;
    case 'lost':
      explainLoss(fold, event, taken);
      return;
    case 'sale':
      writeSale(fold, event, taken, { proceeds: proceedsOf(fold, event), sold: event.on, expired: null });
      return;
    default:
      event.purpose satisfies never;
      return;
  }
}

export interface Terms {
  /** In cents, over all the units. */
  readonly proceeds: bigint;
  readonly sold: Day;
  readonly expired: Disposal['expired'];
}

/** A line for each slice, with its cumulative share of the proceeds (DOMAIN.md 1.5). */
export function writeSale(fold: Fold, event: Event, taken: Taken, terms: Terms): void {
  let total = taken.missing;
  for (const slice of taken.slices) total += slice.quantity;
  const pieces: LossPiece[] = [];
  let [units, dealt, row] = [0n, 0n, 0];
  const sold = turnPuts(fold, restartSold(fold, event, taken.slices), terms.sold);
  for (const slice of turnFunds(fold, sold, terms.proceeds, total, terms.sold)) {
    units += slice.quantity;
    const upTo = units === total ? terms.proceeds : divideRounded(terms.proceeds * units, total);
    const piece = writeSlice(fold, event, slice, slice.identified, upTo - dealt, terms, row++);
    if (piece !== null) pieces.push(piece);
    dealt = upTo;
  }
  closePuts(fold, event, taken.slices);
  if (pieces.length > 0) registerLosses(fold, withFractions(pieces, event.tx.id), event.at !== null);
  if (taken.missing > 0n) writeOversold(fold, event, taken.missing, terms.proceeds - dealt, terms, row);
}

/** One line; the loss that a wash sale may deny, where there is one. */
function writeSlice(
  fold: Fold,
  event: Event,
  slice: Sold,
  identified: Disposal['identified'],
  proceeds: bigint,
  terms: Terms,
  row: number,
): LossPiece | null {
  const { lot } = slice;
  if (isContract1256(lot.assetClass)) {
    writeContract(fold, event, proceeds - slice.basis, terms.sold, row);
    return null;
  }
  if (isRetirement(fold, event.account)) return null;
  const chosen = basisFor(slice, proceeds);
  // Its period began anew with this sale where a short was open (IRC 1233(b)(2)).
  const heldSince = slice.restarted === true ? terms.sold : chosen.heldSince;
  const { acquired } = chosen;
  const isTurned = slice.turned === true && proceeds >= chosen.basis;
  const own = slice.longLoss === true ? 'long' : termOf(lot.inherited, heldSince, terms.sold);
  const term = isTurned ? 'short' : own;
  const { box, reason } = boxFor(fold, event, term, lot.covered, terms.sold);
  // Field by field: spreading what all lines have in common (`lineOf`) is what costs most in a sale.
  const line: Disposal = {
    kind: 'disposal',
    causedOn: fold.day,
    id: lineId(event, row),
    saleId: event.tx.id,
    on: terms.sold,
    account: event.account,
    sold: terms.sold,
    term,
    box,
    boxReason: reason,
    shortSale: false,
    expired: terms.expired,
    code: '',
    adjustment: zeroCents,
    description: null,
    lotId: lot.id,
    asset: lot.asset,
    assetClass: lot.assetClass,
    quantity: slice.quantity as Quantity,
    acquired,
    heldSince,
    inherited: lot.inherited,
    proceeds: proceeds as Cents,
    basis: chosen.basis as Cents,
    basisUnknown: lot.basisUnknown,
    identified,
  };
  const borne = bearShortLosses(fold, lot.key, line);
  const basis = chosen.basis + borne;
  const told = borne === 0n ? line : { ...line, basis: basis as Cents };
  fold.facts.push(slice.lossBasis === null ? told : giftLine(fold, slice, told));
  if (fold.rules.washSoldBefore === 'include') rememberSold(fold, lot, told, slice.used);
  if (lot.basisUnknown) raiseUnknownBasis(fold, event, proceeds, lot.openedBy, row);
  if (proceeds >= basis || !isWashable(lot.assetClass, fold.rules, terms.sold)) return null;
  return {
    disposalId: line.id,
    key: lot.key,
    on: terms.sold,
    disposedOn: line.on,
    heldSince,
    origin: lot.origin,
    account: event.account,
    quantity: slice.quantity,
    matched: 0n,
    loss: basis - proceeds,
    disallowed: 0n,
    splits: [],
    acquired: lot.acquired,
    lotSequence: lot.sequence,
  };
}

/** Where more was sold than held: the proceeds stay, the basis is zero and flagged, and an issue says what led there. */
function writeOversold(fold: Fold, event: Event, missing: bigint, proceeds: bigint, terms: Terms, row: number): void {
  raise(
    fold,
    event,
    'oversold',
    `${formatQuantity(missing as Quantity)} ${event.asset} more left ${event.account} on ${formatDay(event.on)} than it held. ` +
      'Their basis stands as zero until the missing purchase, transfer or opening lot is supplied.',
    { dollars: (proceeds < 0n ? -proceeds : proceeds) as Cents, transactions: trailFor(fold, event) },
  );
  if (isContract1256(event.assetClass)) {
    writeContract(fold, event, proceeds, terms.sold, row);
    return;
  }
  if (isRetirement(fold, event.account)) return;
  fold.facts.push({
    ...lineOf(fold, event, row, 'short', false, terms),
    lotId: `${event.tx.id}/unknown`,
    asset: event.asset,
    assetClass: event.assetClass,
    quantity: missing as Quantity,
    acquired: terms.sold,
    heldSince: terms.sold,
    inherited: false,
    proceeds: proceeds as Cents,
    basis: 0n as Cents,
    basisUnknown: true,
    identified: 'default',
  });
}

type Line = Omit<
  Disposal,
  | 'lotId'
  | 'asset'
  | 'assetClass'
  | 'quantity'
  | 'acquired'
  | 'heldSince'
  | 'inherited'
  | 'proceeds'
  | 'basis'
  | 'basisUnknown'
  | 'identified'
>;

/** What all lines of an event have in common. */
export function lineOf(
  fold: Fold,
  event: Event,
  row: number | string,
  term: Term,
  covered: boolean,
  terms: Pick<Terms, 'sold' | 'expired'>,
  on: Day = terms.sold,
): Line {
  const { box, reason } = boxFor(fold, event, term, covered, on);
  return {
    kind: 'disposal',
    causedOn: fold.day,
    id: lineId(event, row),
    saleId: event.tx.id,
    on,
    account: event.account,
    sold: terms.sold,
    term,
    box,
    boxReason: reason,
    shortSale: false,
    expired: terms.expired,
    code: '',
    adjustment: zeroCents,
    description: null,
  };
}

function boxFor(fold: Fold, event: Event, term: Term, covered: boolean, on: Day): BoxAnswer {
  const { form, basisReported } = evidenceOf(fold.rules.accounts[event.account], covered);
  return boxOf({ year: yearOf(on), assetClass: event.assetClass, term, form, basisReported });
}

function lineId(event: Event, row: number | string): string {
  return `${event.tx.id}/${event.ordinal}.${row}`;
}

/**
 * A gift with two bases: a gain counts from the donor's, a loss from the value at the gift and from its day; a sale in
 * between is neither, and shows the proceeds as basis (IRC 1015(a); Pub. 550, "Property Received as a Gift").
 */
export function basisFor(
  slice: Pick<Slice, 'lot' | 'basis' | 'lossBasis'>,
  proceeds: bigint,
): { basis: bigint; acquired: Day; heldSince: Day } {
  const { lot, basis, lossBasis } = slice;
  const donor = { basis, acquired: lot.acquired, heldSince: lot.heldSince };
  if (lossBasis === null || lot.lossHeldSince === null || proceeds >= basis) return donor;
  if (proceeds < lossBasis) return { basis: lossBasis, acquired: lot.lossHeldSince, heldSince: lot.lossHeldSince };
  return { ...donor, basis: proceeds };
}

/** A gift between its two bases, where it was elected to show the donor's: the loss that does not count is code L (P7). */
function giftLine(fold: Fold, slice: Sold, line: Disposal): Disposal {
  const nothing = line.proceeds - slice.basis;
  const between = nothing < 0n && line.basis === line.proceeds;
  if (!between || fold.rules.giftBetweenBases !== 'donor_basis') return line;
  return { ...line, basis: slice.basis as Cents, code: 'L', adjustment: -nothing as Cents };
}

/** More than one year is long-term, by the calendar (IRC 1222); inherited property always is (IRC 1223(9)). */
export function termOf(inherited: boolean, heldSince: Day, sold: Day): Term {
  const days = sold - heldSince;
  // A year and a day are 366 or 367 days: the calendar is asked in between.
  if (!inherited && days <= 365) return 'short';
  return inherited || days > 367 || sold >= longTermOn(heldSince) ? 'long' : 'short';
}

export function writeContract(fold: Fold, event: Event, gain: bigint, on: Day, row: number | string): void {
  if (isRetirement(fold, event.account)) return;
  fold.facts.push({
    kind: 'contract_1256',
    causedOn: fold.day,
    id: `${event.tx.id}/${event.ordinal}.${row}`,
    transactionId: event.tx.id,
    on,
    asset: event.asset,
    account: event.account,
    gain: gain as Cents,
  });
}

function proceedsOf(fold: Fold, event: Dispose): bigint {
  if (event.proceeds !== null) return settle(fold, `proceeds ${event.key}`, event.proceeds);
  if (!isRetirement(fold, event.account)) {
    raise(
      fold,
      event,
      'value_missing',
      `What ${event.asset} yielded on ${formatDay(event.on)} is not stated in dollars: its proceeds stand as zero.`,
    );
  }
  return 0n;
}

function explainGift(fold: Fold, event: Dispose, taken: Taken): void {
  restartSold(fold, event, taken.slices);
  closePuts(fold, event, taken.slices);
  if (taken.missing > 0n) raiseMissing(fold, event, taken.missing);
}

/** Whether a loss or a theft is deductible depends on facts no file states (IRC 165(c), (h)(5)): the lots leave, the taxpayer is asked. */
function explainLoss(fold: Fold, event: Dispose, taken: Taken): void {
  restartSold(fold, event, taken.slices);
  closePuts(fold, event, taken.slices);
  if (taken.missing > 0n) raiseMissing(fold, event, taken.missing);
  const basis = taken.slices.reduce((sum, slice) => sum + slice.basis, 0n);
  const detail = `${formatQuantity(event.quantity)} ${event.asset} were lost on ${formatDay(event.on)}. No loss is claimed: whether it is deductible is for you and your adviser.`;
  raise(fold, event, 'loss_event', detail, { dollars: basis as Cents });
}

export function raiseMissing(fold: Fold, event: Event, missing: bigint): void {
  const detail = `${formatQuantity(missing as Quantity)} ${event.asset} more left ${event.account} on ${formatDay(event.on)} than it held.`;
  raise(fold, event, 'oversold', detail, { transactions: trailFor(fold, event) });
}

function trailFor(fold: Fold, event: Event): readonly string[] {
  return trailOf(poolOf(fold, event.key, lotAccountOf(fold.rules, event.assetClass, event.account, event.on)));
}

export function raiseUnknownBasis(fold: Fold, event: Event, proceeds: bigint, openedBy: string, row: number): void {
  const detail = `The basis of ${event.asset} sold on ${formatDay(event.on)} is not known and stands as zero.`;
  const issue = { dollars: (proceeds < 0n ? -proceeds : proceeds) as Cents, transactions: [openedBy] };
  raise(fold, event, 'basis_missing', detail, { ...issue, suffix: row });
}
