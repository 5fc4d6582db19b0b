import { formatDay } from '../../../base/day.ts';
import { type Cents, formatQuantity, type Quantity, zeroMoney } from '../../../base/decimal.ts';
import { least, most } from '../../book/amounts.ts';
import type { OpenLot } from '../../book/book.ts';
import { type Fold, getOrCreatePool, isRetirement, raise } from '../../book/fold.ts';
import { disposalWith } from '../../book/plain-disposal.ts';
import { rowsToday } from '../../book/rows-today.ts';
import { replacedRows } from '../../events/corrected-forms.ts';
import { dollars, isListed, type TransactionEvent } from '../../events/event.ts';
import { sliceFormRow } from '../../events/form-rows.ts';
import { isContractKey, toAssetKey } from '../../events/keys.ts';
import type { Disposal, Fact } from '../../model.ts';
import { typesWhere } from '../../transaction-types.ts';
import { findSupplement, writeWages } from '../employee-stock/supplement.ts';
import { boxForTerm } from '../lines/box.ts';
import { withoutForm1099 } from '../lines/shown-basis.ts';
import { resolveLotAccount } from '../lots/take.ts';
import { dispose } from '../sales/sale.ts';
import { withFormUnits } from './form-units.ts';
import { raiseOtherDay, raiseWithoutLine } from './other-sale.ts';
import { type ReconciledPart, reconcileLines } from './reconcile.ts';
import { writeStandAlone } from './stand-alone.ts';

/**
 * Applies a sale reported on Form 1099. If the account's own history sold the units that day, it is the same sale: it
 * gets the form's box, and codes for differences from the form. If the account still holds the units, they are sold for
 * the form's proceeds. Units that it does not hold are reported as the form shows them.
 */
export function applyForm1099(fold: Fold, row: TransactionEvent): void {
  if (isReplaced(fold, row) || joinsNoLine(fold, row)) return;
  const { form, ...event } = row;
  const shown = event.tx.quantity ?? (0n as Quantity);
  if (dollars(event.tx, event.tx.amount) === null)
    raise(fold, event, 'value_missing', `The proceeds of ${event.asset} are not stated in dollars.`);
  const known = shown > 0n ? reconcile(fold, form?.by === 'day' ? row : event, shown) : 0n;
  if (known > 0n && (known === shown || form?.by === 'day')) return;
  if (form?.by === 'day' && isShort(fold, event, shown)) {
    if (!isRetirement(fold, event.account)) raiseWithoutLine(fold, event, { by: 'open', isWhole: false });
    return;
  }
  const sold = `Form 1099 shows ${formatQuantity(shown)} ${event.asset} sold on ${formatDay(event.on)}`;
  if (known > 0n) {
    const detail = `${sold}, but the transactions show ${formatQuantity(known as Quantity)}. The excess counts as a separate sale.`;
    raise(fold, event, 'unreconciled', detail, { suffix: 'sold' });
  }
  const explained = known + unitsHeld(fold, event, most(0n, shown - known));
  const isHeld = explained > known;
  if (isHeld && explained < shown) {
    const held = formatQuantity((explained - known) as Quantity);
    const detail = `${sold}, but ${event.account} held ${held}. The remaining units are reported as Form 1099 shows them.`;
    raise(fold, event, 'unreconciled', detail, { suffix: 'held' });
  }
  if (isHeld) sellHeld(fold, sliceFormRow(event, known, explained));
  if (isHeld && explained === shown) return;
  if (!isRetirement(fold, event.account)) {
    if (form?.by === 'like') raiseWithoutLine(fold, event, form);
    else raiseOpenShort(fold, event);
  }
  writeStandAlone(fold, sliceFormRow(event, explained, shown), isHeld ? 'form' : 0);
}

