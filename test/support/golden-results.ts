import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cells } from './books.ts';

/** The golden cases outside this project, and the parts of a result that are compared with them. */

const shared = process.env.LOTBOOK_SHARED ?? join(dirname(fileURLToPath(import.meta.url)), '../../../shared');
const goldenFolder = join(shared, 'golden');

/** A case as the files that a client sends. */
export interface GoldenFiles {
  readonly csv: string;
  readonly settings: string;
  readonly expected: Expected;
}

interface Expected {
  readonly disposals: readonly Cells[];
  readonly open_lots: readonly Cells[];
  readonly summary: Cells;
}

/** Returns the ids of cases with a file to import. */
export function goldenIds(): string[] {
  if (!existsSync(goldenFolder)) {
    console.log('The golden cases are missing (../shared/golden), so nothing is compared.');
    return [];
  }
  const files = readdirSync(goldenFolder).filter((name) => name.endsWith('.csv'));
  return files.map((name) => name.slice(0, -'.csv'.length)).sort();
}

export function goldenFiles(id: string): GoldenFiles {
  const file = JSON.parse(read(`${id}.json`)) as { expected: Partial<Expected> };
  return {
    csv: read(`${id}.csv`),
    settings: read(`${id}.settings.json`),
    expected: { disposals: [], open_lots: [], summary: {}, ...file.expected },
  };
}

function read(name: string): string {
  return readFileSync(join(goldenFolder, name), 'utf8');
}

/** Lines, lots and totals of a result. */
export interface GoldenResult {
  readonly disposals: readonly Cells[];
  readonly lots: readonly Cells[];
  readonly summaries: readonly Summary[];
}

export interface Summary {
  readonly shortTerm: { readonly gain: string };
  readonly longTerm: { readonly gain: string };
  readonly washSaleDisallowed: string;
  readonly washSalePermanent: string;
  readonly income: readonly { readonly amount: string }[];
}

/** Returns the parts of a result that the case covers, as text. It equals `expectedTexts` if the result is correct. */
export function resultTexts({ disposals, lots, summaries }: GoldenResult, expected: Expected) {
  const oriented = expected.open_lots.some((lot) => lot.note !== undefined);
  return {
    disposals: disposals.map((line) => lineText(line, expected.disposals[0])).sort(),
    lots: lots.map((lot) => lotText(lot, oriented)).sort(),
    summary: totalsOf(summaries, Object.keys(expected.summary)),
  };
}

export function expectedTexts(expected: Expected) {
  const oriented = expected.open_lots.some((lot) => lot.note !== undefined);
  return {
    disposals: expected.disposals.map((line) => expectedLine(line, expected.disposals[0])).sort(),
    lots: expected.open_lots.map((lot) => expectedLot(lot, oriented)).sort(),
    summary: expected.summary,
  };
}

const memberOf: Cells = { symbol: 'asset', short_sale: 'shortSale', holding_date: 'heldSince' };
/** This fact belongs to the form, not to the line. The tests of forms cover it. */
const notInAnswer = new Set(['column_d', 'column_e', 'description', 'holding_date']);

function expectedLine(line: Cells, pattern: Cells | undefined): string {
  const names = Object.keys(pattern ?? {}).filter((name) => !notInAnswer.has(name));
  return names
    .sort()
    .map((name) => `${name}=${line[name]}`)
    .join(' ');
}

function lineText(line: Cells, pattern: Cells | undefined): string {
  const cells = Object.fromEntries(
    Object.keys(pattern ?? line).map((name) => [name, line[memberOf[name] ?? name] ?? '']),
  );
  return expectedLine(cells, cells);
}

function lotText(lot: Cells, oriented: boolean): string {
  return [lot.asset, lot.account, lot.quantity, lot.acquired, oriented ? '' : lot.heldSince, lot.basis].join(' ');
}

function expectedLot(lot: Cells, oriented: boolean): string {
  return [lot.symbol, lot.account, lot.quantity, lot.acquired, oriented ? '' : lot.holding_date, lot.basis].join(' ');
}

function totalsOf(summaries: readonly Summary[], names: readonly string[]): Cells {
  const sum = (pick: (summary: Summary) => readonly string[]): string => {
    const cents = summaries.flatMap(pick).reduce((total, amount) => total + Number(amount.replace('.', '')), 0);
    return `${cents < 0 ? '-' : ''}${(Math.abs(cents) / 100).toFixed(2)}`;
  };
  const known: Cells = {
    st_gain: sum((summary) => [summary.shortTerm.gain]),
    lt_gain: sum((summary) => [summary.longTerm.gain]),
    wash_disallowed: sum((summary) => [summary.washSaleDisallowed]),
    wash_permanent: sum((summary) => [summary.washSalePermanent]),
    ordinary_income: sum((summary) => summary.income.map(({ amount }) => amount)),
  };
  return Object.fromEntries(names.map((name) => [name, known[name] ?? 'not compared']));
}
