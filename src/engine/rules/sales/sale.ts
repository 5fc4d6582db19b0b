import type { Day } from '../../../base/day.ts';
import {
  type Cents,
  divideRounded,
  proportion,
  type Quantity,
  roundToCents,
  zeroCents,
} from '../../../base/decimal.ts';
import { createAllocator } from '../../book/amounts.ts';
import type { NotOnForm1099, OpenLot } from '../../book/book.ts';
import { type Fold, isRetirement, roundCarrying, type SliceLoss } from '../../book/fold.ts';
import { limitToLoss, restartBrokerPeriod, toNotOnForm, withNotOnForm } from '../../book/not-on-form-1099.ts';
import { disposalWith, noLimb, PlainDisposal } from '../../book/plain-disposal.ts';
import { isContract1256, isDebt, isWashable } from '../../events/classes.ts';
import { type DisposeEvent, dollars, type Event } from '../../events/event.ts';
import { isCurrencyKey } from '../../events/keys.ts';
import type { Disposal, Gift, Term } from '../../model.ts';
import { settleAccrued, statedDiscount, withDiscount } from '../debt/debt.ts';
import { includePlanIncome } from '../employee-stock/plan.ts';
import {
  basisFor,
  boxFor,
  buildLineHead,
  type DisposalTerms,
  findTemplate,
  giftLine,
  lineId,
  purchaseMark,
  writeContract,
} from '../lines/disposal.ts';
import { withForm1099Basis } from '../lines/shown-basis.ts';
import { computeTerm } from '../lines/term.ts';
import { restartSold, type SoldSlice } from '../lots/holding-periods.ts';
import {
  raiseLost,
  raiseNotHeld,
  raiseOversold,
  raiseUnknownBasis,
  raiseUnknownProceeds,
} from '../lots/sale-issues.ts';
import { feeJoinsBasis, type TakenLots, take, takeReturned } from '../lots/take.ts';
import { endDeferrals } from '../opportunity-funds/include.ts';
import { electBasisAtSale } from '../opportunity-funds/ten-years.ts';
import { askAboutCoveredCalls, computeSuspendedPeriod } from '../short-sales/covered-calls.ts';
import { closePuts, markShortTermPuts } from '../short-sales/puts.ts';
import { closeWorthless, raiseShortOfWorthless } from '../short-sales/worthless.ts';
import { withFragments } from '../wash-sales/fragments.ts';
import { rememberSold } from '../wash-sales/replacements.ts';
import { addShortLosses, mayMatchLoss } from '../wash-sales/short-losses.ts';
import { registerLosses } from '../wash-sales/wash.ts';
import { disposeOfCurrency } from './currency.ts';
import { markLongTermLosses } from './funds.ts';

/** Applies a disposal event, which removes lots. In a sale, each slice is a line. */
export function dispose(fold: Fold, row: DisposeEvent): void {
  const event = row.tx.type === 'worthless' ? withoutShorts(fold, row) : row;
  if (event === null) return;
  if (isCurrencyKey(event.key)) {
    disposeOfCurrency(fold, event);
    return;
  }
  if (event.ordinal === 2 && feeJoinsBasis(fold.rules, event.tx)) return;
  if (event.purpose === 'returned') {
    removeReturned(fold, event, takeReturned(fold, event));
    return;
  }
  // A row of Form 1099 identifies its lots by their acquisition date, even for a part that was sold on another day.
  const isNamed = event.ordinal === 0 || event.tx.type === 'reported_sale';
  const taken = take(fold, event, event.account, event.quantity, isNamed);
  switch (event.purpose) {
    case 'gift': {
      const value = computeStatedValue(event);
      give(fold, event, endDeferrals(fold, event, taken, value), value);
      return;
    }
    case 'lost':
      explainLoss(fold, event, endDeferrals(fold, event, taken, computeStatedValue(event)));
      return;
    case 'sale': {
      const proceeds = computeProceeds(fold, event);
      const included = electBasisAtSale(fold, event, endDeferrals(fold, event, taken, proceeds), proceeds);
      writeSale(fold, event, included, { proceeds, sold: event.on, expired: null });
      return;
    }
    default:
      event.purpose satisfies never;
      return;
  }
}

/** Returns the disposal of worthless property without the units that closed shorts, or null if no units are left. */
function withoutShorts(fold: Fold, event: DisposeEvent): DisposeEvent | null {
  const quantity = (event.quantity - closeWorthless(fold, event)) as Quantity;
  raiseShortOfWorthless(fold, event);
  return quantity <= 0n ? null : { ...event, quantity };
}

