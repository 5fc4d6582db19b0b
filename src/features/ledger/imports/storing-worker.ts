import { connect, type DatabaseAddress } from '../../../db/connection.ts';
import { jsonLog, systemClock } from '../../../deps.ts';
import { withAuditRecording } from '../../../http/audit/recorded.ts';
import { type ErrorWords, toErrorWords } from '../../../http/errors.ts';
import { type StoreRequest, storeImport } from './store.ts';
import type { ImportView } from './view.ts';

/**
 * A message to the Worker that stores large imports and recomputes the gains. The Worker has its own database
 * connections. Its work does not slow down other requests, and its memory is freed when it ends.
 */
export type ToStorer =
  | { readonly kind: 'store'; readonly address: DatabaseAddress; readonly request: StoreRequest }
  /** The caller no longer waits for the import. */
  | { readonly kind: 'abort' };

export type FromStorer = { readonly kind: 'stored'; readonly view: ImportView } | ErrorWords;

declare const self: Worker;

const log = jsonLog(systemClock);
// As in the server, an unhandled rejection is logged and does not stop the Worker.
process.on('unhandledRejection', (reason) => log.error('unhandled rejection', reason));

/** The controller that aborts the current import. */
let current = new AbortController();

self.onmessage = ({ data }: MessageEvent<ToStorer>) => {
  if (data.kind === 'abort') {
    current.abort(new Error('The caller stopped waiting for this import.'));
    return;
  }
  current = new AbortController();
  void begin(data.address, data.request, current.signal);
};

async function begin(address: DatabaseAddress, request: StoreRequest, signal: AbortSignal): Promise<void> {
  // One connection is for the transaction and one for the progress events written during it.
  const database = connect(address, { connectionsMax: 2, name: 'lotbook storing' });
  const deps = { database: withAuditRecording(database), clock: systemClock, log };
  let outcome: FromStorer;
  try {
    outcome = { kind: 'stored', view: await storeImport(deps, request, signal) };
  } catch (error) {
    outcome = toErrorWords(error);
  }
  await database.close();
  send(outcome);
}

function send(message: FromStorer): void {
  self.postMessage(message);
}
