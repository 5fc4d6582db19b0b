import { connect } from '../../db/connection.ts';
import { jsonLog, systemClock } from '../../deps.ts';
import { type ErrorWords, wordsOf } from '../../http/error-words.ts';
import { type StoreOrder, storeImport } from './store.ts';
import type { ImportView } from './view.ts';

/**
 * The Worker that stores a large import and brings the gains after it, on connections of its own: what it does and what
 * it leaves in memory holds up nobody else's requests, and goes with it.
 */
export type ToStorer =
  | { readonly kind: 'store'; readonly url: string; readonly order: StoreOrder }
  /** The answer to `asking`. */
  | { readonly kind: 'told'; readonly goesOn: boolean };

export type FromStorer =
  /** Whether anybody still waits for the import. */
  { readonly kind: 'asking' } | { readonly kind: 'stored'; readonly view: ImportView } | ErrorWords;

declare const self: Worker;

const log = jsonLog(systemClock);
// As in the server itself: what fails while nobody waits for it is told, and ends nothing.
process.on('unhandledRejection', (reason) => log.error('unhandled rejection', reason));

let told: (goesOn: boolean) => void = () => {};

self.onmessage = ({ data }: MessageEvent<ToStorer>) => {
  if (data.kind === 'told') told(data.goesOn);
  else void begin(data.url, data.order);
};

async function begin(url: string, order: StoreOrder): Promise<void> {
  // One for the transaction, one for what its watchers are told meanwhile.
  const database = connect(url, { connectionsMax: 2 });
  const deps = { database, clock: systemClock, log };
  let answer: FromStorer;
  try {
    answer = { kind: 'stored', view: await storeImport(deps, order, stay) };
  } catch (error) {
    answer = wordsOf(error);
  }
  await database.close();
  send(answer);
}

async function stay(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  told = resolve;
  send({ kind: 'asking' });
  if (!(await promise)) throw new Error('Nobody waits for this import any more.');
}

function send(message: FromStorer): void {
  self.postMessage(message);
}
