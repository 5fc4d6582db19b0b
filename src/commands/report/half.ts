import { Refusal } from '../../base/refusal.ts';
import type { Rules } from '../../engine/model.ts';
import type { ReadingOptions } from '../../formats/opening.ts';
import { Direction, readFile } from '../../formats/read.ts';
import { type Halves, streamOfSecond } from './halves.ts';
import { History, type HistoryFile, type HistoryState } from './history.ts';
import { keep, Rejects, type RejectsTold } from './rejects.ts';

export interface HalfOrder {
  readonly halves: Halves;
  readonly options: ReadingOptions;
  readonly accounts: Rules['accounts'];
}

/** The second half of a file as it was read under the header alone: its first line is the second. */
export interface Half {
  readonly formatId: string;
  readonly header: readonly string[];
  readonly history: HistoryState;
  readonly rejects: RejectsTold;
  readonly lastLine: number;
}

/** Null where the file may mean something else as a whole: whoever reads the first half goes on. */
export async function readHalf({ halves, options, accounts }: HalfOrder): Promise<Half | null> {
  const history = new History(accounts);
  const rejects = new Rejects();
  let start: { readonly formatId: string; readonly header: readonly string[]; readonly file: HistoryFile } | null =
    null;
  try {
    for await (const batch of readFile(streamOfSecond(halves), options)) {
      if (batch.kind === 'format') {
        const { format, header, headerLine } = batch;
        if (format.readsRowsAlone !== true || headerLine !== 1) return null;
        start = { formatId: format.id, header, file: history.begin('', format.assetClass) };
      } else if (start === null) return null;
      else if (batch.kind === 'outcomes') keep(batch.outcomes, history, start.file, rejects);
      else {
        const { formatId, header } = start;
        return { formatId, header, history: history.state, rejects, lastLine: batch.lastLine };
      }
    }
    return null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Puts the second half behind the first, the file's only rows so far. */
export function joinSecond(half: Half, history: History, file: HistoryFile, rejects: Rejects): void {
  // Its header is counted with the first half too.
  const linesBefore = file.lastLine - 1;
  history.append(half.history, file, linesBefore);
  rejects.append(half.rejects, linesBefore);
  const direction = new Direction();
  for (let row = file.firstRow; row < file.endRow; row++) {
    direction.add({ at: history.atOf(row), on: history.onOf(row) });
  }
  history.end(file, { descending: direction.descending, lastLine: half.lastLine + linesBefore });
}
