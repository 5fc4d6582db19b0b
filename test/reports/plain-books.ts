import { formatDay } from '../../src/base/day.ts';
import type { Cents, Quantity } from '../../src/base/decimal.ts';
import { disposalWith, noLimb, PlainDisposal } from '../../src/engine/book/plain-disposal.ts';
import type { Line, Totals } from '../../src/engine/model.ts';
import type { ReportBooks } from '../../src/forms/report.ts';
import { cents, day, lot, money } from '../messages/plain-view.ts';

/** Creates 2024 books with the given number of lines, each with a gain of one dollar. */
export function plainBooks(lines: number, more: Partial<ReportBooks> = {}): ReportBooks {
  const totals = totalsOf(lines);
  return {
    taxpayer: { name: 'Zoë #1 Müller', tin: '#12' },
    year: 2024,
    revision: 'r1',
    asOf: '2025-01-01T00:00:00Z',
    rules: {
      method: 'FIFO',
      methodByAccount: {},
      methodFrom: [],
      digitalAssetScopeBefore2025: 'per_wallet',
      washSales: 'securities_and_tokenized',
      accounts: {},
    },
    wholeDollars: false,
    filingStatus: 'single',
    taxableIncome: money('50000'),
    carryoverIn: { short: cents(0), long: cents(0) },
    summary: {
      year: 2024,
      shortTerm: totals,
      longTerm: totalsOf(0),
      total: totals,
      missingBasis: totalsOf(0),
      washSaleDisallowed: cents(0),
      washSalePermanent: cents(0),
      boxes: [{ box: 'C', ...totals }],
      assets: [{ asset: 'AAPL', assetClass: 'stock', ...totals }],
      accountBoxes: [{ account: 'Schwab', box: 'C', count: lines }],
      income: [],
      contracts1256: { gain: cents(0), short: cents(0), long: cents(0), count: 0 },
      issues: 0,
    },
    lines: Array.from({ length: lines }, (_, index) => lineOf(index)),
    washSales: [],
    incomes: [],
    contracts: [],
    issues: [],
    openLots: [lot('10 AAPL 2024-01-02 @1000')],
    reported: [],
    deferrals: [],
    fundInterests: [],
    gifts: [],
    sources: new Map([['t1', { file: 'schwab.csv', line: 2 }]]),
    ...more,
  };
}

function lineOf(index: number): Line {
  const [on, acquired] = [day('2024-06-03'), day('2024-01-02')];
  const common = {
    account: 'Schwab',
    asset: 'AAPL',
    assetClass: 'stock',
    term: 'short',
    box: 'C',
    boxReason: `Sold ${formatDay(on)}: no form is known.`,
  } as const;
  const share = (10n ** 18n) as Quantity;
  const [proceeds, basis] = [cents(101), cents(100)];
  const [saleId, lotId] = [`t${index}`, `b${index}/0`];
  const plain = new PlainDisposal(
    common,
    saleId,
    0,
    lotId,
    on,
    acquired,
    acquired,
    share,
    noLimb,
    proceeds,
    basis,
    'default',
  );
  const disposal = disposalWith(plain, { id: `t${index}/0` });
  return { disposal, code: '', adjustment: cents(0), gain: cents(1) };
}

function totalsOf(lines: number): Totals {
  const times = (dollars: number): Cents => (cents(dollars) * BigInt(lines)) as Cents;
  return { proceeds: times(101), basis: times(100), adjustment: cents(0), gain: times(1), count: lines };
}
