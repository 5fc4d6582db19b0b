import { addDays, type Day, type Instant } from '../../../src/base/day.ts';
import type { Money, Quantity } from '../../../src/base/decimal.ts';
import { boxes, type Transaction } from '../../../src/engine/model.ts';
import type { Step } from './generate.ts';
import {
  accountOf,
  add,
  addRow,
  chooseLots,
  coinOf,
  costOf,
  heldIn,
  money,
  partOf,
  quantity,
  remember,
  type Scenario,
  securityOf,
  unitsOf,
} from './history.ts';
import { assetOf, isAmountMissing } from './trade-steps.ts';

export function transfer(scenario: Scenario, step: Step): void {
  const of = assetOf(scenario, step);
  // Also moves assets out of an IRA: a distribution in kind, whose value the row may not state.
  const account = accountOf(step.part === 5 ? 3 : step.account % 3);
  const toAccount = accountOf(step.fee > 80 ? 3 : step.other % 3);
  const units = partOf(heldIn(scenario, account, of.asset), step);
  if (units <= 1000n || account === toAccount) return;
  const network = of.assetClass === 'crypto' && step.fee > 0 ? units / 100n : 0n;
  addRow(scenario, {
    type: 'transfer',
    account,
    toAccount,
    ...of,
    quantity: quantity(units - network),
    ...(account === 'IRA' && step.dice !== 3 ? { fmv: costOf(units, step) } : {}),
    lots: step.dice === 7 ? chooseLots(scenario, of.asset, units - network, step) : [],
    ...(network > 0n ? { feeAsset: of.asset, feeQuantity: quantity(network), fee: money(step.fee) } : {}),
  });
  add(scenario, account, of.asset, -units);
  add(scenario, toAccount, of.asset, units - network);
}

export function depositAndWithdrawal(scenario: Scenario, step: Step): void {
  const of = coinOf(step.asset);
  const from = accountOf(step.account % 2);
  const to = accountOf(1 - (step.account % 2));
  const units = partOf(heldIn(scenario, from, of.asset), step);
  if (units <= 0n || step.part === 9) return;
  // The network fee is stated separately, in addition to the units withdrawn or included in them.
  const fee = step.fee > 50 ? units / 50n : 0n;
  const inKind = fee > 0n ? { feeAsset: of.asset, feeQuantity: quantity(fee), fee: money(step.fee) } : {};
  const { at, on } = scenario;
  // The other exchange's clock may be ahead, or its statement may be days late.
  const early = at !== null && step.dice === 1;
  const left = early ? { at: (at + 1_000_000) as Instant } : {};
  addRow(scenario, { type: 'withdrawal', account: from, ...of, quantity: quantity(units), ...inKind, ...left });
  add(scenario, from, of.asset, -units);
  if (step.dice === 0) return;
  scenario.file = step.dice;
  const arrived = step.dice % 2 === 0 ? units : units - fee;
  const days = step.dice > 8 ? [1, 7, 8][step.dice - 9] : undefined;
  const came = days === undefined ? {} : { on: addDays(on, days), at: null };
  addRow(scenario, { type: 'deposit', account: to, ...of, quantity: quantity(arrived), ...came });
  add(scenario, to, of.asset, arrived);
}

/** Adds a lot that arrives with its own dates. */
export function give(scenario: Scenario, step: Step, type: 'gift_in' | 'inherit' | 'opening_lot'): void {
  const of = assetOf(scenario, step);
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
  const row = addRow(scenario, {
    type,
    account,
    ...of,
    quantity: quantity(units),
    acquired: isAmountMissing(step) ? null : addDays(scenario.on, -back),
    basis,
    fmv,
  });
  remember(scenario, of.asset, row);
  add(scenario, account, of.asset, units);
}

export function letGo(
  scenario: Scenario,
  step: Step,
  type: 'gift_out' | 'donate' | 'lost' | 'worthless' | 'spend' | 'fee',
): void {
  const of = type === 'spend' || type === 'fee' ? coinOf(step.asset) : assetOf(scenario, step);
  const account = accountOf(step.account);
  const held = heldIn(scenario, account, of.asset);
  const key = `${account} ${of.asset}`;
  // If the asset becomes worthless, a short seller has a gain.
  const owed = type === 'worthless' ? (scenario.shorted.get(key) ?? 0n) : 0n;
  const ofShort = owed > 0n && step.dice % 3 > 0 ? partOf(owed, step) : 0n;
  const units = ofShort > 0n ? held + ofShort : partOf(held, step);
  if (units <= 0n) return;
  if (ofShort > 0n) scenario.shorted.set(key, owed > ofShort ? owed - ofShort : 0n);
  const amount = (type === 'spend' || type === 'fee') && !isAmountMissing(step) ? costOf(units, step) : null;
  const lots = step.dice === 7 ? chooseLots(scenario, of.asset, units, step) : [];
  addRow(scenario, { type, account, ...of, quantity: quantity(units), amount, lots });
  add(scenario, account, of.asset, ofShort > 0n ? -held : -units);
}

