import type { RowIssue } from '../../formats/format.ts';
import type { Messages } from './messages.ts';

/** Lines of a file that cannot be read: the first of them, and how many there are. */
export class UnreadLines {
  readonly #first: RowIssue[] = [];
  #count = 0;

  add(issue: RowIssue): void {
    this.#count += 1;
    if (this.#first.length < shownMax) this.#first.push(issue);
  }

  show(fileName: string, messages: Messages): void {
    showUnread(fileName, this.#first, this.#count, messages);
  }
}

/** Names lines of the file that are left out. `count`: of all, where `first` are only the first of them. */
export function showUnread(
  fileName: string,
  first: readonly Pick<RowIssue, 'line' | 'column' | 'reason'>[],
  count: number,
  messages: Messages,
): void {
  const sentences = first.map(
    ({ line, column, reason }) =>
      `${fileName} line ${line}${column === null ? '' : `, ${column}`}: ${reason} (left out)`,
  );
  messages.sayFirst(sentences, count, (more) => `${fileName}: ${more} more lines cannot be read (left out)`);
}

/** A file of another kind fails on every line in the same way. */
const shownMax = 1_000;
