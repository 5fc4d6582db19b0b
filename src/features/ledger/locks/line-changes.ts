import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { formatCents, formatDollars, parseMoney, roundToCents } from '../../../base/decimal.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Line } from '../../../engine/model.ts';
import { unknownDate } from '../../../forms/missing-basis.ts';
import { readLines } from '../books/books.ts';
import { lineView } from '../books/line-members.ts';
import { selectLockedLines } from './locks.queries.ts';

/** A line that was added, removed or changed after the year was locked. */
export type LineChange =
  | { readonly change: 'added'; readonly before: null; readonly after: LockedLine }
  | { readonly change: 'gone'; readonly before: LockedLine; readonly after: null }
  | { readonly change: 'changed'; readonly before: LockedLine; readonly after: LockedLine };

/**
 * Returns the changed lines, sorted by day of sale, asset and id. Lines with equal content count as the same line, even
 * if their source rows differ. Among the remaining lines, two with the same id count as one changed line.
 */
export function changesBetween(before: readonly LockedLine[], after: readonly LockedLine[]): LineChange[] {
  const removed = without(before, after);
  const added = new Map(without(after, before).map((line) => [line.id, line]));
  const changes = removed.map((line): LineChange => {
    const now = added.get(line.id);
    if (now === undefined) return { change: 'gone', before: line, after: null };
    added.delete(line.id);
    return { change: 'changed', before: line, after: now };
  });
  const fresh = [...added.values()].map((line): LineChange => ({ change: 'added', before: null, after: line }));
  return [...changes, ...fresh].sort(compareChanges);
}

function lineOf(change: LineChange): LockedLine {
  return change.change === 'added' ? change.after : change.before;
}

export function buildSortKey(change: LineChange): [sold: string, asset: string, id: string, change: string] {
  const { sold, asset, id } = lineOf(change);
  return [sold, asset, id, change.change];
}

export function compareSortKeys(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
}

/**
 * Formats a change, for example as `10 AAPL sold 2024-06-03 from Schwab: cost basis $1,000.00 → $900.00, gain $200.00 →
 * $300.00`.
 */
function describeChange(change: LineChange): string {
  const { quantity, asset, account, sold, gain } = lineOf(change);
  const name = `${shortenQuantity(quantity)} ${asset} sold ${sold} from ${account}`;
  switch (change.change) {
    case 'added':
      return `${name} would become a new entry with ${formatResult(gain)}`;
    case 'gone':
      return `${name}, with ${formatResult(gain)}, would be removed`;
    case 'changed':
      return `${name}: ${columnsChanged(change.before, change.after)
        .map((column) => {
          const [before, after] = [change.before, change.after].map((line) => columnText(column, line[column]));
          return `${columnWords[column]} ${before} → ${after}`;
        })
        .join(', ')}`;
    default:
      return change satisfies never;
  }
}

/** Shortens a quantity of many digits: `0.488512345678901234` → `about 0.4885`. */
function shortenQuantity(quantity: string): string {
  const short = /^(?:[1-9]\d*\.\d{4}|0\.0*\d{4})/.exec(quantity)?.[0];
  return short === undefined || short === quantity ? quantity : `about ${short}`;
}

function formatResult(gain: string): string {
  return gain.startsWith('-')
    ? `a loss of ${columnText('gain', gain.slice(1))}`
    : `a gain of ${columnText('gain', gain)}`;
}

const columnWords: Readonly<Record<LockedColumn, string>> = {
  box: 'box',
  asset: 'property',
  account: 'account',
  quantity: 'quantity',
  acquired: 'date acquired',
  heldSince: 'start of the holding period',
  sold: 'date sold',
  proceeds: 'proceeds',
  basis: 'cost basis',
  code: 'adjustment code',
  adjustment: 'adjustment',
  gain: 'gain',
  term: 'term',
  description: 'description',
};

const moneyColumns: readonly LockedColumn[] = ['proceeds', 'basis', 'adjustment', 'gain'];

function columnText(column: LockedColumn, text: string): string {
  if (text === '') return 'none';
  const money = moneyColumns.includes(column) ? parseMoney(text) : undefined;
  return money === undefined ? text : formatDollars(roundToCents(money));
}

export function columnsChanged(before: LockedLine, after: LockedLine): LockedColumn[] {
  return lockedColumns.filter((column) => before[column] !== after[column]);
}

/**
 * Returns the lines whose content is missing from the other list. If the same content occurs more often in `lines` than
 * in `others`, returns only the surplus lines.
 */
function without(lines: readonly LockedLine[], others: readonly LockedLine[]): LockedLine[] {
  const known = new Map<string, number>();
  for (const other of others) {
    const content = contentOf(other);
    known.set(content, (known.get(content) ?? 0) + 1);
  }
  return lines.filter((line) => {
    const content = contentOf(line);
    const left = known.get(content) ?? 0;
    if (left > 0) known.set(content, left - 1);
    return left === 0;
  });
}