export function reportedSale(scenario: Scenario, step: Step): void {
  if (step.dice % 2 === 1) {
    reportHistory(scenario, step);
    return;
  }
  const account = accountOf(step.account);
  // Includes traded assets, held or not.
  const of = step.fee % 2 === 0 ? { asset: 'RPT', assetClass: 'stock' as const } : securityOf(scenario, step);
  const units = unitsOf(step, 'stock');
  const row: Partial<Transaction> = {
    account,
    ...of,
    quantity: quantity(units),
    amount: money(step.price * 10),
    basis: money(step.price * 12),
    acquired: step.dice === 0 ? null : (dayBought(scenario, of.asset, step) ?? acquiredNear(scenario, step)),
    wash: step.dice > 5 ? money(step.price * (step.part % 4)) : null,
    term: step.part === 1 ? 'long' : null,
    box: boxStated(step),
  };
  // A supplement states the wages in the basis of a sale, in one row or in two, or of another sale.
  const isSupplemented = of.asset === 'RPT' && step.other === 1;
  addRow(scenario, { type: 'reported_sale', ...row, ...(isSupplemented ? { wash: null, acquired: null } : {}) });
  if (isSupplemented) reportWages(scenario, step, row);
  add(scenario, account, of.asset, -units);
}

function reportWages(scenario: Scenario, step: Step, row: Partial<Transaction>): void {
  const offered = step.part % 2 === 0 ? addDays(scenario.on, -300) : null;
  const wages = money(step.price * 2);
  const supplement = { ...row, type: 'reported_sale' as const, box: null, wash: null, acquired: null, offered, wages };
  if (step.quantity % 3 === 0) {
    const halfOf = <Amount extends bigint>(amount: Amount | null | undefined): Amount =>
      ((amount ?? 0n) / 2n) as Amount;
    const half = { quantity: halfOf(row.quantity), amount: halfOf(row.amount), basis: halfOf(row.basis) };
    addRow(scenario, { ...supplement, ...half });
    addRow(scenario, { ...supplement, ...half });
    return;
  }
  addRow(scenario, step.quantity % 3 === 1 ? supplement : { ...supplement, amount: money(step.price * 11) });
}

/** Returns a day long ago, or a day near the sales on other accounts' forms. */
function acquiredNear({ on }: Scenario, step: Step): Day {
  return addDays(on, -(step.part % 2 === 0 ? 100 * step.other : step.quantity));
}

function dayBought(scenario: Scenario, asset: string, step: Step): Day | null {
  const bought = scenario.rows.filter((row) => row.type === 'buy' && row.asset === asset);
  return step.part < 3 ? (bought.at(-1 - step.other)?.on ?? null) : null;
}

function boxStated(step: Step): Transaction['box'] {
  return boxes[step.quantity % 30] ?? null;
}

/**
 * Adds a form that reports disposals in the history in whole, in part or with more units, sometimes on another day
 * (that of settlement, or of the opening of a short), in another account, or twice. Or adds a sale that only the form
 * reports.
 */
function reportHistory(scenario: Scenario, step: Step): void {
  const ended = scenario.rows.filter(({ type }) => (step.price % 3 === 0 ? endings : sales).includes(type));
  const sold = ended.at(-1 - (step.other % 3));
  if (step.dice < 9 && sold !== undefined && sold.quantity !== null && (sold.amount ?? 0n) >= 0n) {
    reportRow(scenario, step, { ...sold, quantity: sold.quantity });
    return;
  }
  const of = securityOf(scenario, step);
  const account = accountOf(step.account);
  const units = partOf(heldIn(scenario, account, of.asset), step);
  if (units <= 0n) return;
  const amount = costOf(units, step);
  const acquired = dayBought(scenario, of.asset, step);
  const wash = step.fee > 50 ? money(step.price) : null;
  const row = {
    account,
    ...of,
    quantity: quantity(units),
    amount,
    basis: amount,
    acquired,
    wash,
    box: boxStated(step),
  };
  addRow(scenario, { type: 'reported_sale', ...row });
  add(scenario, account, of.asset, -units);
}

const sales: readonly string[] = ['sell', 'sell_to_close'];
const endings: readonly string[] = [...sales, 'cover', 'buy_to_close', 'expire', 'worthless', 'assign', 'exercise'];
/** Days from a sale to its date on the form. A number in the step selects one. */
const lags = [0, 0, 0, 0, 1, 2, -1, 5, 6, 0, 0];

function reportRow(scenario: Scenario, step: Step, row: Transaction & { readonly quantity: Quantity }): void {
  const isDelivery = row.type === 'assign' || row.type === 'exercise';
  const of = isDelivery ? { asset: 'AAA', assetClass: 'stock' as const } : row;
  const whole = isDelivery ? (row.shares ?? row.quantity) : row.quantity;
  const opened = scenario.rows.findLast(
    (one) =>
      (one.type === 'short_sell' || one.type === 'sell_to_open') &&
      one.account === row.account &&
      one.asset === row.asset,
  );
  const isClosing = row.type === 'cover' || row.type === 'buy_to_close';
  const dated = isClosing && step.price % 2 === 0 && opened !== undefined ? opened.on : row.on;
  const on = addDays(dated, lags[step.price % lags.length] ?? 0);
  const account = step.price % 13 === 0 ? accountOf(step.other) : row.account;
  const parts = step.part === 9 ? [(whole * 3n) / 2n] : [whole - whole / 3n, whole / 3n];
  const times = (amount: bigint | null, units: bigint): Money | null =>
    amount === null ? null : (((amount * units) / whole) as Money);
  for (const units of step.part > 3 ? parts : [whole]) {
    const basis = step.fee > 60 ? times(row.amount, units) : null;
    const acquired = addDays(row.on, -step.quantity);
    const { asset, assetClass } = of;
    const form = {
      ...{ type: 'reported_sale' as const, account, asset, assetClass, quantity: quantity(units), on, at: null },
      ...{ amount: times(row.amount, units), basis, acquired, box: boxStated(step) },
    };
    addRow(scenario, form);
    if (step.price % 7 === 0) addRow(scenario, form);
  }
}
