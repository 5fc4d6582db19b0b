import { collectGarbage } from '../../base/garbage.ts';
import { type Half, type HalfOrder, readHalf } from './half.ts';
import { History, type HistoryState } from './history.ts';
import type { BookPart, PartsOrder } from './parts.ts';
import { partsInTurn, type Turns } from './turns.ts';

/** The second thread of a report over files that are large: it reads the second half of one, and replays some of the books. */
export interface ReplayJob {
  readonly history: HistoryState;
  readonly rows: Uint32Array<SharedArrayBuffer>;
  readonly order: PartsOrder;
  readonly turns: Turns;
}

export type ToWorker =
  | { readonly kind: 'read'; readonly order: HalfOrder }
  | { readonly kind: 'replay'; readonly job: ReplayJob };

export type FromWorker =
  | { readonly kind: 'half'; readonly half: Half | null }
  | { readonly kind: 'parts'; readonly parts: ReadonlyMap<number, BookPart> }
  | { readonly kind: 'failed'; readonly reason: string };

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  answer(data)
    .catch((error: unknown): FromWorker => {
      return { kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    })
    .then((message) => self.postMessage(message))
    // What was read is columns by now: all else of it is left behind.
    .then(() => collectGarbage(0));
};

async function answer(message: ToWorker): Promise<FromWorker> {
  if (message.kind === 'read') return { kind: 'half', half: await readHalf(message.order) };
  const { history, rows, order, turns } = message.job;
  return { kind: 'parts', parts: partsInTurn(History.of(history), rows, order, turns) };
}
