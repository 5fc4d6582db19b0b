import type { Mapping } from '../../formats/mapping/mapping.ts';
import { api, type DataOf, unwrapResponse } from './api.ts';
import { Problem, problemFrom } from './problem.ts';
import { signedOut } from './proof-request.ts';

/** An import as the API returns it. A dry run includes its preview. */
export type ImportedFile = DataOf<ReturnType<typeof api.imports>['get']>;

export function readImport(id: string, client: string | null) {
  return unwrapResponse(api.imports({ id }).get({ query: ofClient(client) }));
}

/** Returns the query of a request for a client's books, or for the user's own. */
export const ofClient = (client: string | null): { client?: string } => (client === null ? {} : { client });

/** Options of an upload. */
export interface UploadOptions {
  readonly account?: string;
  readonly format?: string;
  readonly mapping?: Mapping;
  readonly dateOrder?: string;
  readonly side?: string;
  /** The table to read from a ZIP or workbook. */
  readonly part?: string;
  /** If `true`, the file corrects an earlier one. */
  readonly correction?: string;
}

interface UploadRequest {
  readonly file: File;
  readonly options: UploadOptions;
  /** The books that were open when the file was dropped. */
  readonly client: string | null;
  /** The idempotency key: a repeated request is done once. Null for a dry run. */
  readonly key: string | null;
  /** The share of the whole request that has been sent, from 0 to 1. */
  readonly onSent?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/** Uploads a file to import it, or to preview it if there is no key. Resolves when its rows are read. */
export function sendFile(uploadRequest: UploadRequest): Promise<ImportedFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ImportedFile>();
  // Uses XMLHttpRequest because `fetch` does not report upload progress.
  const request = new XMLHttpRequest();
  request.open('POST', buildUploadUrl(uploadRequest));
  request.setRequestHeader('accept', 'application/json');
  if (uploadRequest.key !== null) {
    request.setRequestHeader('prefer', 'respond-async');
    request.setRequestHeader('idempotency-key', uploadRequest.key);
  }
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    uploadRequest.onSent?.(total === 0 ? 0 : loaded / total),
  );
  request.addEventListener('load', () => {
    if (request.status === 401) signedOut.value += 1;
    const body = parseBody(request.responseText);
    if (request.status < 400) resolve(body as ImportedFile);
    else reject(problemFrom(request.status, body));
  });
  request.addEventListener('error', () => reject(new Problem('offline', 0, brokenOff, null)));
  request.addEventListener('abort', () =>
    reject(new Problem('aborted', 0, 'You stopped this upload. Nothing was saved.', null)),
  );
  uploadRequest.signal?.addEventListener('abort', () => request.abort(), { once: true });
  const form = new FormData();
  form.set('file', uploadRequest.file);
  request.send(form);
  return promise;
}

const brokenOff =
  "The connection dropped during the upload. It will resume when you're back online; nothing is imported twice.";

function buildUploadUrl({ options, client, key }: UploadRequest): string {
  const { mapping, ...texts } = options;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(texts)) if (value !== undefined && value !== '') query.set(name, value);
  if (mapping !== undefined) query.set('mapping', JSON.stringify(mapping));
  if (key === null) query.set('dryRun', 'true');
  if (client !== null) query.set('client', client);
  return `/v1/transactions/import?${query}`;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