/**
 * Writes a line for each slice, with its cumulative share of the proceeds (DECISIONS.md, "Parts of an amount are
 * rounded cumulatively").
 */
export function writeSale(fold: Fold, event: Event, taken: TakenLots, terms: DisposalTerms): void {
  let total = taken.missing;
  for (const slice of taken.slices) total += slice.quantity;
  let pieces: SliceLoss[] | null = null;
  let [units, dealt, row] = [0n, 0n, 0];
  const discount = statedDiscount(fold, event);
  const dealDiscount = discount === null ? null : createAllocator(discount, total);
  const sold = markShortTermPuts(fold, restartSold(fold, event, taken.slices), terms.sold);
  for (const slice of markLongTermLosses(fold, sold, terms.proceeds, total, terms.sold)) {
    units += slice.quantity;
    const upTo = units === total ? terms.proceeds : proportion(terms.proceeds, units, total);
    const piece = writeSlice(fold, event, slice, upTo - dealt, terms, row++, dealDiscount);
    if (piece !== null) {
      pieces ??= [];
      pieces.push(piece);
    }
    dealt = upTo;
  }
  closePuts(fold, event, taken.slices);
  settleAccrued(fold, event, taken);
  if (pieces !== null) registerLosses(fold, withFragments(pieces, event.tx.id), event.at !== null);
  if (taken.missing > 0n) writeOversold(fold, event, taken.missing, terms.proceeds - dealt, terms, row);
}

/** Writes one line. Returns the loss that a wash sale may disallow, or null. */
function writeSlice(
  fold: Fold,
  event: Event,
  taken: SoldSlice,
  proceeds: bigint,
  terms: DisposalTerms,
  row: number,
  dealDiscount: ((units: bigint) => bigint) | null,
): SliceLoss | null {
  const { lot } = taken;
  if (isContract1256(lot.assetClass)) {
    writeContract(fold, event, proceeds - taken.basis, terms.sold, row);
    return null;
  }
  if (isRetirement(fold, event.account)) {
    matchInRetirement(fold, event, taken, terms, row);
    return null;
  }
  const full = includePlanIncome(fold, event, taken, { value: proceeds, disposed: terms.sold, row });
  const chosen = basisFor(full, proceeds);
  const period =
    fold.coveredCalls.length === 0 ? null : computeSuspendedPeriod(fold, lot, chosen.heldSince, terms.sold);
  // Brokers do not subtract the days of covered calls.
  const isShown = period === null || period.heldSince === chosen.heldSince || full.notOnForm !== undefined;
  const slice = isShown ? full : { ...full, notOnForm: { stepUp: 0n, heldSince: chosen.heldSince } };
  // If a short was open, the holding period restarted with this sale (IRC 1233(b)(2)).
  const heldSince = slice.restarted === true ? terms.sold : (period?.heldSince ?? chosen.heldSince);
  const { acquired } = chosen;
  const isTurned = slice.gainShortTerm === true && proceeds >= chosen.basis;
  const holdingTerm = slice.lossLongTerm === true ? 'long' : computeTerm(lot.inherited, heldSince, terms.sold);
  const term = isTurned ? 'short' : holdingTerm;
  const line = isPlainSale(fold, event, lot, terms)
    ? new PlainDisposal(
        findTemplate(fold, event.account, lot, term),
        event.tx.id,
        row,
        lot.id,
        terms.sold,
        acquired,
        heldSince,
        slice.quantity as Quantity,
        noLimb,
        proceeds as Cents,
        chosen.basis as Cents,
        slice.identified,
      )
    : buildLine(fold, event, slice, row, term, terms, { proceeds, basis: chosen.basis, acquired, heldSince });
  const borne = addShortLosses(fold, lot.key, line);
  const basis = borne === 0n ? chosen.basis : chosen.basis + borne;
  const notOnForm =
    borne === 0n && slice.notOnForm === undefined ? undefined : notOnFormOfLine(slice, heldSince, borne, terms);
  const whole = borne === 0n ? line : disposalWith(line, { basis: basis as Cents });
  const counted = slice.lossBasis === null ? whole : giftLine(fold, slice, whole);
  const maturity = slice.debt?.maturity ?? event.tx.maturity;
  const stated = dealDiscount === null ? null : dealDiscount(slice.quantity);
  const discounted =
    maturity === null && stated === null && !isDebt(lot.assetClass)
      ? counted
      : withDiscount(fold, event, counted, { maturity, stated, isAccruing: slice.debt?.isAccruing === true });
  const shown = notOnForm === undefined ? discounted : withForm1099Basis(discounted, notOnForm);
  fold.facts.push(shown);
  if (period !== null)
    askAboutCoveredCalls(fold, event, { term, sold: terms.sold, gain: proceeds - basis, key: lot.key, row }, period);
  if (fold.rules.washSoldBefore === 'include') rememberSold(fold, lot, shown, slice.used);
  if (lot.basisUnknown) raiseUnknownBasis(fold, event, proceeds, lot.openedBy, row);
  if (proceeds >= basis || !isWashable(lot.assetClass, fold.rules, terms.sold)) return null;
  const piece: SliceLoss = {
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
    proceeds,
    disallowed: 0n,
    splits: [],
    acquired: lot.acquired,
    lotSequence: lot.sequence,
    adjusted: lot.adjusted,
  };
  return notOnForm === undefined ? piece : { ...piece, ...withNotOnForm(limitToLoss(notOnForm, basis - proceeds)) };
}

