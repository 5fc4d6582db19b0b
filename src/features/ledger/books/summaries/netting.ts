import type { Cents, Money } from '../../../../base/decimal.ts';
import type { TaxYearSummary, Totals } from '../../../../engine/model.ts';
import { accountBoxKey, partsOf1256 } from '../../../../engine/rules/year/year-totals.ts';

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
