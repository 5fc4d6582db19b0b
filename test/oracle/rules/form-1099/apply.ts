import type { Day } from '../../../../src/base/day.ts';
import { statedWages } from '../../events/corrected-forms.ts';
import { type OracleEvent, partOfForm } from '../../events/events.ts';
import { listedPurchase, termOnForm } from '../../events/form-sales.ts';
import type { Loss, OracleLine, OracleLot, State } from '../../model.ts';
import { cents, dollars, Exact, isLongTerm, least, most, nothing, sum, units } from '../../numbers.ts';
import { isContract, isRetirement, isSame, lineOfEvent, placeOf, raise, remaining, settle } from '../../state.ts';
import { statedDiscount, takeOutInterest } from '../debt/debt.ts';
import { boxOf } from '../lines/box.ts';
import { heldLots } from '../lots/lots.ts';
import { sell } from '../sales/dispose.ts';
import { isWashable } from '../wash-sales/wash.ts';
import { lineOnForm, type ReconciledPart, reconcileLines } from './reconcile.ts';

/**
 * Applies a row of a broker's form. If the sale is already in the history for that account and day, they are the same
 * sale. Sales that only the form reports take lots from the history. Units beyond those lots are used as reported.
 */
export function applyForm1099(state: State, event: OracleEvent): void {
  const { transaction, on } = event;
  const { account, asset, assetClass } = transaction;
  const reported = units(transaction.quantity);
  // A row with its own acquisition day and basis does not refer to a lot in another row.
  const isOfOther = (lot: OracleLot): boolean =>
    transaction.acquired !== null &&
    transaction.basis !== null &&
    lot.origin.startsWith('listed: ') &&
    lot.transactionId !== transaction.id;
  const all = heldLots(state, placeOf(state, account, assetClass, on), asset, assetClass);
  const lots = all.filter((lot) => !isOfOther(lot));
  const held = sum(lots.map(remaining));
  // If the account does not hold enough lots for all rows, the form reports only the lots whose acquisition date it
  // states.
  const { acquired } = transaction;
  const ofDay = sum(lots.filter((lot) => acquired === null || lot.acquired === acquired).map(remaining));
  const canSell = (wanted: Exact): Exact => (held.gte(wanted) ? wanted : ofDay);
  const nowhere = event.form?.nowhere ?? null;
  // Units that the account holds are sold there, regardless of sales in other accounts.
  if (
    nowhere !== null &&
    nowhere !== 'alike' &&
    (!['other account', 'lapses'].includes(nowhere) || canSell(reported).isZero())
  ) {
    if (!isRetirement(state, account)) raise(state, transaction.id, 'unreconciled');
    return;
  }
  if (transaction.amount === null) raise(state, transaction.id, 'value_missing');
  const known = reported.gt(0) ? knownUnits(state, event, reported) : nothing;
  const moved = event.form !== undefined && nowhere === null;
  if (known.gt(0) && (known.equals(reported) || moved)) return;
  // The stock for an assigned call that was not held is owed. It counts as sold once it is delivered.
  const owed = state.shorts.filter((short) => short.account === account && isSame(short, asset, assetClass));
  if (moved && sum(owed.filter((short) => !short.written).map(remaining)).gte(reported)) {
    if (!isRetirement(state, account)) raise(state, transaction.id, 'unreconciled');
    return;
  }
  const own = canSell(reported.minus(known));
  const beyond = reported.minus(known).minus(own);
  if (known.gt(0) || (own.gt(0) && beyond.gt(0))) raise(state, transaction.id, 'unreconciled');
  if (own.gt(0)) sellOwn(state, partOfForm(event, known, own));
  const isShort = state.shorts.some((short) => short.account === account && isSame(short, asset, assetClass));
  if ((own.isZero() || beyond.gt(0)) && (isShort || nowhere === 'alike') && !isRetirement(state, account))
    raise(state, transaction.id, 'unreconciled');
  if (own.isZero() || beyond.gt(0)) writeStandAlone(state, partOfForm(event, known.plus(own), beyond));
}

/**
 * Sells the account's own lots, starting with lots acquired on the form's acquisition date. The form reports their
 * lines.
 */
