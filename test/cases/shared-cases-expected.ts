import { expect } from 'bun:test';

/** The parts of a year's JSON report that the checks below use. Amounts are decimal strings in dollars. */
export interface CaseReport {
  readonly lines: readonly CaseRow[];
  readonly openLots: readonly CaseRow[];
  readonly incomes: readonly CaseRow[];
  readonly contracts1256: readonly CaseRow[];
  readonly issues: readonly CaseIssue[];
}

type CaseRow = Readonly<Record<string, string>>;

interface CaseIssue {
  readonly kind: string;
  readonly dollars: string | null;
  readonly detail: string;
}

/** The reports by year, or the question with which the file is refused. */
export type CaseOutcome = { readonly reports: ReadonlyMap<number, CaseReport> } | { readonly asked: string };

interface FileCase {
  readonly years: readonly number[];
  readonly check: (outcome: CaseOutcome) => void;
}

/**
 * Cases that may raise a question instead of producing the expected lines, each with a pattern for the kind, dollars
 * and text of the question.
 */
export const askingCases: Readonly<Record<string, RegExp>> = {
  'cc-itm-buy-write-holding-period': /straddle|covered call/i,
  'ira-contribution-in-kind': /contribution/i,
  'fmt-fidelity-treasury-bill': /interest.*252\.80|252\.80.*interest/i,
  'r-1099da-basis-missing-and-wrong-day': /^unreconciled/,
  'r-market-discount-bond': /300\.00.*market discount/i,
  'r-tbill-matures': /200\.00.*interest/i,
  'short-stock-becomes-worthless': /1233|worthless.*short|short.*worthless/i,
};

/** Cases that test an endpoint. `shared-http.test.ts` runs them. */
export const httpCases: readonly string[] = [
  'http-desk-asks-but-no-issue',
  'http-what-if-status-by-year',
  'desk-written-option-false-alarm',
];

/** Cases whose fix is not merged yet. Each must fail, so a fixed case cannot stay in this list. */
export const pending: ReadonlySet<string> = new Set([]);

/**
 * The expected results for files from other sources. If `orAsk` is set, a question with the dollars at stake is also
 * accepted.
 */
export const fileCases: Readonly<Record<string, FileCase>> = {
  'file-closed-positions-xtb': exactly([2026], (of) => expect(gains(of(2026))).toEqual(['-21.00', '99.00'])),
  'file-coinbase-receive-from-staked-assets': exactly([2025], (of) => {
    // At most the reward part of the unstaked amount is income, and the file does not state that part.
    expect(of(2025).incomes).toEqual([]);
  }),
  'file-dates-year-first-two-digits': orAsk([2025], (of) => expect(gains(of(2025))).toEqual(['100.00'])),
  'file-fidelity-as-of-assignment': exactly([2025, 2026], (of) => {
    expect(gains(of(2025))).toEqual(['2199.23']);
    expect(of(2026).lines).toEqual([]);
  }),
  'file-fidelity-spinoff-read-as-split': mustAsk([2026]),
  'file-forex-rows-vanish': exactly([2026], (of) => expect(incomeTotal(of(2026))).toBe('139.80')),
  'file-futures-without-multiplier': exactly([2026], (of) => {
    expect(of(2026).contracts1256.map(({ gain }) => gain)).toEqual(['100.00']);
    expect(of(2026).lines).toEqual([]);
  }),
  'file-ibkr-cash-merger-closed-lots': exactly([2025], (of) => {
    expect(totals(of(2025))).toEqual({ proceeds: '2680.00', basis: '2267.00', gain: '413.00', terms: 'long' });
  }),
  'file-lots-sheet-open-lot-vanishes': exactly([2014], (of) => {
    expect(gains(of(2014))).toEqual(['-1000.00', '600.00']);
    expect(of(2014).openLots.map(({ quantity, basis }) => [quantity, basis])).toEqual([['100', '5000.00']]);
  }),
  'file-options-generic-columns': exactly([2025], (of) => {
    expect(gains(of(2025))).toEqual(['200.00']);
    expect(of(2025).openLots.map(({ asset, quantity }) => [asset, quantity])).toEqual([['SPY', '10']]);
  }),
  'file-schwab-futures-sweep': exactly([2026], (of) => expect(of(2026).issues).toEqual([])),
  'file-schwab-prior-year-actions': exactly([2022, 2023], (of) => {
    expect(
      of(2022)
        .incomes.map(({ amount }) => amount)
        .sort(),
    ).toEqual(['12.00', '3.00']);
    expect(of(2022).issues).toEqual([]);
    expect(of(2023).issues).toEqual([]);
  }),
  'file-schwab-title-names-the-account': exactly([2025, 2026], (of) => {
    const reports = [of(2025), of(2026)];
    const isAsked = reports.some(({ issues }) => issues.some(({ kind }) => kind === 'account_type_unknown'));
    if (!isAsked) expect(reports.flatMap(({ lines }) => lines)).toEqual([]);
    const held = of(2026).openLots.filter(({ asset }) => asset === 'VTI');
    expect(held.map(({ quantity, basis }) => [quantity, basis])).toContainEqual(['5', '1000.00']);
    expect(held.filter(({ account }) => account?.includes('123')).map(({ quantity }) => quantity)).toEqual(['5']);
  }),
  'file-split-ratio-in-quantity': exactly([2024], (of) => {
    expect(totals(of(2024))).toMatchObject({ basis: '1200.00', gain: '240.00' });
    expect(of(2024).openLots.map(({ quantity }) => quantity)).toEqual(['18']);
  }),
  'file-tastytrade-reverse-split-rounding': exactly([2024], (of) => {
    expect(totals(of(2024))).toMatchObject({ proceeds: '83.95', basis: '1100.50', gain: '-1016.55' });
    expect(of(2024).openLots).toEqual([]);
  }),
  'file-tastyworks-legacy-reverse-split': exactly([2022, 2023], (of) => {
    expect(of(2022).lines).toEqual([]);
    expect(totals(of(2023))).toEqual({ proceeds: '559.90', basis: '560.10', gain: '-0.20', terms: 'long' });
  }),
  'file-tax-column-as-fee': exactly([2025], (of) => expect(gains(of(2025))).toEqual(['198.00'])),
  'file-trans-code-as-asset': {
    years: [2024],
    check: (outcome) => {
      // A question about the side alone would leave the wrong asset in place.
      if ('asked' in outcome) return expect(outcome.asked).toMatch(/Trans Code|Instrument/);
      const of = reportOf(outcome);
      expect(of(2024).lines.map(({ asset, code, adjustment, gain }) => [asset, code, adjustment, gain])).toEqual([
        ['TSLA', 'W', '400.00', '0.00'],
      ]);
      expect(
        // The part of the call that replaces the shares is a separate lot.
        of(2024)
          .openLots.map(({ quantity }) => quantity)
          .sort(),
      ).toEqual(['0.1', '0.9', '5']);
    },
  },
  'file-treasury-bill-schwab': exactly([2024], (of) => expect(of(2024).lines).toEqual([])),
  'file-vanguard-conversion-and-split': exactly([2024], (of) => {
    const sales = of(2024).lines.filter(({ asset }) => asset === 'VFIAX');
    expect(sales.map(({ gain }) => gain)).toEqual(['503.99']);
  }),
  'file-wash-across-two-realized-lists': exactly([2024, 2025], (of) => {
    const [year1, year2] = [of(2024), of(2025)];
    expect(year1.lines.map(({ code, adjustment, gain }) => [code, adjustment, gain])).toEqual([
      ['W', '500.00', '0.00'],
    ]);
    expect(totals(year2)).toMatchObject({ basis: '2100.00', gain: '-200.00', terms: 'long' });
  }),
  'file-zone-in-header-utc-plus-10': exactly([2025, 2026], (of) => {
    expect(gains(of(2025))).toEqual(['8.20']);
    expect(of(2026).lines).toEqual([]);
  }),
};