/**
 * Returns whether the line of a slice has only the fields of a `PlainDisposal`: the row only sells, the purchase is
 * known, and the book does not store the line.
 */
function isPlainSale(
  fold: Fold,
  { tx, ordinal, assetClass }: Event,
  lot: OpenLot,
  { sold, expired }: DisposalTerms,
): boolean {
  if (tx.type !== 'sell' || ordinal !== 0 || sold !== fold.day || expired !== null) return false;
  if (lot.basisUnknown || lot.inherited || lot.purchaseUnknown === true || lot.assetClass !== assetClass) return false;
  return fold.rules.washSoldBefore !== 'include' && !mayMatchLoss(fold, lot.key);
}

function buildLine(
  fold: Fold,
  event: Event,
  { lot, quantity, identified }: SoldSlice,
  row: number,
  term: Term,
  terms: DisposalTerms,
  amounts: { readonly proceeds: bigint; readonly basis: bigint; readonly acquired: Day; readonly heldSince: Day },
): Disposal {
  const { box, reason, formExempt } = boxFor(fold, event, term, lot.covered, terms.sold);
  return {
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
    quantity: quantity as Quantity,
    acquired: amounts.acquired,
    heldSince: amounts.heldSince,
    inherited: lot.inherited,
    proceeds: amounts.proceeds as Cents,
    basis: amounts.basis as Cents,
    basisUnknown: lot.basisUnknown,
    ...purchaseMark(lot),
    ...(formExempt ? { formExempt } : {}),
    identified,
  };
}

/**
 * Returns the part of a line's basis that the broker does not know: the part in its units, and short-sale losses added
 * by this sale.
 */
function notOnFormOfLine(
  slice: SoldSlice,
  heldSince: Day,
  borne: bigint,
  { sold }: DisposalTerms,
): NotOnForm1099 | undefined {
  const known = slice.restarted === true ? restartBrokerPeriod(slice.notOnForm, sold) : slice.notOnForm;
  return toNotOnForm({ heldSince, notOnForm: known }, borne + (known?.stepUp ?? 0n));
}

/** Handles a sale in an IRA. It has no line, but it may disallow the loss on a short sale. */
function matchInRetirement(
  fold: Fold,
  event: Event,
  { lot, quantity }: SoldSlice,
  terms: DisposalTerms,
  row: number,
): void {
  if (!mayMatchLoss(fold, lot.key)) return;
  addShortLosses(fold, lot.key, {
    ...buildLineHead(fold, event, row, 'short', false, terms),
    lotId: lot.id,
    asset: lot.asset,
    assetClass: lot.assetClass,
    quantity: quantity as Quantity,
    acquired: lot.acquired,
    heldSince: lot.heldSince,
    inherited: lot.inherited,
    proceeds: zeroCents,
    basis: zeroCents,
    basisUnknown: lot.basisUnknown,
    ...purchaseMark(lot),
    identified: 'default',
  });
}