function sellOwn(state: State, event: OracleEvent): void {
  const { account, asset, assetClass, amount, acquired, box, quantity } = event.transaction;
  const lines = state.lines.length;
  const sale = { asset, assetClass, account, quantity: units(quantity), proceeds: dollars(amount) };
  sell(state, event, { ...sale, acquired });
  if (isRetirement(state, account) || isContract(assetClass)) return;
  const parts = ofDayFirst(
    state.lines.slice(lines).filter((line) => line.quantity.gt(0)),
    acquired,
  );
  for (const line of parts) {
    markReported(state, line);
    if (box !== null) line.stated = box;
    state.reported.set(line, line.quantity);
  }
  if (parts.length > 0)
    reconcileLines(
      state,
      event,
      parts.map((line) => ({ line, quantity: line.quantity })),
    );
}

/**
 * Adds a separate line. Its loss is subject to IRC 1091 like that of any sale, unless the form reports that it was
 * replaced. The dates of the line determine its term, unless they are missing or the form states a longer term.
 */
function writeStandAlone(state: State, meeting: OracleEvent): void {
  const { transaction } = meeting;
  const { on } = transaction;
  const event = { ...meeting, on };
  if (isRetirement(state, transaction.account)) return;
  const supplement = isContract(transaction.assetClass) ? null : statedWages(transaction);
  const paid = supplement?.paid ?? (transaction.basis === null ? null : dollars(transaction.basis));
  if (paid === null) raise(state, transaction.id, 'basis_missing');
  if (isContract(transaction.assetClass)) {
    // Form 1099-B reports a section 1256 contract in boxes 8 to 11. It belongs on Form 6781.
    const proceeds = settle(state, 'proceeds', transaction, dollars(transaction.amount));
    const basis = settle(state, 'basis', transaction, dollars(transaction.basis));
    const { id: transactionId, account } = transaction;
    state.contracts.push({ transactionId, on, account, gain: proceeds.minus(basis) });
    return;
  }
  const acquired = transaction.acquired ?? on;
  const shown = termOnForm(transaction);
  const byDays = isLongTerm(acquired, on) ? 'long' : 'short';
  const term = shown === 'long' ? 'long' : transaction.acquired === null ? (shown ?? 'short') : byDays;
  const line: OracleLine = {
    ...lineOfEvent(event),
    acquired,
    heldSince: acquired,
    brokerSince: acquired,
    quantity: units(transaction.quantity),
    proceeds: settle(state, 'proceeds', transaction, dollars(transaction.amount)),
    basis: settle(state, 'basis', transaction, paid === null ? nothing : paid.plus(supplement?.wages ?? nothing)),
    term,
    basisUnknown: paid === null,
    covered: paid !== null,
    stated: transaction.box,
  };
  const other = shown !== null && shown !== term;
  if (other) raise(state, transaction.id, 'unreconciled');
  const code = `${other ? 'T' : ''}${dollars(transaction.wash).gt(0) ? 'W' : ''}`;
  line.form = { proceeds: nothing, basis: nothing, code };
  if (supplement !== null) writeWages(state, event, line, supplement);
  const due = transaction.acquired !== null || (transaction.maturity ?? on + 1) <= on ? transaction.maturity : null;
  takeOutInterest(state, event, line, { due, stated: statedDiscount(state, event) });
  state.lines.push(line);
  state.reported.set(line, line.quantity);
  const lost =
    line.quantity.gt(0) && line.basis.gt(line.proceeds) && isWashable(state, transaction.assetClass, line.sold);
  if (dollars(transaction.wash).gt(0)) {
    const stated = settle(state, 'wash', transaction, dollars(transaction.wash));
    const most = isWashable(state, transaction.assetClass, line.sold) ? line.basis.minus(line.proceeds) : nothing;
    line.adjustment = Exact.max(nothing, least(stated, most));
    line.deniedByForm = line.adjustment;
    if (stated.minus(line.adjustment).gt(1)) raise(state, transaction.id, 'unreconciled');
    return;
  }
  if (!lost) return;
  const loss: Loss = {
    line,
    account: line.account,
    origin:
      transaction.acquired === null
        ? `bought before ${transaction.id}`
        : listedPurchase(transaction.account, transaction.acquired),
    order: state.position,
    acquired,
    soldOn: on,
    sequence: state.lines.indexOf(line),
    again: false,
  };
  state.untimedLosses.push(loss);
}

/**
 * Adds the wages of a supplement: (e) shows the form's basis with code B, if a form shows a wrong one (i8949). Wages of a
 * purchase plan are income of the sale.
 */
