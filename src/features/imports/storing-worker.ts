import { connect, type DatabaseAddress } from '../../db/connection.ts';
import { jsonLog, systemClock } from '../../deps.ts';
import { withAuditRecording } from '../../http/audit/recorded.ts';
import { type ErrorWords, toErrorWords } from '../../http/error-words.ts';
import { type StoreRequest, storeImport } from './store.ts';
import type { ImportView } from './view.ts';

/**
 * The Worker that stores a large import and updates the gains, on its own connections. Its work and its memory do not
 * slow down other requests and end with it.
 */
export type ToStorer =
  | { readonly kind: 'store'; readonly address: DatabaseAddress; readonly order: StoreRequest }
  /** The caller no longer waits for the import. */
  | { readonly kind: 'abort' };

export type FromStorer = { readonly kind: 'stored'; readonly view: ImportView } | ErrorWords;

declare const self: Worker;

const log = jsonLog(systemClock);
// As in the server itself, an unhandled rejection is logged and does not stop the Worker.
process.on('unhandledRejection', (reason) => log.error('unhandled rejection', reason));

/** Aborts the import that is being stored. */
let current = new AbortController();

self.onmessage = ({ data }: MessageEvent<ToStorer>) => {
  if (data.kind === 'abort') {
    current.abort(new Error('The caller stopped waiting for this import.'));
    return;
  }
  current = new AbortController();
  void begin(data.address, data.order, current.signal);
};

async function begin(address: DatabaseAddress, order: StoreRequest, signal: AbortSignal): Promise<void> {
  // One for the transaction, one for the progress events that are written meanwhile.
  const database = connect(address, { connectionsMax: 2, name: 'lotbook storing' });
  const deps = { database: withAuditRecording(database), clock: systemClock, log };
  let outcome: FromStorer;
  try {
    outcome = { kind: 'stored', view: await storeImport(deps, order, signal) };
  } catch (error) {
    outcome = toErrorWords(error);
  }
  await database.close();
  send(outcome);
}

function send(message: FromStorer): void {
  self.postMessage(message);
}
