import { parseDay } from '../../base/day.ts';
import { parseMoney } from '../../base/decimal.ts';
import type { Issue } from '../../engine/model.ts';
import { KeptLines } from '../../features/ledger/transactions/kept-lines.ts';
import type { RejectedLine } from '../../features/ledger/transactions/row-issues.queries.ts';
import { boundByYear, rejectedIssueId, rejectedLineIssue } from '../../features/ledger/transactions/row-issues.ts';
import { noTaxpayersKey } from '../../features/ledger/transactions/rows.ts';
import type { Draft, RowIssue } from '../../formats/format.ts';
import { resultDiffers } from '../../formats/stated-results.ts';
import type { Messages } from './messages.ts';

/** Lines in a file that cannot be read or should be checked. Contains the first ones and the total count. */
export class UnreadLines {
  readonly #first: RowIssue[] = [];
  #count = 0;
  readonly #warnings: string[] = [];
  #warned = 0;
  #kept = new KeptLines('', [], noTaxpayersKey);
  #lines: RejectedLine[] = [];
  #lastDay: Issue['on'] | undefined;

  begin(format: string, header: readonly string[]): void {
    this.#kept = new KeptLines(format, header, noTaxpayersKey);
  }

  /**
   * Records the warnings about lines that were read, and the last day in the file, which is used for lines without a
   * date.
   */
  note(drafts: readonly Draft[]): void {
    for (const { on } of drafts) if (this.#lastDay === undefined || on > this.#lastDay) this.#lastDay = on;
    const warning = drafts.find((draft) => draft.warning !== undefined)?.warning;
    if (warning === undefined) return;
    this.#warned += 1;
    if (this.#warnings.length < shownMax) this.#warnings.push(warning);
  }

  /**
   * Creates an open issue for each line. If the file has no readable date, the tax year is unknown, and no issue is
   * created.
   */
  issues(fileName: string): Issue[] {
    const issues = [...this.#lines, ...this.#kept.end()].flatMap((line) => {
      const on = (line.on === null ? undefined : parseDay(line.on)) ?? this.#lastDay;
      const amount = line.amount === null ? null : (parseMoney(line.amount) ?? null);
      const where = `${fileName}, line ${line.line}${line.column === null ? '' : `, ${line.column}`}`;
      const { code, reason } = line;
      return on === undefined
        ? []
        : [rejectedLineIssue({ id: rejectedIssueId(line), on, amount, code, where, reason })];
    });
    return boundByYear(issues);
  }

  add(issue: RowIssue): void {
    this.#count += 1;
    // Omits the cells to save memory. If the file has the wrong format, every line is rejected, and the file can be of
    // any size.
    const line = this.#kept.add(issue);
    if (line !== undefined) this.#lines.push({ ...line, cells: [], words: [] });
    if (this.#first.length < shownMax) this.#first.push(issue);
  }

  show(fileName: string, messages: Messages): void {
    showUnread(fileName, this.#first, this.#count, messages);
    const sentences = this.#warnings.map((warning) => `${fileName}: ${warning}`);
    messages.sayFirst(sentences, this.#warned, (more) => `${fileName}: ${more} more lines to check`);
  }
}

/** Reports the lines that were not read. `first` contains the first ones, and `count` is the total. */
export function showUnread(
  fileName: string,
  first: readonly (Pick<RowIssue, 'line' | 'column' | 'reason'> & Partial<Pick<RowIssue, 'code'>>)[],
  count: number,
  messages: Messages,
): void {
  const sentences = first.map(
    ({ line, column, code, reason }) =>
      `${fileName} line ${line}${column === null ? '' : `, ${column}`}: ${reason}${code === resultDiffers ? '' : ' (left out)'}`,
  );
  messages.sayFirst(sentences, count, (more) => `${fileName}: ${more} more lines cannot be read (left out)`);
}

/** Limits the output, because every line of a file in the wrong format fails in the same way. */
const shownMax = 1_000;