/** Writes a line for units that were not held, with their proceeds and a basis of zero, and raises an issue. */
function writeOversold(
  fold: Fold,
  event: Event,
  missing: bigint,
  proceeds: bigint,
  terms: DisposalTerms,
  row: number,
): void {
  raiseOversold(fold, event, missing, proceeds);
  if (isContract1256(event.assetClass)) {
    writeContract(fold, event, proceeds, terms.sold, row);
    return;
  }
  if (isRetirement(fold, event.account)) return;
  fold.facts.push({
    ...buildLineHead(fold, event, row, 'short', false, terms),
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
    purchaseUnknown: true,
    identified: 'default',
  });
}

function computeProceeds(fold: Fold, event: DisposeEvent): bigint {
  if (event.proceeds !== null) return roundCarrying(fold, `proceeds ${event.key}`, event.proceeds);
  if (!isRetirement(fold, event.account)) raiseUnknownProceeds(fold, event);
  return 0n;
}

/** Returns the stated value in cents, or null if there is none. */
function computeStatedValue({ tx }: DisposeEvent): bigint | null {
  const value = dollars(tx, tx.fmv);
  return value === null ? null : roundToCents(value);
}

/**
 * Writes a gift for each slice, with its cumulative share of the value. Currency given away is not property, so it is
 * not a gift.
 */
function give(fold: Fold, event: DisposeEvent, taken: TakenLots, value: bigint | null): void {
  const restarted = restartSold(fold, event, taken.slices);
  closePuts(fold, event, taken.slices);
  if (taken.missing > 0n) raiseNotHeld(fold, event, taken.missing);
  const { type } = event.tx;
  if ((type !== 'gift_out' && type !== 'donate') || isRetirement(fold, event.account)) return;
  const total = restarted.reduce((units, slice) => units + slice.quantity, taken.missing);
  // A gift is a disposition of stock bought under a plan (IRC 424(c)(1)).
  const slices = restarted.map((slice, at) => {
    const worth = value === null ? null : proportion(value, slice.quantity, total);
    return includePlanIncome(fold, event, slice, { value: worth, disposed: event.on, row: `gift${at}` });
  });
  let [units, dealt, row] = [0n, 0n, 0];
  const share = (quantity: bigint): Cents | null => {
    if (value === null) return null;
    units += quantity;
    const upTo = divideRounded(value * units, total);
    const share = upTo - dealt;
    dealt = upTo;
    return share as Cents;
  };
  const write = (
    of: Pick<Gift, 'lotId' | 'acquired' | 'heldSince' | 'inherited' | 'basisUnknown' | 'term'>,
    quantity: bigint,
    basis: bigint,
  ): void => {
    fold.facts.push({
      kind: 'gift',
      causedOn: fold.day,
      id: `${event.tx.id}/${event.ordinal}.gift${row++}`,
      transactionId: event.tx.id,
      on: event.on,
      type,
      asset: event.asset,
      assetClass: event.assetClass,
      account: event.account,
      quantity: quantity as Quantity,
      basis: basis as Cents,
      value: share(quantity),
      ...of,
    });
  };
  for (const { lot, quantity, basis, restarted } of slices) {
    const heldSince = restarted === true ? event.on : lot.heldSince;
    const { id: lotId, acquired, inherited, basisUnknown } = lot;
    const term = computeTerm(inherited, heldSince, event.on);
    write({ lotId, acquired, heldSince, inherited, basisUnknown, term }, quantity, basis);
  }
  if (taken.missing === 0n) return;
  const unknown = {
    lotId: `${event.tx.id}/unknown`,
    acquired: event.on,
    heldSince: event.on,
    inherited: false,
  } as const;
  write({ ...unknown, basisUnknown: true, term: 'short' }, taken.missing, 0n);
}

/** Handles units returned to their source, which is neither a sale nor a gift. */
function removeReturned(fold: Fold, event: DisposeEvent, taken: TakenLots): void {
  restartSold(fold, event, taken.slices);
  closePuts(fold, event, taken.slices);
  if (taken.missing > 0n) raiseNotHeld(fold, event, taken.missing);
}

/** Raises an issue about lost units. Their lots were already removed. */
function explainLoss(fold: Fold, event: DisposeEvent, taken: TakenLots): void {
  restartSold(fold, event, taken.slices);
  closePuts(fold, event, taken.slices);
  if (taken.missing > 0n) raiseNotHeld(fold, event, taken.missing);
  raiseLost(
    fold,
    event,
    taken.slices.reduce((sum, slice) => sum + slice.basis, 0n),
  );
}
