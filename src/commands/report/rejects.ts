import type { Outcome, RowIssue } from '../../formats/format.ts';
import type { History, HistoryFile } from './history.ts';
import type { Messages } from './messages.ts';

/** Lines of a file that cannot be read: the first of them, and how many there are. */
export interface RejectsTold {
  readonly first: readonly Pick<RowIssue, 'line' | 'column' | 'reason'>[];
  readonly count: number;
}

export class Rejects implements RejectsTold {
  readonly first: Pick<RowIssue, 'line' | 'column' | 'reason'>[] = [];
  count = 0;

  add({ line, column, reason }: RowIssue): void {
    this.count += 1;
    if (this.first.length < rejectsToldMax) this.first.push({ line, column, reason });
  }

  /** Those of a later part of the file, whose lines count from there. */
  append({ first, count }: RejectsTold, linesBefore: number): void {
    this.count += count;
    for (const { line, column, reason } of first.slice(0, rejectsToldMax - this.first.length)) {
      this.first.push({ line: line + linesBefore, column, reason });
    }
  }

  tell(name: string, messages: Messages): void {
    const told = this.first.map(
      ({ line, column, reason }) => `${name} line ${line}${column === null ? '' : `, ${column}`}: ${reason} (left out)`,
    );
    messages.sayFirst(told, this.count, (more) => `${name}: ${more} more lines cannot be read (left out)`);
  }
}

/** The rest of a file that is none of ours says nothing new. */
const rejectsToldMax = 1_000;

/** What was read becomes rows of the history, what could not be is remembered. */
export function keep(outcomes: readonly Outcome[], history: History, file: HistoryFile, rejects: Rejects): void {
  for (const outcome of outcomes) {
    if (outcome.kind === 'read') for (const draft of outcome.drafts) history.add(draft, file);
    else if (outcome.kind === 'rejected') rejects.add(outcome.issue);
  }
}
