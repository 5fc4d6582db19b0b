import { hash } from 'node:crypto';
import { formatMoney, type Money } from '../../../../base/decimal.ts';
import { limits } from '../../../../base/limits.ts';
import type { RowIssue } from '../../../../formats/format.ts';
import { parseMoneyColumn } from '../rows/columns.ts';
import type { RejectedLine } from './rejected-line.ts';
import { RejectedLines } from './rejected-lines.ts';

/**
 * Collects the rejected lines of a file. Keeps the first lines individually, and combines the rest into one summary
 * line per year.
 */
export class KeptLines {
  private readonly rest = new Map<string, RestOfYear>();
  private readonly lines: RejectedLines;
  private count = 0;

  constructor(format: string, header: readonly string[], idKey: Uint8Array) {
    this.lines = new RejectedLines(format, header, idKey);
  }

  /**
   * Adds a line and returns it if it is kept individually. `known` are the values from its draft, if the format could
   * read it.
   */
  add(issue: RowIssue, known: Partial<RejectedLine> = {}): RejectedLine | undefined {
    const line = { ...this.lines.of(issue), ...known };
    this.count++;
    if (this.count <= limits.rejectsKept) return line;
    const year = line.on?.slice(0, 4) ?? '';
    const rest = this.rest.get(year);
    if (rest === undefined)
      this.rest.set(year, { count: 1, last: line, amount: amountOf(line), content: line.content });
    else {
      const amount = amountOf(line);
      rest.count++;
      rest.amount = rest.amount === null || amount === null ? null : rest.amount + amount;
      rest.content = hash('sha256', rest.content + line.content, 'hex').slice(0, 32);
      if (line.on !== null && (rest.last.on === null || line.on > rest.last.on)) rest.last = line;
    }
    return undefined;
  }

  /** Returns the summary lines. Must be called after the last line of the file. */
  end(): RejectedLine[] {
    return [...this.rest].map(([year, { count, last, amount, content }]) => ({
      line: last.line,
      column: null,
      code: moreLines,
      reason: `${count.toLocaleString('en-US')} more rows${year === '' ? '' : ` of ${year}`} could not be read. Only their number was saved`,
      cells: [''],
      on: last.on,
      amount: amount === null ? null : formatMoney(amount as Money),
      stated: null,
      computed: null,
      content,
      occurrence: 1,
      words: [],
    }));
  }
}

/** The code of a summary line. */
export const moreLines = 'more_lines';

/** The lines of a year that are not kept individually. */
interface RestOfYear {
  count: number;
  /** The line with the latest date. */
  last: RejectedLine;
  /** Null if one of the amounts is unknown. */
  amount: bigint | null;
  /** A hash of the content of all lines, so that rereading the same file leads to the same issue. */
  content: string;
}

function amountOf({ amount }: RejectedLine): bigint | null {
  return amount === null ? null : parseMoneyColumn(amount);
}