function compareChanges(a: LineChange, b: LineChange): number {
  return compareSortKeys(buildSortKey(a), buildSortKey(b));
}

/** Refuses a change that alters lines of a locked year. */
export async function refuseChangedLines(
  sql: Sql,
  taxpayerId: string,
  { year, digest }: { readonly year: number; readonly digest: string },
): Promise<void> {
  const before = unpackLines(await selectLockedLines(sql, taxpayerId, digest));
  const after = (await readLines(sql, taxpayerId, year)).map(lockedLine);
  const changes = changesBetween(before, after);
  if (changes.length > 0) throw yearLocked(year, changes);
}

const linesMax = 20;
const describedMax = 3;

function yearLocked(year: number, changes: readonly LineChange[]): Refusal {
  const described = changes.slice(0, describedMax).map(describeChange).join('; ');
  const others = changes.length > describedMax ? `; and ${changes.length - describedMax} more` : '';
  const lines = changes.length === 1 ? 'one of its Form 8949 entries' : `${changes.length} of its Form 8949 entries`;
  const detail = `${year} is locked, and this change would alter ${lines}: ${described}${others}. Nothing was changed. Unlock the year first.`;
  return new Refusal('year_locked', detail, {
    members: { year, changes: changes.length, lines: changes.slice(0, linesMax) },
    errors: changes
      .slice(0, linesMax)
      .map((change) => ({ code: `line_${change.change}`, detail: `${lineOf(change).id}: ${describeChange(change)}` })),
  });
}

/**
 * A locked line: the columns of Form 8949 as text. It is separate from the API's line, so the API can add properties
 * without affecting locks.
 */
export type LockedLine = { readonly id: string } & { readonly [Column in LockedColumn]: string };

/**
 * The columns that a lock covers. Source rows are not covered: a line from a different row with equal columns is the
 * same line.
 */
export const lockedColumns = [
  'box',
  'asset',
  'account',
  'quantity',
  'acquired',
  'heldSince',
  'sold',
  'proceeds',
  'basis',
  'code',
  'adjustment',
  'gain',
  'term',
  'description',
] as const;
type LockedColumn = (typeof lockedColumns)[number];

export function lockedLine(line: Line): LockedLine {
  const { description, expired, shortSale } = line.disposal;
  const words = [
    ...(description === null ? [] : [description]),
    ...(expired === null ? [] : [`expired: ${expired}`]),
    ...(shortSale ? ['short sale'] : []),
  ];
  const view = lineView(line);
  const { acquired, heldSince, term } = view;
  const known = { acquired: acquired ?? unknownDate, heldSince: heldSince ?? unknownDate, term: term ?? 'unknown' };
  const columns = { ...view, ...known, description: words.join('; ') } satisfies LockedLine;
  const locked = { id: columns.id } as Record<'id' | LockedColumn, string>;
  for (const column of lockedColumns) locked[column] = columns[column];
  return locked;
}

/** Returns the content that identifies a line. */
function contentOf(line: LockedLine): string {
  return JSON.stringify(lockedColumns.map((column) => line[column]));
}

/** Returns the SHA-256 hash of the lines' content. It does not depend on the order or the source rows of the lines. */
export function computeLinesDigest(lines: readonly LockedLine[]): string {
  const hash = createHash('sha256');
  for (const content of lines.map(contentOf).sort()) hash.update(`${content}\n`);
  return hash.digest('hex');
}

const linesPerPart = 5_000;

/** Compresses the lines for storage. Lets other requests run between parts, because a year may have 100,000 lines. */
export async function packLines(lines: readonly LockedLine[]): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < lines.length; from += linesPerPart) {
    parts.push(deflateRawSync(JSON.stringify(lines.slice(from, from + linesPerPart))));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return parts;
}

export function unpackLines(parts: readonly Uint8Array[]): LockedLine[] {
  return parts.flatMap((part) => JSON.parse(inflateRawSync(part).toString('utf8')) as LockedLine[]);
}

/** Returns the totals of columns (d), (e), (g) and (h). */
export function sumLockedLines(lines: readonly LockedLine[]) {
  const sum = (column: 'proceeds' | 'basis' | 'adjustment' | 'gain'): string => {
    // Each amount has two decimals, so removing the point converts it to cents.
    const cents = lines.reduce((total, line) => total + BigInt(line[column].replace('.', '')), 0n);
    return formatCents(cents as Parameters<typeof formatCents>[0]);
  };
  return {
    proceeds: sum('proceeds'),
    basis: sum('basis'),
    adjustment: sum('adjustment'),
    gain: sum('gain'),
    count: lines.length,
  };
}