function writeWages(
  state: State,
  { transaction, on }: OracleEvent,
  line: OracleLine,
  { wages, offered }: NonNullable<ReturnType<typeof statedWages>>,
): void {
  const isReported = 'ADGJ'.includes(boxOf(line, state.rules));
  const shown = transaction.basis === null ? null : cents(dollars(transaction.basis));
  const isForm = transaction.wages === null;
  if (shown !== null && !shown.equals(line.basis) && (isForm || isReported) && line.form !== undefined) {
    line.form.code += 'B';
    if (isReported) line.form.basis = shown.minus(line.basis);
  }
  const amount = cents(wages);
  if (amount.lte(0)) return;
  raise(state, transaction.id, 'wages_unconfirmed');
  const { id: transactionId, account } = transaction;
  if (offered !== null) state.incomes.push({ type: 'espp_purchase', transactionId, on, account, amount });
}

/** Marks a line as reported: from here on, the form's row determines the form's amounts for it. */
function markReported(state: State, line: OracleLine): void {
  if (!state.expected.has(line)) state.expected.set(line, lineOnForm(line, state.rules).basis);
  line.isReported = true;
}

/** Returns the units on the account's own lines for that day that no other form row reports. */
function knownUnits(state: State, event: OracleEvent, reported: Exact): Exact {
  const { transaction, on } = event;
  const moved = event.form !== undefined && on !== transaction.on;
  if (isRetirement(state, transaction.account) || isContract(transaction.assetClass)) {
    const closed = knownByRows(state, event, reported);
    if (closed.gt(0) && moved && !isRetirement(state, transaction.account))
      raise(state, transaction.id, 'unreconciled');
    return closed;
  }
  const free = (line: OracleLine): Exact => line.quantity.minus(state.reported.get(line) ?? nothing);
  const lines = state.lines.filter(
    (line) =>
      !state.taxedBefore.has(line) &&
      line.account === transaction.account &&
      isSame(line, transaction.asset, transaction.assetClass) &&
      free(line).gt(0),
  );
  let known = nothing;
  const parts: ReconciledPart[] = [];
  for (const line of ofDayFirst(lines, transaction.acquired)) {
    const quantity = least(free(line), reported.minus(known));
    if (quantity.lte(0)) break;
    known = known.plus(quantity);
    parts.push({ line, quantity });
    markReported(state, line);
    state.reported.set(line, (state.reported.get(line) ?? nothing).plus(quantity));
    if (transaction.box !== null) line.stated = transaction.box;
  }
  // The form has a day that is missing on the line.
  if (moved && parts.some(({ line }) => ![line.sold, line.on].includes(transaction.on)))
    raise(state, transaction.id, 'unreconciled');
  if (known.equals(reported) && event.form?.whole !== false) reconcileLines(state, event, parts);
  return known;
}

/** Sorts lines so that lots acquired on the form's date come first. The order of sale does not matter. */
function ofDayFirst(lines: readonly OracleLine[], acquired: Day | null): OracleLine[] {
  const [ofDay, others] = [true, false].map((isOfDay) =>
    lines.filter((one) => (one.acquired === acquired) === isOfDay),
  );
  return [...(ofDay ?? []), ...(others ?? [])];
}

/** Returns the units that rows closed that day without a line, which a form may report again. */
function knownByRows(state: State, event: OracleEvent, reported: Exact): Exact {
  const { asset, assetClass, account } = event.transaction;
  const today = (types: readonly string[], all: readonly OracleEvent[]): Exact =>
    sum(
      all
        .filter(({ on, transaction }) => on === event.on && types.includes(transaction.type))
        .filter(({ transaction }) => transaction.account === account && isSame(transaction, asset, assetClass))
        .map(({ transaction }) => units(transaction.quantity)),
    );
  const sales = state.events.filter((one) => one.role === 'dispose' && (one.form?.nowhere ?? null) === null);
  const before = today(['reported_sale'], sales.slice(0, sales.indexOf(event)));
  const closings = isContract(assetClass)
    ? ['sell', 'sell_to_close', 'buy_to_close', 'cover', 'expire', 'exercise', 'assign']
    : ['sell', 'sell_to_close'];
  const sold = today(closings, sales);
  return most(nothing, least(sold.minus(before), reported));
}