/** Returns whether the books already count the sale of a form row, although the row matches no line. */
function joinsNoLine(fold: Fold, event: TransactionEvent): boolean {
  const { form } = event;
  if (form === undefined || form.by === 'day' || form.by === 'like') return false;
  // If the account holds the units, the row is a sale by this account.
  const mayBeOwn = form.by === 'account' || form.by === 'ended';
  if (mayBeOwn && unitsHeld(fold, event, event.tx.quantity ?? 0n) > 0n) return false;
  if (!isRetirement(fold, event.account)) raiseWithoutLine(fold, event, form);
  return true;
}

/**
 * Returns whether the account is short these units, for example because an assigned call sold stock that it did not
 * hold.
 */
function isShort(fold: Fold, { key, account }: TransactionEvent, shown: bigint): boolean {
  const accountShorts = (fold.shorts.get(key) ?? []).filter((short) => short.account === account);
  return accountShorts.reduce((units, short) => units + short.quantity, 0n) >= shown;
}

/**
 * Raises an issue if the form may report the end of a short sale or a written option that no transaction ends. The sale
 * then counts as the form shows it, and the position stays open.
 */
function raiseOpenShort(fold: Fold, event: TransactionEvent): void {
  const { key, account } = event;
  const isOpen = (one: { readonly account: string; readonly quantity: bigint }): boolean =>
    one.account === account && one.quantity > 0n;
  const short = fold.shorts.get(key)?.find(isOpen);
  const option = fold.written.get(key)?.find(isOpen);
  const open = short ?? option;
  if (open === undefined) return;
  const proceeds =
    short === undefined
      ? (option?.wholePremium ?? 0n) - (option?.premiumTaken ?? 0n)
      : short.wholeProceeds - short.proceedsTaken;
  const by = short === undefined ? 'written' : 'short';
  raiseWithoutLine(fold, event, {
    ...{ by, rows: [open.openedBy], on: open.on, isWhole: false },
    proceeds: proceeds as Cents,
  });
}

/** Returns whether a corrected form replaces this row. The corrected form reports the sale again. */
function isReplaced(fold: Fold, { tx }: TransactionEvent): boolean {
  return replacedRows([...rowsToday(fold).values()].filter(({ type }) => type === tx.type)).has(tx.id);
}

/** Sells units that the account holds and that no row shows as sold, then reconciles their lines with the form. */
function sellHeld(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  const quantity = tx.quantity ?? (0n as Quantity);
  // If the proceeds are unknown, an issue was already raised.
  const proceeds = dollars(tx, tx.amount) ?? zeroMoney;
  dispose(fold, { ...event, kind: 'dispose', quantity, proceeds, purpose: 'sale', fromReceived: false });
  if (!leavesLines(fold, event)) return;
  reconcile(fold, event, quantity);
  // A purchase that only this row states has no row of its own for its wages.
  const isOwnLot = fold.facts
    .slice(fold.dayStart)
    .some((fact) => fact.kind === 'disposal' && fact.lotId.startsWith(`${tx.id}/`));
  const supplement = isOwnLot ? findSupplement(fold, event) : null;
  if (supplement !== null) writeWages(fold, event, supplement, 'own');
}

/**
 * Returns whether sales have Form 8949 rows. Sales in an IRA are not taxed, and section 1256 contracts are on Form
 * 6781.
 */
function leavesLines(fold: Fold, event: TransactionEvent): boolean {
  return !isRetirement(fold, event.account) && !isContractKey(event.key);
}

/**
 * Returns how many of these units the account holds. A row with its own date and basis does not use a lot that another
 * row lists. If the account does not hold all units and the form has an acquisition date, only lots of that day count,
 * because the other units are not in the history.
 */
