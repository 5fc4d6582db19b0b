import { normalizeHeader } from './cells/cells.ts';
import type { Format, Layout, Row } from './format.ts';

export interface DetectedFormat {
  readonly format: Format;
  readonly layout: Layout;
  /** The index of the header row. Rows before it are the preamble. */
  readonly headerIndex: number;
}

interface NearestLayout {
  readonly format: Format;
  readonly layout: Layout;
  /** The line number of the closest match. */
  readonly line: number;
  readonly missing: readonly string[];
  readonly why: string;
}

export type Detection =
  | DetectedFormat
  | { readonly misses: readonly NearestLayout[]; readonly rivals: readonly DetectedFormat[] };

/**
 * The number of rows searched for the header. A composite Form 1099 contains fifty lines of other forms before its
 * sales.
 */
export const headerRowsMax = 100;
const missesShown = 5;

/**
 * Finds the layout whose required headers all appear in one of the first rows. If several formats match, the one whose
 * layout requires the most headers wins. Within a format, the first layout wins. If two formats tie, the user chooses.
 */
export function detectAmong(
  formats: readonly Format[],
  rows: readonly Row[],
  among: 'distinctive layouts' | 'all layouts' = 'distinctive layouts',
): Detection {
  const candidates = rows.slice(0, headerRowsMax).map((row) => new Set(row.cells.map(normalizeHeader)));
  const hits: DetectedFormat[] = [];
  const misses: { readonly format: Format; readonly layout: Layout; readonly nearest: Nearest }[] = [];
  for (const format of formats) {
    for (const layout of format.layouts) {
      if (layout.onlyWhenAsked === true && among === 'distinctive layouts') continue;
      const nearest = findNearestRow(layout, candidates);
      if (nearest.missing.length === 0 && among === 'distinctive layouts' && !isEvident(layout, rows, nearest.index))
        continue;
      if (nearest.missing.length === 0) hits.push({ format, layout, headerIndex: nearest.index });
      else if (nearest.missing.length < layout.required.length) misses.push({ format, layout, nearest });
    }
  }
  hits.sort((a, b) => b.layout.required.length - a.layout.required.length || a.headerIndex - b.headerIndex);
  const best = earliestOfFormat(hits);
  if (best === undefined) {
    const nearestFirst = misses.map((miss) => buildMiss(miss.format, miss.layout, miss.nearest, rows)).sort(byNearness);
    return { misses: nearestFirst.slice(0, missesShown), rivals: [] };
  }
  const rivals = hits.filter(
    (hit) => hit.layout.required.length === hits[0]?.layout.required.length && hit.format !== best.format,
  );
  return rivals.length === 0 ? best : { misses: [], rivals: [best, ...rivals] };
}

/** Returns the first header of the format. A file with sections contains several. */
function earliestOfFormat(hits: readonly DetectedFormat[]): DetectedFormat | undefined {
  const formatHits = hits.filter((hit) => hit.format === hits[0]?.format);
  const first = Math.min(...formatHits.map((hit) => hit.headerIndex));
  return formatHits.find((hit) => hit.headerIndex === first);
}

/** Returns whether one of the first rows under the header contains text that only this source writes. */
function isEvident({ evidence }: Layout, rows: readonly Row[], headerIndex: number): boolean {
  if (evidence === undefined) return true;
  const column = normalizeHeader(evidence.column);
  const columnIndex = rows[headerIndex]?.cells.findIndex((cell) => normalizeHeader(cell) === column) ?? -1;
  return rows
    .slice(headerIndex + 1, headerRowsMax)
    .some(({ cells }) => evidence.says.test(cells[columnIndex]?.trim() ?? ''));
}

interface Nearest {
  readonly index: number;
  readonly missing: readonly string[];
}

function findNearestRow(layout: Layout, candidates: readonly ReadonlySet<string>[]): Nearest {
  let nearest: Nearest = { index: 0, missing: layout.required };
  const required = normalizeRequired(layout);
  candidates.forEach((names, index) => {
    const missing = layout.required.filter((_, place) => !names.has(required[place] ?? ''));
    if (missing.length < nearest.missing.length) nearest = { index, missing };
  });
  return nearest;
}

/** Normalizes the required headers of a layout once, because every file is compared with every layout. */
function normalizeRequired(layout: Layout): readonly string[] {
  const known = normalizedHeaders.get(layout) ?? layout.required.map(normalizeHeader);
  normalizedHeaders.set(layout, known);
  return known;
}

const normalizedHeaders = new WeakMap<Layout, readonly string[]>();

function buildMiss(format: Format, layout: Layout, nearest: Nearest, rows: readonly Row[]): NearestLayout {
  const { missing } = nearest;
  const line = rows[nearest.index]?.line ?? 1;
  const columnCount = layout.required.length - missing.length;
  const names = missing.map((name) => `"${name}"`).join(', ');
  const why = `${format.name} (${layout.id}): line ${line} has ${columnCount} of ${layout.required.length} headers; missing: ${names}`;
  return { format, layout, line, missing, why };
}

/** Sorts by the share of missing headers, then by the number of matching headers. */
function byNearness(a: NearestLayout, b: NearestLayout): number {
  const share = (miss: NearestLayout): number => miss.missing.length / miss.layout.required.length;
  return (
    share(a) - share(b) || b.layout.required.length - a.layout.required.length || (a.format.id < b.format.id ? -1 : 1)
  );
}
