import { dateOrders } from './cells/times.ts';
import type { DetectedFormat } from './detect.ts';
import type { Outcome, ReadingContext, Row, RowIssue } from './format.ts';

/** The number of rejected rows that shows that a header belongs to another source. Fewer may just be errors. */
const rowsMin = 5;

/**
 * Codes for rows that are incomplete or without their other half. Such rows are recognized, so they are from this
 * source.
 */
const foreignCodes: ReadonlySet<string> = new Set([
  'unknown_type',
  'unknown_word',
  'unknown_pair',
  'bad_date',
  'bad_zone',
  'bad_number',
  'bad_currency',
]);

/**
 * Returns the rejections if every one of the first rows is rejected in every date order. Undefined if any row is read
 * or skipped, or if there are too few rows.
 */
export function rejectsOfAll(
  { format, layout, headerIndex }: DetectedFormat,
  rows: readonly Row[],
  timeZone: string,
): readonly RowIssue[] | undefined {
  const below = rows.slice(headerIndex + 1);
  if (below.length < rowsMin) return undefined;
  const read = (dates: Pick<ReadingContext, 'dates'>): Outcome[] => {
    const context = { timeZone, preamble: rows.slice(0, headerIndex), ...dates };
    const reader = format.open(layout, rows[headerIndex] ?? { line: 1, cells: [] }, context);
    return [...below.flatMap((row) => [...reader.read(row)]), ...reader.end()];
  };
  const orders = format.asksDateOrder === true ? Object.values(dateOrders).map((dates) => ({ dates })) : [{}];
  let rejects: readonly RowIssue[] = [];
  for (const order of orders) {
    const outcomes = read(order);
    rejects = outcomes.flatMap((outcome) => (outcome.kind === 'rejected' ? [outcome.issue] : []));
    if (rejects.length < outcomes.length || !rejects.every(({ code }) => foreignCodes.has(code))) return undefined;
  }
  return rejects;
}
