import { effect, signal } from '@preact/signals';
import { bytes } from '../format/bytes.ts';
import { now } from '../format/now.ts';
import { api, unwrapResponse } from './api.ts';
import { booksChanged } from './changes.ts';
import { followImport, type StoringProgress } from './import-events.ts';
import { learnPace } from './import-pace.ts';
import { forgetRecalled, type KeptUpload, keepUploads, recallUploads } from './kept-uploads.ts';
import { connection } from './live.ts';
import { clientId } from './page-url.ts';
import { Problem, toProblem } from './problem.ts';
import { account } from './session.ts';
import { type ImportedFile, sendFile, type UploadOptions } from './upload-request.ts';

/** A file being uploaded. The upload continues on any page. */
export interface FileUpload {
  readonly id: number;
  /** The number of the drop. Files that were chosen together have the same one. */
  readonly drop: number;
  readonly file: File;
  readonly client: string | null;
  readonly options: UploadOptions;
  /** The idempotency key. A file that is sent again with it is imported once. */
  readonly key: string;
  /** Set once the server has the whole file. */
  readonly importId: string | null;
  /** Whether to preview what would change before anything is stored. */
  readonly isTrial: boolean;
  readonly step: UploadStep;
}

export type UploadStep =
  | { readonly name: 'waiting' }
  /** `share` is the part that has been sent, from 0 to 1. */
  | { readonly name: 'sending'; readonly share: number; readonly startedAt: number }
  | { readonly name: 'storing'; readonly progress: StoringProgress }
  | { readonly name: 'tried'; readonly result: ImportedFile }
  | { readonly name: 'done'; readonly result: ImportedFile }
  | { readonly name: 'undone' }
  | { readonly name: 'stopped'; readonly problem: Problem };

const all = signal<readonly FileUpload[]>([]);

/** Returns the uploads into the open books, newest first. */
export function uploadsHere(): readonly FileUpload[] {
  return all.value.filter(({ client }) => client === clientId.value);
}

/**
 * Maximum number of concurrent uploads. A browser opens six connections to a server, and other pages need some of them.
 */
const runningMax = 2;
const aborts = new Map<number, AbortController>();
let lastId = 0;
let lastDrop = 0;

/** Options for the next files. */
export const nextFiles = signal({ account: '', isTrial: false, isCorrection: false });

export function addFiles(files: Iterable<File>): void {
  const { account: name, isTrial, isCorrection } = nextFiles.peek();
  const options = {
    ...(name.trim() === '' ? {} : { account: name.trim() }),
    ...(isCorrection ? { correction: 'true' } : {}),
  };
  const client = clientId.peek();
  add([...files].map((file) => ({ file, client, options, key: newKey(), isTrial })));
}

/** Resumes an upload that was interrupted when the page was closed, after the user selects the file again. */
export function addAgain({ key, name, size, client, options }: KeptUpload, file: File): void {
  forgetRecalled(key);
  // Reuses the key so that the file is not imported twice if the server has it after all.
  const isSame = file.name === name && file.size === size;
  add([{ file, client, options, key: isSame ? key : newKey(), isTrial: false }]);
}

function add(files: readonly Omit<FileUpload, 'id' | 'drop' | 'importId' | 'step'>[]): void {
  lastDrop += 1;
  const added = files.map((file): FileUpload => {
    lastId += 1;
    return { ...file, id: lastId, drop: lastDrop, importId: null, step: { name: 'waiting' } };
  });
  all.value = [...added, ...all.peek()];
  startNext();
}

/** Sends the file with the current options. */
export function sendAgain(id: number, options?: UploadOptions, isTrial = false): void {
  const upload = find(id);
  if (upload === undefined || isRunning(upload)) return;
  const { step } = upload;
  // Reuses the key if there was no response because the import may already be done.
  const isSame = options === undefined && step.name === 'stopped' && sameKeyCodes.has(step.problem.code);
  const change = { isTrial, step: { name: 'waiting' } as const, ...(isSame ? {} : { key: newKey() }) };
  update(id, options === undefined ? change : { ...change, options });
  startNext();
}

const sameKeyCodes: ReadonlySet<string> = new Set(['offline', 'idempotency_in_flight', 'unauthenticated']);

/** Stops the upload and leaves its card on the page. */
export function stopUpload(id: number): void {
  aborts.get(id)?.abort();
  if (find(id)?.step.name === 'waiting') remove(id);
}

export function removeUpload(id: number): void {
  aborts.get(id)?.abort();
  remove(id);
}

/** Returns what undoing an import would remove. */
export async function previewUndo(importId: string, client: string | null) {
  const query = { dryRun: true, ...(client === null ? {} : { client }) };
  const preview = await unwrapResponse(api.imports({ id: importId }).delete(undefined, { query }));
  if (preview === undefined) throw new Error('A dry run returned no preview.');
  return preview;
}

export async function undoImport(importId: string, client: string | null): Promise<void> {
  await unwrapResponse(api.imports({ id: importId }).delete(undefined, { query: client === null ? {} : { client } }));
  for (const { id, step } of all.peek()) {
    if (step.name === 'done' && step.result.id === importId) update(id, { step: { name: 'undone' } });
  }
  booksChanged();
}

export function isRunning({ step }: FileUpload): boolean {
  return step.name === 'sending' || step.name === 'storing';
}

function startNext(): void {
  const free = Math.max(0, runningMax - all.peek().filter(isRunning).length);
  const waiting = all.peek().filter(({ step }) => step.name === 'waiting');
  for (const { id } of waiting.toReversed().slice(0, free)) void run(id);
}

