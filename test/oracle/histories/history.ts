import { addDays, type Day, dayOf, type Instant } from '../../../src/base/day.ts';
import type { Money, Quantity } from '../../../src/base/decimal.ts';
import type { AssetClass, LotChoice, Transaction } from '../../../src/engine/model.ts';
import type { Step } from './generate.ts';
import { rowsOf } from './steps.ts';

export type History = readonly Transaction[];

export const accounts = ['A1', 'A2', 'SP', 'IRA'] as const;
export const call = 'AAA 2027-01-15 C 20';
export const put = 'AAA 2027-01-15 P 20';
const securities = ['AAA', 'AAA', 'BBB', 'FND', 'TKN', 'BND'] as const;
const coins = ['BTC', 'ETH', 'BTC', 'ETH', 'PUNK', 'SOL'] as const;

/** The history so far, with approximate holdings that suffice to draw a plausible next row. */
export interface Scenario {
  readonly rows: Transaction[];
  readonly held: Map<string, bigint>;
  readonly shorted: Map<string, bigint>;
  readonly labels: Map<string, string[]>;
  readonly names: Map<string, string>;
  on: Day;
  at: Instant | null;
  file: number;
  currency: Step['currency'];
}

export const oneUnit = 10n ** 18n;

/** Returns steps as transactions. `start` is days after December 1, 2023. */
export function historyOf(start: number, steps: readonly Step[]): History {
  const first = dayOf(2023, 12, 1) ?? (0 as Day);
  const scenario: Scenario = {
    rows: [],
    held: new Map(),
    shorted: new Map(),
    labels: new Map(),
    names: new Map(),
    on: addDays(first, start),
    at: null,
    file: 0,
    currency: 'USD',
  };
  for (const step of steps) {
    scenario.on = addDays(scenario.on, step.gap);
    scenario.at = step.time === null ? null : ((scenario.on * 86_400_000_000 + step.time * 1_000_000) as Instant);
    scenario.file = step.other;
    scenario.currency = step.currency;
    rowsOf(scenario, step);
  }
  return scenario.rows;
}

export const blank: Omit<Transaction, 'id' | 'line' | 'type' | 'at' | 'on' | 'externalId'> = {
  account: '',
  asset: '',
  assetClass: 'stock',
  quantity: null,
  amount: null,
  fee: null,
  currency: 'USD',
  receivedAsset: '',
  receivedQuantity: null,
  feeAsset: '',
  feeQuantity: null,
  feeOwn: null,
  toAccount: '',
  acquired: null,
  basis: null,
  fmv: null,
  offered: null,
  discount: null,
  wages: null,
  ratio: null,
  lots: [],
  identifiedAt: null,
  shares: null,
  underlying: '',
  right: null,
  box: null,
  wash: null,
  term: null,
  maturity: null,
  accruedInterest: null,
  marketDiscount: null,
  statedGain: null,
  note: '',
};

/** Adds a row at the current day and hour. */
export function addRow(scenario: Scenario, row: Partial<Transaction> & Pick<Transaction, 'type'>): Transaction {
  const index = scenario.rows.length + 1;
  // Makes the rows look as if they came from a dozen files, so that lines in one file give no context for each other.
  const line = scenario.file * 1000 + index;
  const name = String(index).padStart(3, '0');
  const { on, at, currency } = scenario;
  const transaction: Transaction = { ...blank, id: `x${name}`, line, externalId: `r${name}`, on, at, currency, ...row };
  scenario.rows.push(transaction);
  return transaction;
}

export function securityOf(scenario: Scenario, step: Step): { asset: string; assetClass: AssetClass } {
  const first = securities[step.asset] ?? 'AAA';
  return { asset: scenario.names.get(first) ?? first, assetClass: classOf(first) };
}

export function coinOf(index: number): { asset: string; assetClass: AssetClass } {
  const asset = coins[index] ?? 'BTC';
  return { asset, assetClass: asset === 'PUNK' ? 'nft' : 'crypto' };
}

function classOf(asset: string): AssetClass {
  if (asset === 'FND') return 'fund';
  if (asset === 'BND') return 'bond';
  return asset === 'TKN' ? 'tokenized_security' : 'stock';
}

export function accountOf(index: number): string {
  return accounts[index] ?? 'A1';
}

export function money(cents: number, subCents = 0): Money {
  return (BigInt(cents) * 1_000_000n + BigInt(subCents) * 1_000n) as Money;
}

export function quantity(value: bigint): Quantity {
  return value as Quantity;
}

/** Returns mostly whole shares, and sometimes units with all their decimals. */
export function unitsOf(step: Step, assetClass: AssetClass): bigint {
  const whole = BigInt(step.quantity) * oneUnit;
  if (assetClass === 'crypto') return step.dice === 0 ? whole / 7n : whole / 1000n;
  if (assetClass === 'nft') return BigInt(1 + (step.quantity % 3)) * oneUnit;
  return step.dice === 11 ? whole / 3n : whole;
}

/** Returns the cost of units. A bond is priced near a hundred dollars per hundred of face. */
export function costOf(units: bigint, step: Step, assetClass?: AssetClass): Money {
  const price = assetClass === 'bond' ? step.price * 9 : step.price;
  return (money(Math.max(1, Math.round((Number(units / 10n ** 12n) / 1e6) * price)), step.subCents) + 0n) as Money;
}

export function heldIn(scenario: Pick<Scenario, 'held'>, account: string, asset: string): bigint {
  return scenario.held.get(`${account} ${asset}`) ?? 0n;
}

export function add(scenario: Pick<Scenario, 'held'>, account: string, asset: string, units: bigint): void {
  const now = heldIn(scenario, account, asset) + units;
  scenario.held.set(`${account} ${asset}`, now < 0n ? 0n : now);
}

/** Returns all of the holding, a part of it, or more than is held. */
export function partOf(held: bigint, step: Step): bigint {
  if (held <= 0n) return step.part === 9 ? oneUnit : 0n;
  if (step.part === 9) return held + oneUnit;
  if (step.part <= 1) return held;
  return held / BigInt(step.part);
}

export function remember(scenario: Scenario, asset: string, row: Transaction): void {
  scenario.labels.set(asset, [...(scenario.labels.get(asset) ?? []), row.externalId]);
}

/** Returns when lots were identified: not stated, or near the sale, the end of its day, or its settlement. */
export function identificationOf(scenario: Scenario, step: Step): Instant | null {
  const day = 86_400_000_000;
  const midnight = scenario.on * day;
  const sale = scenario.at ?? midnight;
  const moments = [sale, sale + 1_000_000, sale - day, midnight + day - 1, midnight + day, midnight + 2 * day - 1];
  const late = [midnight + 2 * day, midnight + 3 * day, midnight + 4 * day - 1, midnight + 40 * day];
  const chosen = [...moments, ...late][(step.quantity + step.dice) % 20];
  return chosen === undefined ? null : (chosen as Instant);
}

/** Names one or two of the rows that opened lots of the asset. They may have too few units or be in another account. */
export function chooseLots(scenario: Scenario, asset: string, units: bigint, step: Step): LotChoice[] {
  const labels = scenario.labels.get(asset) ?? [];
  const first = labels[step.other % Math.max(1, labels.length)];
  const second = labels[step.dice % Math.max(1, labels.length)];
  if (first === undefined || second === undefined) return [];
  if (first === second || units < 2n) return [{ label: first, quantity: quantity(units) }];
  const half = units / 2n;
  return [
    { label: first, quantity: quantity(half) },
    { label: second, quantity: quantity(units - half) },
  ];
}
