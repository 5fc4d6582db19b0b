import { type Day, formatDay, type Instant, parseDay, toInstant, yearOf } from '../../src/base/day.ts';
import {
  type Cents,
  formatCents,
  formatQuantity,
  type Money,
  parseMoney,
  parseQuantity,
  type Quantity,
} from '../../src/base/decimal.ts';
import { resolveAssetClass } from '../../src/engine/events/classes.ts';
import { listAssetKeys } from '../../src/engine/events/keys.ts';
import {
  type AssetClass,
  assetClasses,
  boxes,
  type Fact,
  type Income,
  type Issue,
  type Line,
  type Lot,
  type Ratio,
  type Rules,
  type TaxYearSummary,
  type Transaction,
  transactionTypes,
} from '../../src/engine/model.ts';
import { emptyBook, openLots, replay } from '../../src/engine/replay.ts';
import { buildLines, summarize } from '../../src/engine/rules/year/year.ts';
import { typesWhere } from '../../src/engine/transaction-types.ts';
import { unstatedMembers } from '../../src/engine/unstated-members.ts';
import { defaultRules } from './golden.ts';

/** The results of a history: all its facts, netted and sorted. */
export interface Books {
  readonly facts: readonly Fact[];
  readonly lines: readonly Line[];
  readonly lots: readonly Lot[];
  readonly issues: readonly Issue[];
  readonly incomes: readonly Income[];
  readonly summaries: readonly TaxYearSummary[];
}

/** Runs one replay from the empty book, over all the assets in the history. */
export function replayAll(transactions: readonly Transaction[], rules: Rules): Books {
  const keys = new Set(transactions.flatMap(listAssetKeys));
  const { book, facts } = replay(emptyBook(), transactions, rules, keys);
  const disposals = facts.filter((fact) => fact.kind === 'disposal');
  const washes = facts.filter((fact) => fact.kind === 'wash');
  const incomes = facts.filter((fact) => fact.kind === 'income');
  const contracts = facts.filter((fact) => fact.kind === 'contract_1256');
  const issues = facts.filter((fact) => fact.kind === 'issue');
  const years = [...new Set(facts.map((fact) => yearOf(fact.on)))].sort((a, b) => a - b);
  const summaries = years.map((year) => {
    const own = <T extends Fact>(all: readonly T[]): T[] => all.filter((fact) => yearOf(fact.on) === year);
    return summarize(year, {
      disposals: own(disposals),
      washes: own(washes),
      incomes: own(incomes),
      contracts: own(contracts),
      issues: own(issues),
    });
  });
  return { facts, lines: buildLines(disposals, washes), lots: openLots(book), issues, incomes, summaries };
}

/**
 * Parses a history in words, one row per line:
 *
 * b1: buy 2024-01-02 10 X @1000 fee 5 in BRK1
 * s1: sell 2024-06-03T10:00:00Z 4 X @500 in BRK1 lots b1:4
 * x1: split 2024-06-03 X ratio 2:1
 *
 * The name before the colon is the row's id, and `@` precedes the amount. Other columns are stated by name, such as
 * `class fund`. The default class is stock, and the default account is BRK1.
 */
export function history(text: string): Transaction[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line, index) => rowOf(line, index + 1));
}

/** Returns the books for a history written in words. */
export function books(text: string, rules: Partial<Rules> = {}): Books {
  return replayAll(history(text), { ...defaultRules, ...rules });
}

/**
 * Formats a line as `2024-06-03 4 X: 500.00 - 400.00 W 10.00 = 110.00 short`: date, quantity and asset, (d), (e), (f),
 * (g), (h), term.
 */
export function lineWords({ disposal, code, adjustment, gain }: Line): string {
  const washed = code === '' ? '' : ` ${code} ${formatCents(adjustment)}`;
  return (
    `${formatDay(disposal.on)} ${formatQuantity(disposal.quantity)} ${disposal.asset}: ${formatCents(disposal.proceeds)} - ` +
    `${formatCents(disposal.basis)}${washed} = ${formatCents(gain)} ${disposal.term}`
  );
}

/** Formats a lot as `10 X in BRK1 2024-01-02 1000.00`, with `since` if the holding period starts on another day. */
export function lotWords(lot: Lot): string {
  const since = lot.heldSince === lot.acquired ? '' : ` since ${formatDay(lot.heldSince)}`;
  const acquired = lot.inherited ? 'INHERITED' : formatDay(lot.acquired);
  return `${formatQuantity(lot.quantity)} ${lot.asset} in ${lot.account} ${acquired}${since} ${formatCents(lot.basis)}`;
}

