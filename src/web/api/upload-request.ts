import type { Mapping } from '../../formats/mapping/mapping.ts';
import { api, got } from './api.ts';
import { Problem, problemFrom } from './problem.ts';
import { signedOut } from './session-end.ts';

/** An import as the API answers it; of a dry run with its preview. */
export type ImportedFile = Awaited<ReturnType<typeof readImport>>;

export function readImport(id: string, client: string | null) {
  return got(api.imports({ id }).get({ query: client === null ? {} : { client } }));
}

/** What a request may say of its file. */
export interface UploadOptions {
  readonly account?: string;
  readonly format?: string;
  readonly mapping?: Mapping;
  readonly dateOrder?: string;
  readonly side?: string;
  /** `true`: the file corrects an earlier one. */
  readonly correction?: string;
}

export interface UploadOrder {
  readonly file: File;
  readonly options: UploadOptions;
  /** Whose books it goes to: those that were open when it was dropped. */
  readonly client: string | null;
  /** A request that is repeated with it is done once. Null: of a dry run. */
  readonly key: string | null;
  /** Of the whole request, from 0 to 1. */
  readonly onSent?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Sends a file to be imported, or to be tried where it has no key. The browser streams it from the disk. Answers when it
 * has arrived whole and its rows are read.
 */
export function sendFile(order: UploadOrder): Promise<ImportedFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ImportedFile>();
  // `fetch` says nothing of what is sent.
  const request = new XMLHttpRequest();
  request.open('POST', addressOf(order));
  request.setRequestHeader('accept', 'application/json');
  if (order.key !== null) {
    request.setRequestHeader('prefer', 'respond-async');
    request.setRequestHeader('idempotency-key', order.key);
  }
  request.upload.addEventListener('progress', ({ loaded, total }) => order.onSent?.(total === 0 ? 0 : loaded / total));
  request.addEventListener('load', () => {
    if (request.status === 401) signedOut.value += 1;
    const body = bodyOf(request.responseText);
    if (request.status < 400) resolve(body as ImportedFile);
    else reject(problemFrom(request.status, body));
  });
  request.addEventListener('error', () => reject(new Problem('offline', 0, brokenOff, null)));
  request.addEventListener('abort', () =>
    reject(new Problem('aborted', 0, 'You stopped it. Nothing was stored.', null)),
  );
  order.signal?.addEventListener('abort', () => request.abort(), { once: true });
  const form = new FormData();
  form.set('file', order.file);
  request.send(form);
  return promise;
}

const brokenOff =
  'The connection broke while the file was sent. It goes on by itself when the connection is back; nothing is imported twice.';

function addressOf({ options, client, key }: UploadOrder): string {
  const { mapping, ...texts } = options;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(texts)) if (value !== undefined && value !== '') query.set(name, value);
  if (mapping !== undefined) query.set('mapping', JSON.stringify(mapping));
  if (key === null) query.set('dryRun', 'true');
  if (client !== null) query.set('client', client);
  return `/v1/transactions/import?${query}`;
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
