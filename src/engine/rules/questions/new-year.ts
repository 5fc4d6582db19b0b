import { addDays, type Day, dayIn, formatDay, type Instant, yearOf } from '../../../base/day.ts';
import { type Cents, formatDollars } from '../../../base/decimal.ts';
import type { Fold } from '../../book/fold.ts';
import type { Fact, Issue, Rules, Transaction } from '../../model.ts';
import { computeStake, isTaxed, transactionOf } from './taxed-facts.ts';

/**
 * Issues about rows near New Year, whose tax year depends on the taxpayer's time zone (IRC 441, 451). UTC is an
 * unconfirmed default, so an issue is raised. The resolution applies to all rows, so there is one issue for all
 * accounts and years, raised after the books.
 */

/** The taxable amounts of one row near New Year, in one account and asset. */
export interface NearNewYear {
  readonly transaction: string;
  /** The day in UTC. */
  readonly on: Day;
  readonly asset: string;
  readonly account: string;
  /** The sum of gains, losses and income, each as a positive amount, in cents. */
  readonly dollars: bigint;
}

/**
 * Returns whether an instant has different tax years in two time zones. Zones are 12 hours behind UTC to 14 hours ahead
 * of it.
 */
export function isNearNewYear(at: Instant): boolean {
  return yearOf(dayIn((at - behind) as Instant, 'UTC')) !== yearOf(dayIn((at + ahead) as Instant, 'UTC'));
}

const hour = 3_600_000_000;
const behind = 12 * hour;
const ahead = 14 * hour;

/** Returns true for December 31 and January 1, which are the UTC days of all rows near New Year. */
export function isNewYearDay(day: Day): boolean {
  return yearOf(addDays(day, -1)) !== yearOf(addDays(day, 1));
}

/**
 * Returns whether a replay must write each line individually because the time zone issue may affect one of them. It
 * cannot be raised from their sums.
 */
export function mayAskForZone({ rules, ledger }: Fold): boolean {
  if (rules.timeZone !== undefined || ledger === null) return false;
  if (ledger.others.some(({ at, on }) => at !== null && isNewYearDay(on))) return true;
  return ledger.ats.some((at, trade) => !Number.isNaN(at) && isNewYearDay(ledger.ons[trade] as Day));
}

type RowOfTransaction = (transaction: string) => Pick<Transaction, 'at' | 'on' | 'zoned'> | undefined;

/**
 * Returns the facts whose tax year depends on the time zone. Returns an empty list if the taxpayer has set a zone. Rows
 * of an import with a zone are omitted.
 */
export function listNearNewYear(
  facts: Iterable<Fact>,
  rules: Pick<Rules, 'timeZone'>,
  rowOf: RowOfTransaction,
): NearNewYear[] {
  const near: NearNewYear[] = [];
  if (rules.timeZone !== undefined) return near;
  for (const fact of facts) {
    if (!isTaxed(fact) || !isNewYearDay(fact.causedOn)) continue;
    const transaction = transactionOf(fact);
    const row = rowOf(transaction);
    // If a fact has a later day, that day comes from another row.
    if (row?.at == null || row.zoned === true || row.on !== fact.causedOn || !isNearNewYear(row.at)) continue;
    near.push({ transaction, on: row.on, asset: fact.asset, account: fact.account, dollars: computeStake(fact) });
  }
  return near;
}

/**
 * Returns one issue for the taxpayer. The forms of each year that may gain or lose a row are drafts until it is
 * resolved.
 */
export function zoneIssues(near: readonly NearNewYear[]): Issue[] {
  const rows = combineAmounts(near);
  const [first] = rows;
  if (first === undefined) return [];
  const years = [...new Set(rows.flatMap(({ on }) => yearsAround(on)))].sort((a, b) => a - b);
  const dollars = rows.reduce((sum, row) => sum + row.dollars, 0n) as Cents;
  return [
    {
      kind: 'issue',
      causedOn: first.on,
      id: `${first.transaction}/0/tax_year_by_zone`,
      issue: 'tax_year_by_zone',
      on: first.on,
      otherYears: years.filter((year) => year !== yearOf(first.on)),
      asset: rows.every(({ asset }) => asset === first.asset) ? first.asset : '',
      account: rows.every(({ account }) => account === first.account) ? first.account : '',
      transactions: [...new Set(rows.map(({ transaction }) => transaction))],
      dollars,
      detail:
        `No time zone is set, so times are read as UTC. In another time zone, ${formatDollars(dollars)} of gains, losses and ` +
        `income may belong in another tax year. ${formatLargestRows(rows)} Set the taxpayer’s time zone, even if it is UTC. ` +
        'If an imported file uses another zone, set it on that import.',
    },
  ];
}

const rowsNamed = 5;

/** Lists the largest amounts, by the year in which they count and the year in which they may belong. */
function formatLargestRows(rows: readonly NearNewYear[]): string {
  const largest = rows.toSorted((a, b) => compare(b.dollars, a.dollars) || compareRows(a, b)).slice(0, rowsNamed);
  const sentences = [...Map.groupBy(largest, yearsText)]
    .sort(([a], [b]) => compare(a, b))
    .map(([years, own]) => `${years}: ${own.map(amountText).join(', ')}.`);
  const more = rows.length - largest.length;
  return [
    ...sentences,
    ...(more > 0 ? [`${more} smaller ${more === 1 ? 'amount is' : 'amounts are'} not listed.`] : []),
  ].join(' ');
}

function yearsText({ on }: NearNewYear): string {
  const year = yearOf(on);
  return `Counted in ${year} but may belong to ${yearsAround(on).find((one) => one !== year)}`;
}

function amountText({ asset, account, on, dollars }: NearNewYear): string {
  return `${formatDollars(dollars as Cents)} (${asset === '' ? 'cash' : asset} in ${account} on ${formatDay(on)})`;
}

function yearsAround(on: Day): [number, number] {
  return [yearOf(addDays(on, -1)), yearOf(addDays(on, 1))];
}

/** Combines the amounts of each row, account and asset, and sorts by day. */
function combineAmounts(near: readonly NearNewYear[]): NearNewYear[] {
  const rows = new Map<string, NearNewYear>();
  for (const one of near) {
    const key = JSON.stringify([one.transaction, one.account, one.asset]);
    rows.set(key, { ...one, dollars: one.dollars + (rows.get(key)?.dollars ?? 0n) });
  }
  return [...rows.values()].sort(compareRows);
}

function compareRows(a: NearNewYear, b: NearNewYear): number {
  return (
    compare(a.on, b.on) ||
    compare(a.transaction, b.transaction) ||
    compare(a.account, b.account) ||
    compare(a.asset, b.asset)
  );
}

function compare<Value extends bigint | number | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