async function run(id: number): Promise<void> {
  const upload = find(id);
  if (upload === undefined) return;
  update(id, { step: { name: 'sending', share: 0, startedAt: now() } });
  try {
    if (!upload.isTrial) await requireSpace(upload);
    const result = await sent(upload);
    if (upload.isTrial) update(id, { step: { name: 'tried', result } });
    else {
      booksChanged();
      update(id, { step: { name: 'done', result } });
      sendAlike(upload);
    }
  } catch (error) {
    const problem = toProblem(error);
    update(id, { step: { name: 'stopped', problem } });
    if (problem.code === 'plan_limit' && problem.members.isUnsent !== true) void showWhatItGives(upload);
  }
  aborts.delete(id);
  startNext();
}

async function sent({ id, file, client, options, key, isTrial }: FileUpload): Promise<ImportedFile> {
  const abort = new AbortController();
  aborts.set(id, abort);
  const startedAt = now();
  const onSent = (share: number): void => update(id, { step: { name: 'sending', share, startedAt } });
  const uploadRequest = { file, options, client, key: isTrial ? null : key, onSent, signal: abort.signal };
  for (let tries = 0; ; tries++) {
    try {
      const result = await sendFile(uploadRequest);
      if (isTrial || result.status !== 'running') return result;
      update(id, { importId: result.id });
      const receivedAt = now();
      const stored = await followImport(result.id, client, (progress) =>
        update(id, { step: { name: 'storing', progress } }),
      );
      learnPace(stored.rows, (now() - receivedAt) / 1_000);
      return stored;
    } catch (error) {
      // The server is still processing the interrupted request.
      const isHeld = toProblem(error).code === 'idempotency_in_flight' && tries < heldSeconds && !abort.signal.aborted;
      if (!isHeld) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

const heldSeconds = 30;

/** Smaller files are sent without a check. The server refuses them quickly. */
const checkedBytesMin = 1_000_000;

/** Throws if the file is larger than the server accepts or than the space that the plan has left. */
async function requireSpace({ file, client }: FileUpload): Promise<void> {
  if (file.size < checkedBytesMin) return;
  const { limits } = await unwrapResponse(api.config.get());
  const refuse = (code: string, detail: string): never => {
    throw new Problem(code, 0, `${detail} Nothing was sent.`, null, [], { isUnsent: true });
  };
  if (file.size > limits.uploadBytes) {
    refuse(
      'too_large',
      `This file is ${bytes(file.size)}, and a file can be up to ${bytes(limits.uploadBytes)}. Split it and import the parts.`,
    );
  }
  const { plan, quotas } = await unwrapResponse(api.status.get({ query: client === null ? {} : { client } }));
  const { used, limit } = quotas.importBytes;
  if (used + file.size > limit) {
    refuse(
      'plan_limit',
      `This file is ${bytes(file.size)}. Your ${plan} plan includes ${bytes(limit)} of imported files, and you have ${bytes(used)}.`,
    );
  }
}

/** Previews a file that exceeds the plan limit, which does not apply to a dry run. */
async function showWhatItGives({ id, file, options, client }: FileUpload): Promise<void> {
  const result = await sendFile({ file, options, client, key: null }).catch(() => null);
  if (result !== null && find(id)?.step.name === 'stopped')
    update(id, { isTrial: true, step: { name: 'tried', result } });
}

/** Sends other files with the same columns, which were waiting for the mapping that is now saved. */
function sendAlike({ options, client }: FileUpload): void {
  if (options.mapping === undefined) return;
  const columns = Object.keys(options.mapping.columns);
  for (const other of all.peek()) {
    if (other.client !== client || other.step.name !== 'stopped') continue;
    const proposed = JSON.stringify(other.step.problem.members.proposal ?? null);
    if (columns.every((column) => proposed.includes(JSON.stringify(column)))) sendAgain(other.id, other.options);
  }
}

function find(id: number): FileUpload | undefined {
  return all.peek().find((upload) => upload.id === id);
}

function update(id: number, change: Partial<FileUpload>): void {
  all.value = all.peek().map((upload) => (upload.id === id ? { ...upload, ...change } : upload));
}

function remove(id: number): void {
  all.value = all.peek().filter((upload) => upload.id !== id);
}

function newKey(): string {
  return crypto
    .getRandomValues(new Uint8Array(16))
    .reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '');
}

/** Resumes interrupted uploads when the connection is back. */
function resume(): void {
  for (const { id, step } of all.peek()) {
    if (step.name === 'stopped' && step.problem.code === 'offline') sendAgain(id);
  }
}

addEventListener('online', resume);
effect(() => {
  if (connection.value === 'open') resume();
});

/** Returns whether the server does not have the whole file yet. Such an upload requires this page to stay open. */
export function isUploading(): boolean {
  return all.peek().some(({ step }) => step.name === 'sending' || step.name === 'waiting');
}

addEventListener('beforeunload', (event) => {
  if (isUploading()) event.preventDefault();
});

/** Uploads are cleared when the user changes. */
let owner: string | null = null;
effect(() => {
  const id = account.value?.id;
  if (id === undefined || id === owner) return;
  owner = id;
  for (const abort of aborts.values()) abort.abort();
  all.value = [];
  recallUploads(id);
});

effect(() => {
  const going = all.value.filter((upload) => !upload.isTrial && (isRunning(upload) || upload.step.name === 'waiting'));
  const kept = going.map(({ file, ...upload }) => ({ ...upload, name: file.name, size: file.size }));
  if (owner !== null) keepUploads(owner, kept);
});
