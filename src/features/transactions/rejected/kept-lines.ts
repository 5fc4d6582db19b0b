import { hash } from 'node:crypto';
import { formatMoney, type Money } from '../../../base/decimal.ts';
import { limits } from '../../../base/limits.ts';
import type { RowIssue } from '../../../formats/format.ts';
import { moneyOf } from '../rows/columns.ts';
import type { RejectedLine } from './rejected-line.ts';
import { RejectedLines } from './rejected-lines.ts';

/** The rejected lines of one file that are kept: the first by themselves, one line for all others of a year. */
export class KeptLines {
  private readonly rest = new Map<string, RestOfYear>();
  private readonly lines: RejectedLines;
  private count = 0;

  constructor(format: string, header: readonly string[], idKey: Uint8Array) {
    this.lines = new RejectedLines(format, header, idKey);
  }

  /** The line, where it is kept by itself. `known`: what its draft says, where the format could read it. */
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

  /** After the last line of the file. */
  end(): RejectedLine[] {
    return [...this.rest].map(([year, { count, last, amount, content }]) => ({
      line: last.line,
      column: null,
      code: moreLines,
      reason: `${count.toLocaleString('en-US')} more lines${year === '' ? '' : ` of ${year}`} cannot be read: only their number is kept`,
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

/** The code of a line that stands for many. */
export const moreLines = 'more_lines';

/** Lines of a year that are not kept by themselves. */
interface RestOfYear {
  count: number;
  /** That of the latest day. */
  last: RejectedLine;
  /** Null where the money of one is unknown. */
  amount: bigint | null;
  /** Of all their contents: the same file read again is the same question. */
  content: string;
}

function amountOf({ amount }: RejectedLine): bigint | null {
  return amount === null ? null : moneyOf(amount);
}
