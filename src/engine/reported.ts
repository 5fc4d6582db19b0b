import { formatDay } from '../base/day.ts';
import { type Cents, formatQuantity, type Money, proportion, type Quantity, zeroMoney } from '../base/decimal.ts';
import { least, most } from './amounts.ts';
import { boxForTerm } from './box.ts';
import { lineOf, termOf } from './disposal.ts';
import { type Act, dollars } from './event.ts';
import { type Fold, isRetirement, poolOf, raise, settle } from './fold.ts';
import { assetKeyOf } from './keys.ts';
import type { Disposal, Fact, Transaction } from './model.ts';
import { disposalWith } from './plain-disposal.ts';
import { dispose } from './sale.ts';
import { lotAccountOf } from './take.ts';
import { rowsToday, type ToldPart, tellForm } from './told.ts';

/**
 * A sale as a broker's form tells it. What the account's own history sold that day is the same sale: the form only says
 * its box. Else, where the history holds the units, they are sold like any others, for these proceeds; where it does
 * not, the broker's line stands with its basis, box and wash amount (i8949, code W).
 */
export function writeReported(fold: Fold, event: Act): void {
  const told = event.tx.quantity ?? (0n as Quantity);
  if (dollars(event.tx, event.tx.amount) === null)
    raise(fold, event, 'value_missing', `The proceeds of ${event.asset} are not stated in dollars.`);
  const known = told > 0n ? reconcile(fold, event, told) : 0n;
  if (known > 0n && known === told) return;
  if (known > 0n) {
    const detail = `The form tells ${formatQuantity(told)} ${event.asset} sold on ${formatDay(event.on)}, the history ${formatQuantity(known as Quantity)}: the rest stands as a sale of its own.`;
    raise(fold, event, 'unreconciled', detail);
  }
  const from = fold.facts.length;
  writeRest(fold, known === 0n ? event : { ...event, tx: restOf(event.tx, told - known) });
  for (const fact of fold.facts.slice(from)) {
    if (fact.kind === 'disposal') fold.reportedToday.set(fact.id, { units: fact.quantity, line: fact });
  }
}

/** Answers how many of the units the history has sold that day in that account; their lines take what the form says. */
function reconcile(fold: Fold, event: Act, told: bigint): bigint {
  const { tx } = event;
  if (isRetirement(fold, event.account)) return knownInRetirement(fold, event, told);
  const own = fold.facts
    .map((fact, at) => ({ fact, at }))
    .slice(fold.dayStart)
    .flatMap(({ fact, at }) => (isOwnLine(fact, event) ? [{ line: fact, at }] : []))
    .sort((a, b) => Number(b.line.acquired === tx.acquired) - Number(a.line.acquired === tx.acquired) || a.at - b.at);
  const parts: ToldPart[] = [];
  let known = 0n;
  for (const { line, at } of own) {
    const before = fold.reportedToday.get(line.id) ?? { units: 0n, line };
    const units = least(line.quantity - before.units, told - known);
    if (units <= 0n) continue;
    known += units;
    parts.push({ at, units, line: before.line });
    fold.reportedToday.set(line.id, { units: before.units + units, line: before.line });
    if (tx.box === null) continue;
    const boxed = disposalWith(line, { box: boxForTerm(tx.box, line.term), boxReason: `The form says box ${tx.box}.` });
    fold.facts[at] = boxed;
    // What a later loss writes beside this sale goes where the sale is.
    for (const sales of [fold.sales, fold.soldPurchases]) {
      for (const sale of sales.get(event.key) ?? []) if (sale.line.id === line.id) Object.assign(sale, { line: boxed });
    }
  }
  if (known === told) tellForm(fold, event, parts);
  return known;
}

/** An IRA's sales leave no lines: its rows tell what was sold. */
function knownInRetirement(fold: Fold, event: Act, told: bigint): bigint {
  const name = `${event.account} ${event.key}`;
  let sold = 0n;
  for (const { account, type, quantity, asset, assetClass } of rowsToday(fold).values()) {
    const sale = account === event.account && (type === 'sell' || type === 'sell_to_close');
    if (sale && assetKeyOf(asset, assetClass) === event.key) sold += quantity ?? 0n;
  }
  const before = fold.unitsReported.get(name) ?? 0n;
  const known = most(0n, least(sold - before, told));
  fold.unitsReported.set(name, before + known);
  return known;
}

function isOwnLine(fact: Fact, event: Act): fact is Disposal {
  return (
    fact.kind === 'disposal' &&
    fact.account === event.account &&
    fact.quantity > 0n &&
    assetKeyOf(fact.asset, fact.assetClass) === event.key
  );
}

function restOf(tx: Transaction, quantity: bigint): Transaction {
  const told = tx.quantity ?? 1n;
  const part = (amount: Money | null): Money | null =>
    amount === null ? null : (proportion(amount, quantity, told) as Money);
  return {
    ...tx,
    quantity: quantity as Quantity,
    amount: part(tx.amount),
    basis: part(tx.basis),
    wash: part(tx.wash),
  };
}

function writeRest(fold: Fold, event: Act): void {
  const { tx } = event;
  const proceeds = dollars(tx, tx.amount);
  const quantity = tx.quantity ?? (0n as Quantity);
  if (quantity > 0n && isHeld(fold, event, quantity)) {
    // That its proceeds are not known has been said.
    const known = proceeds ?? zeroMoney;
    dispose(fold, { ...event, kind: 'dispose', quantity, proceeds: known, purpose: 'sale', fromReceived: false });
    return;
  }
  if (isRetirement(fold, event.account)) return;
  const basis = dollars(tx, tx.basis);
  const wash = dollars(tx, tx.wash);
  const acquired = tx.acquired ?? tx.on;
  const term = tx.term ?? termOf(false, acquired, tx.on);
  const line = lineOf(fold, event, 0, term, basis !== null, { sold: tx.on, expired: null });
  const stated = tx.box === null ? {} : { box: boxForTerm(tx.box, term), boxReason: `The form says box ${tx.box}.` };
  const adjustment = wash === null ? 0n : settle(fold, `wash ${event.key}`, wash);
  fold.facts.push({
    ...line,
    ...stated,
    lotId: `${tx.id}/reported`,
    asset: event.asset,
    assetClass: event.assetClass,
    quantity,
    acquired,
    heldSince: acquired,
    inherited: false,
    proceeds: settleOrZero(fold, `proceeds ${event.key}`, proceeds),
    basis: settleOrZero(fold, `basis ${event.key}`, basis),
    basisUnknown: basis === null,
    identified: 'default',
    code: adjustment === 0n ? '' : 'W',
    adjustment: adjustment as Cents,
    ...(tx.acquired === null ? { acquiredVarious: true as const } : {}),
  });
  if (basis !== null) return;
  const detail = `The form does not say the basis of ${event.asset} sold on ${formatDay(tx.on)}: it stands as zero.`;
  raise(fold, event, 'basis_missing', detail, { dollars: settleOrZero(fold, '', proceeds) });
}

function isHeld(fold: Fold, event: Act, quantity: bigint): boolean {
  const pool = poolOf(fold, event.key, lotAccountOf(fold.rules, event.assetClass, event.account, event.on));
  let held = 0n;
  for (const lot of pool.lots.values()) {
    held += lot.quantity;
    if (held >= quantity) return true;
  }
  return false;
}

function settleOrZero(fold: Fold, name: string, amount: ReturnType<typeof dollars>): Cents {
  return amount === null ? (0n as Cents) : settle(fold, name, amount);
}
