import { addDays, type Day, type Instant } from '../../src/base/day.ts';
import type { Money } from '../../src/base/decimal.ts';
import { boxes, type Transaction } from '../../src/engine/model.ts';
import type { Step } from './generate.ts';
import {
  accountOf,
  add,
  chooseLots,
  coinOf,
  costOf,
  heldIn,
  money,
  partOf,
  quantity,
  remember,
  securityOf,
  type Telling,
  tell,
  unitsOf,
} from './history.ts';
import { assetOf, isUntold } from './trade-steps.ts';

export function transfer(telling: Telling, step: Step): void {
  const of = assetOf(telling, step);
  const account = accountOf(step.account % 3);
  const toAccount = accountOf(step.fee > 80 ? 3 : step.other % 3);
  const units = partOf(heldIn(telling, account, of.asset), step);
  if (units <= 1000n || account === toAccount) return;
  const network = of.assetClass === 'crypto' && step.fee > 0 ? units / 100n : 0n;
  tell(telling, {
    type: 'transfer',
    account,
    toAccount,
    ...of,
    quantity: quantity(units - network),
    lots: step.dice === 7 ? chooseLots(telling, of.asset, units - network, step) : [],
    ...(network > 0n ? { feeAsset: of.asset, feeQuantity: quantity(network), fee: money(step.fee) } : {}),
  });
  add(telling, account, of.asset, -units);
  add(telling, toAccount, of.asset, units - network);
}

export function depositAndWithdrawal(telling: Telling, step: Step): void {
  const of = coinOf(step.asset);
  const from = accountOf(step.account % 2);
  const to = accountOf(1 - (step.account % 2));
  const units = partOf(heldIn(telling, from, of.asset), step);
  if (units <= 0n || step.part === 9) return;
  // The network's fee is told apart, on top of what left or inside it.
  const fee = step.fee > 50 ? units / 50n : 0n;
  const inKind = fee > 0n ? { feeAsset: of.asset, feeQuantity: quantity(fee), fee: money(step.fee) } : {};
  const { at, on } = telling;
  // The other exchange's clock may go before, or its statement days behind.
  const early = at !== null && step.dice === 1;
  const left = early ? { at: (at + 1_000_000) as Instant } : {};
  tell(telling, { type: 'withdrawal', account: from, ...of, quantity: quantity(units), ...inKind, ...left });
  add(telling, from, of.asset, -units);
  if (step.dice === 0) return;
  telling.file = step.dice;
  const arrived = step.dice % 2 === 0 ? units : units - fee;
  const days = step.dice > 8 ? [1, 7, 8][step.dice - 9] : undefined;
  const came = days === undefined ? {} : { on: addDays(on, days), at: null };
  tell(telling, { type: 'deposit', account: to, ...of, quantity: quantity(arrived), ...came });
  add(telling, to, of.asset, arrived);
}

/** Lots that come with dates of their own. */
export function give(telling: Telling, step: Step, type: 'gift_in' | 'inherit' | 'opening_lot'): void {
  const of = assetOf(telling, step);
  const account = accountOf(step.account);
  const units = unitsOf(step, of.assetClass);
  const back = type === 'inherit' ? step.other * 20 : 100 + step.other * 80;
  const basis = type === 'inherit' ? null : costOf(units, step);
  const fmv =
    type === 'opening_lot'
      ? null
      : costOf(units, {
          ...step,
          price: step.price + 150 * (step.dice - 6) > 0 ? step.price + 150 * (step.dice - 6) : 1,
        });
  const row = tell(telling, {
    type,
    account,
    ...of,
    quantity: quantity(units),
    acquired: isUntold(step) ? null : addDays(telling.on, -back),
    basis,
    fmv,
  });
  remember(telling, of.asset, row);
  add(telling, account, of.asset, units);
}

export function letGo(
  telling: Telling,
  step: Step,
  type: 'gift_out' | 'donate' | 'lost' | 'worthless' | 'spend' | 'fee',
): void {
  const of = type === 'spend' || type === 'fee' ? coinOf(step.asset) : assetOf(telling, step);
  const account = accountOf(step.account);
  const units = partOf(heldIn(telling, account, of.asset), step);
  if (units <= 0n) return;
  const amount = (type === 'spend' || type === 'fee') && !isUntold(step) ? costOf(units, step) : null;
  const lots = step.dice === 7 ? chooseLots(telling, of.asset, units, step) : [];
  tell(telling, { type, account, ...of, quantity: quantity(units), amount, lots });
  add(telling, account, of.asset, -units);
}

export function reportedSale(telling: Telling, step: Step): void {
  if (step.dice % 2 === 1) {
    reportHistory(telling, step);
    return;
  }
  const account = accountOf(step.account);
  // Of what is traded, too, held or not.
  const of = step.fee % 2 === 0 ? { asset: 'RPT', assetClass: 'stock' as const } : securityOf(telling, step);
  const units = unitsOf(step, 'stock');
  const row: Partial<Transaction> = {
    account,
    ...of,
    quantity: quantity(units),
    amount: money(step.price * 10),
    basis: money(step.price * 12),
    acquired: step.dice === 0 ? null : (dayBought(telling, of.asset, step) ?? addDays(telling.on, -100 * step.other)),
    wash: step.dice > 5 ? money(step.price * (step.part % 4)) : null,
    term: step.part === 1 ? 'long' : null,
    box: boxTold(step),
  };
  tell(telling, { type: 'reported_sale', ...row });
  add(telling, account, of.asset, -units);
}

function dayBought(telling: Telling, asset: string, step: Step): Day | null {
  const bought = telling.rows.filter((row) => row.type === 'buy' && row.asset === asset);
  return step.part < 3 ? (bought.at(-1 - step.other)?.on ?? null) : null;
}

function boxTold(step: Step): Transaction['box'] {
  return boxes[step.quantity % 30] ?? null;
}

/** A form tells a sale that the history knows, whole, in part or with more, or one that only the form tells. */
function reportHistory(telling: Telling, step: Step): void {
  const told = telling.rows.filter((row) => row.type === 'sell' || row.type === 'sell_to_close');
  const sold = told.at(-1 - (step.other % 3));
  if (step.dice < 9 && sold !== undefined && sold.quantity !== null && (sold.amount ?? 0n) >= 0n) {
    const { account, asset, assetClass, on } = sold;
    const parts =
      step.part === 9 ? [(sold.quantity * 3n) / 2n] : [sold.quantity - sold.quantity / 3n, sold.quantity / 3n];
    const times = (amount: bigint | null, units: bigint): Money | null =>
      amount === null ? null : (((amount * units) / (sold.quantity ?? 1n)) as Money);
    for (const units of step.part > 3 ? parts : [sold.quantity]) {
      const row = { account, asset, assetClass, quantity: quantity(units), amount: times(sold.amount, units) };
      const basis = step.fee > 60 ? times(sold.amount, units) : null;
      const acquired = addDays(on, -step.quantity);
      tell(telling, { type: 'reported_sale', ...row, basis, acquired, on, at: null, box: boxTold(step) });
    }
    return;
  }
  const of = securityOf(telling, step);
  const account = accountOf(step.account);
  const units = partOf(heldIn(telling, account, of.asset), step);
  if (units <= 0n) return;
  const amount = costOf(units, step);
  const acquired = dayBought(telling, of.asset, step);
  const wash = step.fee > 50 ? money(step.price) : null;
  const row = { account, ...of, quantity: quantity(units), amount, basis: amount, acquired, wash, box: boxTold(step) };
  tell(telling, { type: 'reported_sale', ...row });
  add(telling, account, of.asset, -units);
}
