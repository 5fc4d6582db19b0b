import { type Day, dayOf } from '../../../base/day.ts';
import { type Cents, formatCents, type Money, roundToCents, zeroCents } from '../../../base/decimal.ts';
import type { Issue, TaxYearSummary, Totals } from '../../../engine/model.ts';
import { carryover as worksheetOf } from '../../../engine/rules/year/year.ts';
import { accountBoxKey, partsOf1256 } from '../../../engine/rules/year/year-totals.ts';
import { type Elections, getFilingStatus } from '../transactions/elections.ts';

/** Adds up the summaries of parts. Every figure in a summary is a sum over facts. */
export function sumSummaries(year: number, parts: readonly TaxYearSummary[]): TaxYearSummary {
  const cents = (read: (part: TaxYearSummary) => Cents): Cents => total(parts.map(read));
  return {
    year,
    shortTerm: sumTotals(parts.map((part) => part.shortTerm)),
    longTerm: sumTotals(parts.map((part) => part.longTerm)),
    total: sumTotals(parts.map((part) => part.total)),
    missingBasis: sumTotals(parts.map((part) => part.missingBasis)),
    washSaleDisallowed: cents((part) => part.washSaleDisallowed),
    washSalePermanent: cents((part) => part.washSalePermanent),
    boxes: groupItems(
      parts.flatMap((part) => part.boxes),
      ({ box }) => box,
      (group) => ({ box: group[0].box, ...sumTotals(group) }),
    ),
    assets: groupItems(
      parts.flatMap((part) => part.assets),
      ({ asset, assetClass }) => `${asset}\u0000${assetClass}`,
      (group) => ({ asset: group[0].asset, assetClass: group[0].assetClass, ...sumTotals(group) }),
    ),
    accountBoxes: groupItems(
      parts.flatMap((part) => part.accountBoxes),
      accountBoxKey,
      (group) => ({ ...group[0], count: group.reduce((sum, { count }) => sum + count, 0) }),
    ),
    income: groupItems(
      parts.flatMap((part) => part.income),
      ({ type }) => type,
      (group) => ({
        type: group[0].type,
        amount: total(group.map(({ amount }) => amount)),
        count: group.reduce((sum, { count }) => sum + count, 0),
      }),
    ),
    contracts1256: sumContracts(parts),
    issues: parts.reduce((sum, part) => sum + part.issues, 0),
  };
}

/** Subtracts parts from a summary. Returns null if nothing remains. */
export function without(whole: TaxYearSummary, parts: readonly TaxYearSummary[]): TaxYearSummary | null {
  const left = sumSummaries(whole.year, [whole, ...parts.map(negateSummary)]);
  const isEmpty =
    left.total.count + left.contracts1256.count + left.issues === 0 && left.income.every(({ count }) => count === 0);
  if (isEmpty && left.washSaleDisallowed === 0n) return null;
  return {
    ...left,
    boxes: left.boxes.filter(({ count }) => count !== 0),
    assets: left.assets.filter(({ count }) => count !== 0),
    accountBoxes: left.accountBoxes.filter(({ count }) => count !== 0),
    income: left.income.filter(({ count }) => count !== 0),
  };
}

function negateSummary(summary: TaxYearSummary): TaxYearSummary {
  return negateNumbers(summary) as TaxYearSummary;
}

/** Negates every number except the year. */
function negateNumbers(value: unknown, name = ''): unknown {
  if (typeof value === 'bigint') return -value;
  if (typeof value === 'number') return name === 'year' || value === 0 ? value : -value;
  if (Array.isArray(value)) return value.map((member) => negateNumbers(member));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, negateNumbers(member, key)]));
}

/**
 * Splits the net gain 60% to 40% and rounds as in `rules/year/year-totals.ts`. Adding up rounded parts would give a
 * different result (IRC 1256(a)(3)).
 */
function sumContracts(parts: readonly TaxYearSummary[]): TaxYearSummary['contracts1256'] {
  const gain = total(parts.map((part) => part.contracts1256.gain));
  const count = parts.reduce((sum, part) => sum + part.contracts1256.count, 0);
  return { ...partsOf1256(gain), count };
}

