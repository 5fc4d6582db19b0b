import { hash } from 'node:crypto';
import { formatDay } from '../../../base/day.ts';
import { formatMoney, type Money } from '../../../base/decimal.ts';
import { limits } from '../../../base/limits.ts';
import type { RowIssue } from '../../../formats/format.ts';
import { amountOfRow } from '../../../formats/rejected-row.ts';
import { resultDiffers } from '../../../formats/stated-results.ts';
import type { RejectedLine } from './row-issues.queries.ts';
import { parseMoneyColumn, RowIds } from './rows.ts';

/** Converts the issues of one file to rejected lines. */
class RejectedLines {
  private readonly seen = new Map<string, number>();
  private readonly names: RowIds;

  constructor(
    private readonly format: string,
    private readonly header: readonly string[],
    idKey: Uint8Array,
  ) {
    this.names = new RowIds(idKey);
  }

  of({ result, ...issue }: RowIssue): RejectedLine {
    // The row itself was read and stored. Only the difference is open, and no other row can resolve it.
    const amount = result?.difference ?? amountOfRow(this.header, issue.cells);
    const cells = issue.cells.map((cell) => cell.trim());
    const content = this.names.hashText(
      hash(
        'sha256',
        JSON.stringify([this.format, cells, ...(issue.code === resultDiffers ? [issue.code] : [])]),
        'hex',
      ),
    );
    const occurrence = (this.seen.get(content) ?? 0) + 1;
    if (occurrence > 1 || this.seen.size < contentsMax) this.seen.set(content, occurrence);
    return {
      ...issue,
      on: issue.on === undefined ? null : formatDay(issue.on),
      amount: amount === null ? null : formatMoney(amount),
      stated: result === undefined ? null : formatMoney(result.stated),
      computed: result === undefined ? null : formatMoney(result.computed),
      content,
      occurrence,
      words: result === undefined ? listTickerWords(issue.cells) : [],
    };
  }
}

/** Limits memory use for a file with many unreadable lines. */
const contentsMax = 200_000;

function listTickerWords(cells: readonly string[]): string[] {
  const words = cells.slice(0, 100).flatMap((cell) =>
    cell
      .slice(0, 200)
      .toUpperCase()
      .split(/[\s,;:()]+/),
  );
  return [...new Set(words.filter((word) => /^[A-Z][A-Z0-9.\-/]{0,19}$/.test(word)))].slice(0, 40);
}

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
