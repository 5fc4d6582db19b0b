import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { formatCents } from '../../../base/decimal.ts';
import type { Line } from '../../../engine/model.ts';
import { unknownDate } from '../../../forms/missing-basis.ts';
import { lineView } from '../books/line-members.ts';

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
export type LockedColumn = (typeof lockedColumns)[number];

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
export function contentOf(line: LockedLine): string {
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