function sumTotals(parts: readonly Totals[]): Totals {
  return {
    proceeds: total(parts.map((part) => part.proceeds)),
    basis: total(parts.map((part) => part.basis)),
    adjustment: total(parts.map((part) => part.adjustment)),
    gain: total(parts.map((part) => part.gain)),
    count: parts.reduce((sum, part) => sum + part.count, 0),
  };
}

function total<Amount extends Cents | Money>(amounts: readonly Amount[]): Amount {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum as Amount;
}

type Some<Item> = readonly [Item, ...Item[]];

/** Groups items by key, ordered by key. */
function groupItems<Item, Result>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  merge: (group: Some<Item>) => Result,
): Result[] {
  const groups = Map.groupBy(items, keyOf) as Map<string, Item[] & Some<Item>>;
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => merge(group));
}

/** Serializes a summary. Writes cents and dollars as text, because JSON has no integers of that size. */
export function summaryText(summary: TaxYearSummary): string {
  return JSON.stringify(summary, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

export function summaryFromText(text: string): TaxYearSummary {
  return completeSummary(parseSummary(text));
}

/**
 * Adds fields that are missing in a summary from an earlier version. They stay empty until the year is calculated
 * again.
 */
export function completeSummary(stored: StoredSummary): TaxYearSummary {
  const { missingBasis = sumTotals([]), accountBoxes = [] } = stored;
  return { ...stored, missingBasis, accountBoxes };
}

type LaterMember = 'missingBasis' | 'accountBoxes';
export type StoredSummary = Omit<TaxYearSummary, LaterMember> & Partial<Pick<TaxYearSummary, LaterMember>>;

function parseSummary(text: string): StoredSummary {
  return JSON.parse(text, (name, value: unknown) =>
    typeof value === 'string' && amounts.has(name) ? BigInt(value) : value,
  ) as StoredSummary;
}

const amounts: ReadonlySet<string> = new Set([
  'proceeds',
  'basis',
  'adjustment',
  'gain',
  'washSaleDisallowed',
  'washSalePermanent',
  'amount',
  'short',
  'long',
]);

/** Losses carried over between years, as positive amounts (IRC 1212(b)). */
export interface Carryover {
  readonly in: CarriedLosses;
  readonly out: CarriedLosses;
  /** The part of the year's net loss that this year's return deducts (IRC 1211(b)). */
  readonly deductible: Cents;
}

export interface CarriedLosses {
  readonly short: Cents;
  readonly long: Cents;
}

const nothing: CarriedLosses = { short: zeroCents, long: zeroCents };

/**
 * Carries losses through each year, from the first year with any activity or a stated carryover until `until`, which
 * defaults to the last year with activity. A year without activity also uses up its deduction.
 */
export function carryThrough(
  summaries: readonly TaxYearSummary[],
  elections: Elections,
  until?: number,
): Map<number, Carryover> {
  const known = new Map(summaries.map((summary) => [summary.year, summary]));
  const years = [...known.keys(), ...elections.carryover.keys()];
  const last = until ?? Math.max(...known.keys());
  const carried = new Map<number, Carryover>();
  // Without any year, the maximum would be minus infinity and the loop would never end.
  if (!Number.isFinite(last)) return carried;
  let before = nothing;
  for (let year = Math.min(...years, last); year <= last; year++) {
    const stated = elections.carryover.get(year);
    const into = stated === undefined ? before : { short: roundToCents(stated.short), long: roundToCents(stated.long) };
    const carryover = carry(known.get(year) ?? sumSummaries(year, []), into, elections);
    carried.set(year, carryover);
    before = carryover.out;
  }
  return carried;
}

export function getCarryover(carried: ReadonlyMap<number, Carryover>, year: number): Carryover {
  return carried.get(year) ?? { in: nothing, out: nothing, deductible: zeroCents };
}

/** Calculates lines 7 and 15 of Schedule D, then the Capital Loss Carryover Worksheet. */
function carry(summary: TaxYearSummary, into: CarriedLosses, elections: Elections): Carryover {
  const distributions = summary.income
    .filter(({ type }) => type === 'capital_gain_distribution')
    .reduce((sum, { amount }) => sum + roundToCents(amount), 0n);
  const { contracts1256 } = summary;
  const taxableIncome = elections.taxableIncome.get(summary.year);
  const worksheet = worksheetOf({
    line7: (summary.shortTerm.gain + contracts1256.short - into.short) as Cents,
    line15: (summary.longTerm.gain + contracts1256.long + distributions - into.long) as Cents,
    taxableIncome: taxableIncome === undefined ? null : roundToCents(taxableIncome),
    filingStatus: getFilingStatus(elections, summary.year),
  });
  return { in: into, out: { short: worksheet.short, long: worksheet.long }, deductible: worksheet.deductible };
}

export function carryoverText(carryover: Carryover): string {
  return JSON.stringify(carryover, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

export function carryoverFromText(text: string): Carryover {
  return JSON.parse(text, (_name, value: unknown) => (typeof value === 'string' ? BigInt(value) : value)) as Carryover;
}

/**
 * Raises an issue if a couple files jointly for one year and separately for the next, or the other way around. After a
 * joint return, each spouse takes the part of the carried loss that came from their own losses. A joint return adds the
 * losses of both spouses (26 CFR 1.1212-1(c)(1)). The books contain neither amount. The issue appears once for each
 * such year until the settings contain the carryover into that year.
 */
export function carryoverIssues(
  summaries: readonly TaxYearSummary[],
  elections: Elections,
  /** The row that each year's issue refers to. */
  rowBefore: ReadonlyMap<number, string> = new Map(),
): Issue[] {
  if (elections.filingStatusByYear.size === 0 || summaries.length === 0) return [];
  const reached = Math.max(...elections.filingStatusByYear.keys(), ...summaries.map(({ year }) => year));
  // Also checks the year after the last one, because a year without a sale carries losses too and the filing status may
  // change.
  return [...carryThrough(summaries, elections, reached + 1)].flatMap(([year, { in: into }]) => {
    if (elections.carryover.has(year)) return [];
    const question = findCarryoverQuestion(year, into, elections);
    // Asks about the spouse's loss only once the books include the year of the joint return.
    if (question === null || (year > reached && question.dollars === null)) return [];
    const row = rowBefore.get(year);
    return [toCarryoverIssue(year, question, row === undefined ? [] : [row])];
  });
}

/** Returns the years whose filing status differs from the previous year. */
export function yearsOfOtherStatus(elections: Elections): number[] {
  const named = [...elections.filingStatusByYear.keys()].flatMap((year) => [year, year + 1]);
  return [...new Set(named)].filter(
    (year) => getFilingStatus(elections, year) !== getFilingStatus(elections, year - 1),
  );
}

interface CarriedBetween {
  /** The amount in cents. Null for the spouse's loss. */
  readonly dollars: Cents | null;
  readonly detail: string;
}

function findCarryoverQuestion(
  year: number,
  { short, long }: CarriedLosses,
  elections: Elections,
): CarriedBetween | null {
  const [before, now] = [getFilingStatus(elections, year - 1), getFilingStatus(elections, year)];
  const dollars = (short + long) as Cents;
  if (before === 'mfj' && now !== 'mfj' && dollars > 0n) {
    const parts = `$${formatCents(short)} of short-term and $${formatCents(long)} of long-term loss`;
    return {
      dollars,
      detail:
        `${parts} are carried into ${year} from a joint return. On your own return, you can use only the part from your own losses ` +
        `(26 CFR 1.1212-1(c)(1)(iii)). We use the full amount until you enter your part as the carryover into ${year} in the settings.`,
    };
  }
  if (before === 'mfs' && now === 'mfj') {
    return {
      dollars: null,
      detail:
        `You filed separately before the joint return for ${year}. Your spouse's carryover into ${year} also counts (26 CFR ` +
        `1.1212-1(c)(1)(i)), but it is not in these books. Enter the total as the carryover into ${year} in the settings. Your part is ` +
        `$${formatCents(short)} short-term and $${formatCents(long)} long-term.`,
    };
  }
  return null;
}

function toCarryoverIssue(year: number, { dollars, detail }: CarriedBetween, transactions: readonly string[]): Issue {
  const on = dayOf(year, 1, 1) as Day;
  const id = `carryover/0/carryover_to_divide/${year}`;
  const named = { asset: '', account: '', transactions, dollars, detail };
  return { kind: 'issue', causedOn: on, id, issue: 'carryover_to_divide', on, ...named };
}
