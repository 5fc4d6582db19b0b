import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Day, type Instant, parseDay, toInstant } from '../../src/base/day.ts';
import { parseMoney, parseQuantity } from '../../src/base/decimal.ts';
import type { AssetClass, LotChoice, Ratio, Rules, Transaction, TransactionType } from '../../src/engine/model.ts';
import { assetClasses, boxes, transactionTypes } from '../../src/engine/model.ts';

/** The golden cases outside this project: transactions, settings and expected results. */
export interface GoldenCase {
  readonly id: string;
  readonly name: string;
  readonly transactions: readonly Transaction[];
  readonly rules: Rules;
  readonly expected: GoldenExpectation;
}

export interface GoldenExpectation {
  readonly disposals: readonly Readonly<Record<string, string | boolean>>[];
  readonly open_lots: readonly Readonly<Record<string, string>>[];
  readonly summary: Readonly<Record<string, string>>;
}

const shared = process.env.LOTBOOK_SHARED ?? join(dirname(fileURLToPath(import.meta.url)), '../../../shared');
const folder = join(shared, 'golden');

export const defaultRules: Rules = {
  method: 'FIFO',
  methodByAccount: {},
  methodFrom: [],
  digitalAssetScopeBefore2025: 'per_wallet',
  washSales: 'securities_and_tokenized',
  accounts: {},
};

/** Returns all cases that have a `.csv`. If the material is missing, prints a message and returns none. */
export function goldenCases(): GoldenCase[] {
  if (!existsSync(folder)) {
    console.log('The golden cases are missing (../shared/golden), so nothing is compared.');
    return [];
  }
  const ids = readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .map((name) => name.slice(0, -4))
    .sort();
  return ids.map((id) => {
    const file = JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8'));
    const settings = JSON.parse(readFileSync(join(folder, `${id}.settings.json`), 'utf8'));
    return {
      id,
      name: file.name,
      transactions: readTransactions(readFileSync(join(folder, `${id}.csv`), 'utf8')),
      rules: { ...defaultRules, ...settings },
      expected: { disposals: [], open_lots: [], summary: {}, ...file.expected },
    };
  });
}

/** Reads plain Lotbook CSV, as used by the cases: no quotes and no other delimiters. */
export function readTransactions(csv: string): Transaction[] {
  const [header = '', ...lines] = csv.split(/\r?\n/).filter((line) => line !== '');
  const names = header.split(',');
  return lines.map((line, index) => {
    const cells = line.split(',');
    return transactionOf((name) => cells[names.indexOf(name)] ?? '', index + 2);
  });
}

function transactionOf(cell: (name: string) => string, line: number): Transaction {
  const type = cell('type');
  const money = (name: string) => (cell(name) === '' ? null : (parseMoney(cell(name)) ?? null));
  const quantity = (name: string) => (cell(name) === '' ? null : (parseQuantity(cell(name)) ?? null));
  if (!isOneOf(transactionTypes, type)) throw new Error(`line ${line}: type ${type}`);
  const { on, at } = dateOf(cell('date'));
  return {
    id: `t${String(line).padStart(6, '0')}`,
    line,
    type: type satisfies TransactionType,
    at,
    on,
    account: cell('account'),
    asset: cell('asset'),
    assetClass: assetClassOf(cell('asset_class')),
    quantity: quantity('quantity'),
    amount: money('amount'),
    fee: money('fee'),
    currency: cell('currency') || 'USD',
    receivedAsset: cell('received_asset'),
    receivedQuantity: quantity('received_quantity'),
    feeAsset: cell('fee_asset'),
    feeQuantity: quantity('fee_quantity'),
    feeOwn: money('fee_own'),
    toAccount: cell('to_account'),
    acquired: cell('acquired') === '' ? null : dateOf(cell('acquired')).on,
    basis: money('basis'),
    fmv: money('fmv'),
    ratio: ratioOf(cell('ratio')),
    lots: lotsOf(cell('lots')),
    identifiedAt: instantIn(cell('identified_at')),
    shares: quantity('shares'),
    underlying: cell('underlying'),
    right: cell('right') === 'call' ? 'call' : cell('right') === 'put' ? 'put' : null,
    box: boxes.find((one) => one === cell('box')) ?? null,
    wash: money('wash'),
    term: cell('term') === 'short' ? 'short' : cell('term') === 'long' ? 'long' : null,
    maturity: cell('maturity') === '' ? null : dateOf(cell('maturity')).on,
    accruedInterest: money('accrued_interest'),
    marketDiscount: money('market_discount'),
    statedGain: money('stated_gain'),
    offered: cell('offered') === '' ? null : dateOf(cell('offered')).on,
    discount: money('discount'),
    wages: money('wages'),
    externalId: cell('id'),
    note: cell('note'),
  };
}

function isOneOf<T extends string>(list: readonly T[], text: string): text is T {
  return (list as readonly string[]).includes(text);
}

function assetClassOf(text: string): AssetClass {
  return isOneOf(assetClasses, text) ? text : 'stock';
}

/** Parses `YYYY-MM-DD`, optionally followed by a UTC time of day. */
function dateOf(text: string): { on: Day; at: Instant | null } {
  const on = parseDay(text.slice(0, 10));
  if (on === undefined) throw new Error(`invalid date: ${text}`);
  const time = /[T ](\d{2}):(\d{2}):(\d{2})/.exec(text);
  if (time === null) return { on, at: null };
  const seconds = Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3]);
  return { on, at: toInstant(on, seconds * 1_000_000, 'UTC') };
}

/** Parses an instant. A day without a time is midnight UTC. */
function instantIn(text: string): Instant | null {
  if (text === '') return null;
  const { on, at } = dateOf(text);
  return at ?? toInstant(on, 0, 'UTC');
}

/** Parses `3:1`, or a decimal. */
function ratioOf(text: string): Ratio | null {
  if (text === '') return null;
  const [left = '', right = '1'] = text.split(':');
  const scaled = (part: string): bigint => parseQuantity(part) ?? 0n;
  return { numerator: scaled(left), denominator: scaled(right) };
}

function lotsOf(text: string): LotChoice[] {
  return text
    .split(';')
    .filter((choice) => choice !== '')
    .map((choice) => {
      const [label = '', units = ''] = choice.split(':');
      return { label, quantity: parseQuantity(units) ?? (0n as LotChoice['quantity']) };
    });
}
