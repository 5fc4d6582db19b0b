import { addDays } from '../../../src/base/day.ts';
import type { AssetClass, Transaction, TransactionType } from '../../../src/engine/model.ts';
import type { Step } from './generate.ts';
import {
  accountOf,
  add,
  addRow,
  chooseLots,
  coinOf,
  costOf,
  heldIn,
  identificationOf,
  money,
  partOf,
  quantity,
  remember,
  type Scenario,
  securityOf,
  unitsOf,
} from './history.ts';

/** Returns a security three times out of four, and otherwise a coin. */
export function assetOf(scenario: Scenario, step: Step): { asset: string; assetClass: AssetClass } {
  return step.dice % 4 === 3 ? coinOf(step.asset) : securityOf(scenario, step);
}

export function buy(scenario: Scenario, step: Step, type: TransactionType): void {
  acquire(scenario, step, type, assetOf(scenario, step));
}

/** Sometimes a file does not state the price. */
export function isAmountMissing(step: Step): boolean {
  return step.subCents > 700;
}

export function acquire(
  scenario: Scenario,
  step: Step,
  type: TransactionType,
  of: { asset: string; assetClass: AssetClass },
): void {
  const units = unitsOf(step, of.assetClass);
  const account = accountOf(step.account);
  const inKind = type === 'buy' && of.assetClass === 'crypto' && step.fee > 0 && step.other === 5;
  const fee = step.fee === 0 ? null : money(step.fee);
  const row = addRow(scenario, {
    type,
    account,
    ...of,
    quantity: quantity(units),
    amount: isAmountMissing(step) ? null : costOf(units, step, of.assetClass),
    fee,
    ...bondTerms(scenario, step, type, of.assetClass),
    ...(inKind ? { feeAsset: 'SOL', feeQuantity: quantity(10n ** 16n), feeOwn: step.dice > 6 ? money(1) : null } : {}),
  });
  remember(scenario, of.asset, row);
  add(scenario, account, of.asset, units);
}

/** Buys shares of an employee stock purchase plan, at up to 15% below their value. Any of its terms may be missing. */
export function planPurchase(scenario: Scenario, step: Step): void {
  const of = { asset: scenario.names.get('AAA') ?? 'AAA', assetClass: 'stock' as const };
  const units = unitsOf(step, 'stock');
  const account = accountOf(step.account);
  const amount = isAmountMissing(step) ? null : costOf(units, step);
  const row = addRow(scenario, {
    type: 'espp_purchase',
    account,
    ...of,
    quantity: quantity(units),
    amount,
    fee: step.fee === 0 ? null : money(step.fee),
    fmv: step.other === 3 ? null : costOf(units, { ...step, price: step.price + step.dice * 10 }),
    offered: step.dice === 7 ? null : addDays(scenario.on, -200 * (step.part % 4)),
    discount: step.other === 4 ? null : money(step.price * (step.dice % 5), step.subCents % 100),
  });
  remember(scenario, of.asset, row);
  add(scenario, account, of.asset, units);
}

/**
 * Returns the terms of a bond's row: its maturity, the interest in its price and, for a sale, its market discount. Each
 * may be missing.
 */
function bondTerms(
  scenario: Scenario,
  step: Step,
  type: TransactionType,
  assetClass: AssetClass,
): Partial<Transaction> {
  if (assetClass !== 'bond' || (type !== 'buy' && type !== 'sell')) return {};
  return {
    maturity: step.dice % 2 === 0 ? addDays(scenario.on, (step.subCents % 90) * 20 - 100) : null,
    accruedInterest: step.fee === 0 ? null : money(step.fee * 3, step.subCents % 10),
    marketDiscount: type === 'sell' && step.other === 2 ? money(step.subCents) : null,
  };
}

export function sell(scenario: Scenario, step: Step, named: boolean): void {
  const of = assetOf(scenario, step);
  const account = accountOf(step.account);
  const units = partOf(heldIn(scenario, account, of.asset), step);
  if (units <= 0n) return;
  addRow(scenario, {
    type: 'sell',
    account,
    ...of,
    quantity: quantity(units),
    amount: isAmountMissing(step) ? null : costOf(units, { ...step, price: step.price + 100 }, of.assetClass),
    fee: step.fee === 0 ? null : money(step.fee),
    lots: named ? chooseLots(scenario, of.asset, units, step) : [],
    identifiedAt: named ? identificationOf(scenario, step) : null,
    ...bondTerms(scenario, step, 'sell', of.assetClass),
  });
  add(scenario, account, of.asset, -units);
}

export function shortSell(scenario: Scenario, step: Step): void {
  const of = assetOf(scenario, step);
  const account = accountOf(step.account % 3);
  const units = unitsOf(step, of.assetClass);
  const fee = step.fee === 0 ? null : money(step.fee);
  const amount = isAmountMissing(step) ? null : costOf(units, { ...step, price: step.price + 100 });
  const row = addRow(scenario, { type: 'short_sell', account, ...of, quantity: quantity(units), amount, fee });
  const key = `${account} ${of.asset}`;
  scenario.shorted.set(key, (scenario.shorted.get(key) ?? 0n) + units);
  remember(scenario, `short ${key}`, row);
}

