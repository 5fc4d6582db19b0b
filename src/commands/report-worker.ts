import { History, type HistoryState } from './report-history.ts';
import type { BookPart, PartsOrder } from './report-parts.ts';
import { partsInTurn, type Turns } from './report-turns.ts';

/** The second thread of a report over files that are large: it replays some of the books. */
export interface ReplayJob {
  readonly history: HistoryState;
  readonly rows: Uint32Array<SharedArrayBuffer>;
  readonly order: PartsOrder;
  readonly turns: Turns;
}

export type ToWorker = { readonly kind: 'replay'; readonly job: ReplayJob };

export type FromWorker =
  | { readonly kind: 'parts'; readonly parts: ReadonlyMap<number, BookPart> }
  | { readonly kind: 'failed'; readonly reason: string };

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  try {
    const { history, rows, order, turns } = data.job;
    send({ kind: 'parts', parts: partsInTurn(History.of(history), rows, order, turns) });
  } catch (error) {
    send({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
};

function send(message: FromWorker): void {
  self.postMessage(message);
}
