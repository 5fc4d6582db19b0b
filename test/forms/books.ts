import Papa from 'papaparse';
import { type Day, parseDay } from '../../src/base/day.ts';
import { type Cents, parseMoney, parseQuantity, type Quantity, roundToCents } from '../../src/base/decimal.ts';
import { disposalWith, noLimb, PlainDisposal } from '../../src/engine/book/plain-disposal.ts';
import type { Box, Disposal, Line, Rules, TaxYearSummary, Term, Totals } from '../../src/engine/model.ts';
import { boxOrder } from '../../src/forms/lines.ts';
import type { ReportBooks } from '../../src/forms/report.ts';

/** Creates report books from the notation of forms, for the tests in this folder. */

export interface LineWords {
  readonly asset?: string;
  readonly assetClass?: Disposal['assetClass'];
  readonly quantity?: string;
  readonly acquired?: string;
  readonly heldSince?: string;
  readonly sold?: string;
  readonly proceeds?: string;
  readonly basis?: string;
  readonly code?: string;
  readonly adjustment?: string;
  readonly box?: Box;
  readonly id?: string;
  readonly more?: Partial<Disposal>;
}

let counter = 0;

export function line(words: LineWords = {}): Line {
  counter += 1;
  const box = words.box ?? 'C';
  const proceeds = cents(words.proceeds ?? '1000.00');
  const basis = cents(words.basis ?? '900.00');
  const adjustment = cents(words.adjustment ?? '0');
  const acquired = day(words.acquired ?? '2024-02-01');
  const id = words.id ?? `sale${counter}/0`;
  const sold = day(words.sold ?? '2024-06-03');
  const common = {
    account: 'BRK1',
    asset: words.asset ?? 'XYZ',
    assetClass: words.assetClass ?? ('GHIJKL'.includes(box) ? 'crypto' : 'stock'),
    term: termOf(box),
    box,
    boxReason: 'no form was received',
  } as const;
  const saleId = id.split('/')[0] ?? id;
  const lotId = `lot${counter}/0`;
  const units = quantity(words.quantity ?? '100');
  const plain = new PlainDisposal(
    common,
    saleId,
    0,
    lotId,
    sold,
    acquired,
    acquired,
    units,
    noLimb,
    proceeds,
    basis,
    'default',
  );
  const disposal = disposalWith(plain, {
    id,
    heldSince: words.heldSince === undefined ? acquired : day(words.heldSince),
    ...words.more,
  });
  return { disposal, code: words.code ?? '', adjustment, gain: (proceeds - basis + adjustment) as Cents };
}

export function books(year: number, lines: readonly Line[], more: Partial<ReportBooks> = {}): ReportBooks {
  return {
    taxpayer: { name: 'Ann & Bob Lee', tin: '123-45-6789' },
    year,
    revision: '7',
    asOf: '2026-02-14T10:00:00Z',
    rules,
    wholeDollars: false,
    filingStatus: 'single',
    taxableIncome: null,
    carryoverIn: { short: 0n as Cents, long: 0n as Cents },
    summary: { ...summaryOf(year, lines), issues: more.issues?.length ?? 0 },
    lines,
    washSales: [],
    incomes: [],
    contracts: [],
    issues: [],
    openLots: [],
    reported: [],
    deferrals: [],
    fundInterests: [],
    gifts: [],
    sources: new Map(lines.map(({ disposal }, index) => [disposal.saleId, { file: 'trades.csv', line: index + 2 }])),
    ...more,
  };
}

export const rules: Rules = {
  method: 'FIFO',
  methodByAccount: {},
  methodFrom: [],
  digitalAssetScopeBefore2025: 'per_wallet',
  washSales: 'securities_and_tokenized',
  accounts: {},
};

export function summaryOf(year: number, lines: readonly Line[]): TaxYearSummary {
  const of = (wanted: (line: Line) => boolean): Totals => total(lines.filter(wanted));
  const byAsset = [...Map.groupBy(lines, ({ disposal }) => disposal.asset)];
  return {
    year,
    shortTerm: of((one) => one.disposal.term === 'short'),
    longTerm: of((one) => one.disposal.term === 'long'),
    total: total(lines),
    missingBasis: of((one) => one.disposal.basisUnknown),
    washSaleDisallowed: 0n as Cents,
    washSalePermanent: 0n as Cents,
    boxes: boxOrder.map((box) => ({ box, ...of((one) => one.disposal.box === box) })).filter((box) => box.count > 0),
    assets: byAsset.map(([asset, own]) => ({ asset, assetClass: 'stock', ...total(own) })),
    accountBoxes: accountBoxesOf(lines),
    income: [],
    contracts1256: { gain: 0n as Cents, short: 0n as Cents, long: 0n as Cents, count: 0 },
    issues: 0,
  };
}

function accountBoxesOf(lines: readonly Line[]): TaxYearSummary['accountBoxes'] {
  const groups = Map.groupBy(lines, ({ disposal: { account, box } }) => `${account} ${box}`);
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ account: first.disposal.account, box: first.disposal.box, count: own.length }];
  });
}

export function day(text: string): Day {
  const parsed = parseDay(text);
  if (parsed === undefined) throw new Error(`invalid date: ${text}`);
  return parsed;
}

export function cents(text: string): Cents {
  const parsed = parseMoney(text);
  if (parsed === undefined) throw new Error(`invalid amount: ${text}`);
  return roundToCents(parsed);
}

export function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (parsed === undefined) throw new Error(`invalid quantity: ${text}`);
  return parsed;
}

export async function readBytes(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunks) parts.push(new Uint8Array(chunk));
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export async function readText(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readBytes(chunks));
}

function termOf(box: Box): Term {
  return 'ABCGHI'.includes(box) ? 'short' : 'long';
}

function total(lines: readonly Line[]): Totals {
  const sum = (of: (line: Line) => bigint): Cents => lines.reduce((all, one) => all + of(one), 0n) as Cents;
  return {
    proceeds: sum((one) => one.disposal.proceeds),
    basis: sum((one) => one.disposal.basis),
    adjustment: sum((one) => one.adjustment),
    gain: sum((one) => one.gain),
    count: lines.length,
  };
}

/** Returns the records of a CSV by the names of its columns, so that a test does not depend on their order. */
export function recordsOf(csv: string): Record<string, string | undefined>[] {
  return Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data;
}