function rowOf(line: string, number: number): Transaction {
  const [, label = '', rest = ''] = /^(?:([\w-]+): )?(.*)$/.exec(line) ?? [];
  const [type = '', date = '', ...words] = rest.split(' ');
  const columns = columnsOf(words);
  const asset = columns.get('asset') ?? '';
  const known = transactionTypes.find((one) => one === type);
  if (known === undefined) throw new Error(`no such type: ${line}`);
  const stated = assetClasses.find((one) => one === columns.get('class')) ?? null;
  const { on, at } = timeOf(date);
  const underlying = columns.get('underlying') ?? '';
  return {
    id: `t${String(number).padStart(4, '0')}`,
    line: number,
    type: known,
    at,
    on,
    account: columns.get('in') ?? (everywhere.has(known) ? '' : 'BRK1'),
    asset,
    assetClass: resolveAssetClass(
      { ...unstatedMembers, type: known, asset, assetClass: stated, underlying },
      { accounts: {} },
      sourceClass(asset),
    ),
    quantity: quantityOf(columns.get('quantity')),
    amount: moneyOf(columns.get('amount')),
    fee: moneyOf(columns.get('fee')),
    currency: columns.get('currency') ?? 'USD',
    receivedAsset: columns.get('for') ?? '',
    receivedQuantity: quantityOf(columns.get('received')),
    feeAsset: columns.get('feeasset') ?? '',
    feeQuantity: quantityOf(columns.get('feequantity')),
    feeOwn: moneyOf(columns.get('feeown')),
    toAccount: columns.get('to') ?? '',
    acquired: dayOrNull(columns.get('acquired')),
    basis: moneyOf(columns.get('basis')),
    fmv: moneyOf(columns.get('fmv')),
    ratio: ratioOf(columns.get('ratio')),
    lots: (columns.get('lots') ?? '').split(';').flatMap(choiceOf),
    identifiedAt: columns.has('identified') ? timeOf(columns.get('identified') ?? '').at : null,
    shares: quantityOf(columns.get('shares')),
    underlying,
    right: columns.get('right') === 'call' ? 'call' : columns.get('right') === 'put' ? 'put' : null,
    box: boxes.find((one) => one === columns.get('box')) ?? null,
    wash: moneyOf(columns.get('wash')),
    term: columns.get('term') === 'long' ? 'long' : columns.get('term') === 'short' ? 'short' : null,
    maturity: dayOrNull(columns.get('maturity')),
    accruedInterest: moneyOf(columns.get('accrued')),
    marketDiscount: moneyOf(columns.get('discount')),
    statedGain: moneyOf(columns.get('gain')),
    offered: dayOrNull(columns.get('offered')),
    discount: moneyOf(columns.get('offerdiscount')),
    wages: moneyOf(columns.get('wages')),
    externalId: label,
    note: '',
  };
}

const everywhere: ReadonlySet<string> = typesWhere((row) => row.everyAccount);
const named: ReadonlySet<string> = new Set(
  (
    'in class fee currency for received feeasset feequantity feeown to acquired basis fmv ratio lots identified shares ' +
    'underlying right wash term box maturity accrued discount offered offerdiscount wages'
  ).split(' '),
);

/** Returns the class of the coins used in tests, so that rows need not state it. */
function sourceClass(asset: string): AssetClass | null {
  return ['BTC', 'ETH', 'BNB', 'SOL'].includes(asset) ? 'crypto' : null;
}

/** Parses `10 X @1000 in BRK1`: a quantity, an asset (an option contains spaces), an amount, then names and values. */
function columnsOf(words: readonly string[]): Map<string, string> {
  const columns = new Map<string, string>();
  const asset: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (named.has(word)) columns.set(word, words[++at] ?? '');
    else if (word.startsWith('@')) columns.set('amount', word.slice(1));
    else if (asset.length === 0 && /^-?[\d.]+$/.test(word)) columns.set('quantity', word);
    else asset.push(word);
  }
  return columns.set('asset', asset.join(' '));
}

function timeOf(text: string): { on: Day; at: Instant | null } {
  const on = parseDay(text.slice(0, 10));
  if (on === undefined) throw new Error(`invalid date: ${text}`);
  const time = /T(\d{2}):(\d{2}):(\d{2})Z$/.exec(text);
  if (time === null) return { on, at: null };
  const seconds = Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3]);
  return { on, at: toInstant(on, seconds * 1_000_000, 'UTC') };
}

function dayOrNull(text: string | undefined): Day | null {
  return text === undefined ? null : timeOf(text).on;
}

function moneyOf(text: string | undefined): Money | null {
  return text === undefined ? null : (parseMoney(text) ?? null);
}

function quantityOf(text: string | undefined): Quantity | null {
  return text === undefined ? null : (parseQuantity(text) ?? null);
}

function ratioOf(text: string | undefined): Ratio | null {
  if (text === undefined) return null;
  const [left = '', right = '1'] = text.split(':');
  return { numerator: parseQuantity(left) ?? 0n, denominator: parseQuantity(right) ?? 1n };
}

function choiceOf(text: string): Transaction['lots'][number][] {
  const [label = '', units = ''] = text.split(':');
  const quantity = parseQuantity(units);
  return label === '' || quantity === undefined ? [] : [{ label, quantity }];
}

/** Returns the dollars at stake in an issue. */
export function stakeText(dollars: Cents | null): string {
  return dollars === null ? 'unknown' : formatCents(dollars);
}
