import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { formatCents } from '../../base/decimal.ts';
import type { Line } from '../../engine/model.ts';
import { lineView } from '../books/line-members.ts';

/**
 * A line as it is locked: what Form 8949 says of it, in words. A list of its own, so that what the API tells of a line
 * may grow without touching what was locked.
 */
export type LockedLine = { readonly id: string } & { readonly [Column in LockedColumn]: string };

/** What is locked of a line. Which rows it came from is not: the same line told by another row is the same. */
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
  const columns = { ...lineView(line), description: words.join('; ') } satisfies LockedLine;
  const locked = { id: columns.id } as Record<'id' | LockedColumn, string>;
  for (const column of lockedColumns) locked[column] = columns[column];
  return locked;
}

/** What of two lines must be equal for them to be the same. */
export function contentOf(line: LockedLine): string {
  return JSON.stringify(lockedColumns.map((column) => line[column]));
}

/** SHA-256 of the lines' content, whatever their order and their rows. */
export function digestOf(lines: readonly LockedLine[]): string {
  const hash = createHash('sha256');
  for (const content of lines.map(contentOf).sort()) hash.update(`${content}\n`);
  return hash.digest('hex');
}

const linesPerPart = 5_000;

/** A copy to keep. Gives way to other requests between parts: a year may have a hundred thousand lines. */
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

/** Sums of columns (d), (e), (g) and (h). */
export function totalsOf(lines: readonly LockedLine[]) {
  const sum = (column: 'proceeds' | 'basis' | 'adjustment' | 'gain'): string => {
    // Two decimals each: without the point they are cents.
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