/** Sometimes these are shares spun off from a stock that was short. */
function assetOwed<T extends { readonly asset: string }>(scenario: Scenario, account: string, of: T, step: Step): T {
  const spunOff = `${of.asset}S`;
  return step.dice % 2 === 0 && scenario.shorted.has(`${account} ${spunOff}`) ? { ...of, asset: spunOff } : of;
}

/** Closes a short position by a purchase, or by delivery from a named lot in the same account. */
export function cover(scenario: Scenario, step: Step, deliver: boolean): void {
  const account = accountOf(step.account % 3);
  const of = assetOwed(scenario, account, assetOf(scenario, step), step);
  const key = `${account} ${of.asset}`;
  const open = scenario.shorted.get(key) ?? 0n;
  const units = partOf(open, step);
  if (units <= 0n) return;
  const short = scenario.labels.get(`short ${key}`)?.[0];
  const owned = scenario.labels.get(of.asset)?.[step.other];
  const held = heldIn(scenario, account, of.asset);
  const delivers = deliver && short !== undefined && owned !== undefined && held >= units && units <= open;
  const lots = delivers
    ? [
        { label: short, quantity: quantity(units) },
        { label: owned, quantity: quantity(units) },
      ]
    : [];
  const amount = delivers || step.subCents > 900 ? money(0) : isAmountMissing(step) ? null : costOf(units, step);
  const identifiedAt = delivers ? identificationOf(scenario, step) : null;
  addRow(scenario, { type: 'cover', account, ...of, quantity: quantity(units), amount, lots, identifiedAt });
  scenario.shorted.set(key, open > units ? open - units : 0n);
  if (delivers) add(scenario, account, of.asset, -units);
}

/** Adds a taxable exchange with its fee in cash, in a third coin, or withheld from either side. */
export function exchange(
  scenario: Scenario,
  step: Step,
  given: { asset: string; assetClass: AssetClass },
  received: { asset: string; assetClass: AssetClass },
): void {
  const account = accountOf(step.account);
  const units = partOf(heldIn(scenario, account, given.asset), step);
  if (units <= 1000n || given.asset === received.asset) return;
  // The row states the class of the less common asset.
  const assetClass = given.assetClass === 'crypto' ? received.assetClass : given.assetClass;
  const receivedUnits = unitsOf(step, received.assetClass);
  const feeAssets = ['', given.asset, received.asset, 'SOL'];
  const feeAsset =
    isCoin(given.assetClass) && isCoin(received.assetClass) && step.fee > 0 ? (feeAssets[step.dice % 4] ?? '') : '';
  const withheld =
    feeAsset === received.asset ? receivedUnits / 50n : feeAsset === given.asset ? units / 50n : 10n ** 16n;
  const amount = costOf(units, { ...step, price: step.price + 100 });
  const row = addRow(scenario, {
    type: 'trade',
    account,
    asset: given.asset,
    assetClass,
    quantity: quantity(units),
    receivedAsset: received.asset,
    receivedQuantity: quantity(receivedUnits),
    amount: isAmountMissing(step) ? null : amount,
    fee: step.fee === 0 ? null : feeAsset === received.asset ? ((amount / 50n) as typeof amount) : money(step.fee),
    ...(feeAsset === '' ? {} : { feeAsset, feeQuantity: quantity(withheld) }),
  });
  remember(scenario, received.asset, row);
  add(scenario, account, given.asset, -units);
  add(scenario, account, received.asset, feeAsset === received.asset ? receivedUnits - withheld : receivedUnits);
  if (feeAsset === 'SOL') add(scenario, account, 'SOL', -withheld);
}

function isCoin(assetClass: AssetClass): boolean {
  return assetClass === 'crypto' || assetClass === 'nft';
}

/** Reverses one of the latest trades. */
export function reversal(scenario: Scenario, step: Step): void {
  const reversed = [
    'buy',
    'reinvest',
    'espp_purchase',
    'sell',
    'buy_to_open',
    'staking',
    'mining',
    'airdrop',
    'reward',
    'wages',
    'interest',
  ];
  const trades = scenario.rows.filter((row) => reversed.includes(row.type));
  const row = trades.at(-1 - (step.other % 3));
  if (row === undefined || row.amount === null || row.quantity === null || row.amount < 0n) return;
  const { type, account, asset, assetClass, fee, currency } = row;
  const amount = -row.amount as typeof row.amount;
  addRow(scenario, { type, account, asset, assetClass, quantity: row.quantity, amount, fee, currency });
  if (type !== 'sell') add(scenario, account, asset, -row.quantity);
}