type ReportOf = (year: number) => CaseReport;

function exactly(years: readonly number[], check: (of: ReportOf) => void): FileCase {
  return {
    years,
    check: (outcome) => {
      if ('asked' in outcome) throw new Error(`The file is refused with a question: ${outcome.asked}`);
      check(reportOf(outcome));
    },
  };
}

function orAsk(years: readonly number[], check: (of: ReportOf) => void): FileCase {
  return {
    years,
    check: (outcome) => {
      if (isAsked(outcome)) return;
      check(reportOf(outcome as Extract<CaseOutcome, { reports: unknown }>));
    },
  };
}

function mustAsk(years: readonly number[]): FileCase {
  return { years, check: (outcome) => expect(isAsked(outcome)).toBe(true) };
}

/** Returns true if the file is refused with a question, or if an open issue has dollars at stake. */
function isAsked(outcome: CaseOutcome): boolean {
  if ('asked' in outcome) return true;
  const issues = [...outcome.reports.values()].flatMap((report) => report.issues);
  // An open wash sale window is not a question about the file's contents.
  return issues.some(({ kind, dollars }) => kind !== 'wash_window_open' && dollars !== '0.00');
}

function reportOf({ reports }: Extract<CaseOutcome, { reports: unknown }>): ReportOf {
  return (year) => {
    const report = reports.get(year);
    if (report === undefined) throw new Error(`The case has no report for ${year}.`);
    return report;
  };
}

function gains({ lines }: CaseReport): string[] {
  const cents = lines.map(({ sold = '', gain = '0' }) => ({ sold, cents: centsOf(gain) }));
  // A sale may have several lines.
  const bySale = Map.groupBy(cents, ({ sold }) => sold);
  return [...bySale.values()].map((parts) => dollarsOf(parts.reduce((sum, part) => sum + part.cents, 0n))).sort();
}

function totals({ lines }: CaseReport): Record<'proceeds' | 'basis' | 'gain' | 'terms', string> {
  const sum = (name: string): string =>
    dollarsOf(lines.reduce((total, line) => total + centsOf(line[name] ?? '0'), 0n));
  const terms = [...new Set(lines.map(({ term }) => term))].sort().join(' ');
  return { proceeds: sum('proceeds'), basis: sum('basis'), gain: sum('gain'), terms };
}

function incomeTotal({ incomes }: CaseReport): string {
  return dollarsOf(incomes.reduce((total, { amount = '0' }) => total + centsOf(amount), 0n));
}

function centsOf(text: string): bigint {
  return BigInt(text.replace('.', ''));
}

function dollarsOf(cents: bigint): string {
  const digits = `${cents < 0n ? -cents : cents}`.padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