function unitsHeld(fold: Fold, event: TransactionEvent, units: bigint): bigint {
  const pool = getOrCreatePool(
    fold,
    event.key,
    resolveLotAccount(fold.rules, event.assetClass, event.account, event.on),
  );
  const { id, acquired, basis } = event.tx;
  const isOfOtherRow = (lot: OpenLot): boolean =>
    acquired !== null && basis !== null && isListed(lot) && lot.openedBy !== id;
  let [held, meant] = [0n, 0n];
  for (const lot of pool.lots.values()) {
    if (isOfOtherRow(lot)) continue;
    held += lot.quantity;
    if (held >= units) return units;
    if (acquired === null || lot.acquired === acquired) meant += lot.quantity;
  }
  return meant;
}

/** Reconciles the day's lines in that account, and returns the number of units that the history already sold. */
function reconcile(fold: Fold, event: TransactionEvent, shown: bigint): bigint {
  const { tx } = event;
  if (!leavesLines(fold, event)) {
    const known = countUnitsInRows(fold, event, shown);
    if (known > 0n && event.form !== undefined && !isRetirement(fold, event.account)) raiseOtherDay(fold, event, []);
    return known;
  }
  const saleLines = fold.facts
    .map((fact, at) => ({ fact, at }))
    .slice(fold.dayStart)
    .flatMap(({ fact, at }) => (isOwnLine(fact, event) ? [{ line: fact, at }] : []))
    .sort((a, b) => Number(b.line.acquired === tx.acquired) - Number(a.line.acquired === tx.acquired) || a.at - b.at);
  const parts: ReconciledPart[] = [];
  let known = 0n;
  for (const { line, at } of saleLines) {
    const earlier = fold.reportedToday.get(line.id);
    // The row states the amounts on the form, so expected differences are removed first.
    const now = earlier === undefined ? withoutForm1099(line) : line;
    const before = earlier ?? { units: 0n, line: now, expected: line };
    const units = least(line.quantity - before.units, shown - known);
    if (units <= 0n) continue;
    known += units;
    parts.push({ ...before, at, units });
    fold.reportedToday.set(line.id, { ...before, units: before.units + units });
    const joined = disposalWith(now, { formRows: withFormUnits(now, tx.id, units) });
    fold.facts[at] = joined;
    if (tx.box === null) continue;
    const boxed = disposalWith(joined, {
      box: boxForTerm(tx.box, line.term),
      boxReason: `Form 1099 shows box ${tx.box}.`,
      formExempt: undefined,
    });
    fold.facts[at] = boxed;
    // A later loss adds another line next to this sale, in the same box.
    for (const sales of [fold.sales, fold.soldPurchases]) {
      for (const sale of sales.get(event.key) ?? []) if (sale.line.id === line.id) Object.assign(sale, { line: boxed });
    }
  }
  if (known > 0n && event.form !== undefined) raiseOtherDay(fold, event, parts);
  if (known === shown && event.form?.isWhole !== false) reconcileLines(fold, event, parts);
  return known;
}

/** Returns the number of units that an account has sold or closed. It counts rows, for sales that produce no lines. */
function countUnitsInRows(fold: Fold, event: TransactionEvent, shown: bigint): bigint {
  const name = `${event.account} ${event.key}`;
  let sold = 0n;
  for (const { account, type, quantity, asset, assetClass } of rowsToday(fold).values()) {
    const closes = isContractKey(event.key) ? endings.has(type) : type === 'sell' || type === 'sell_to_close';
    if (closes && account === event.account && toAssetKey(asset, assetClass) === event.key) sold += quantity ?? 0n;
  }
  const before = fold.unitsReported.get(name) ?? 0n;
  const known = most(0n, least(sold - before, shown));
  fold.unitsReported.set(name, before + known);
  return known;
}

/** Types that close a long or written contract. */
const endings = typesWhere(
  ({ lots, side }) => lots === 'closes_short' || lots === 'ends_option' || (side === 'sell' && lots === 'disposes'),
);

function isOwnLine(fact: Fact, event: TransactionEvent): fact is Disposal {
  return (
    fact.kind === 'disposal' &&
    fact.account === event.account &&
    fact.quantity > 0n &&
    toAssetKey(fact.asset, fact.assetClass) === event.key
  );
}
