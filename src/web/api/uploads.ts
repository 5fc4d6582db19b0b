import { effect, signal } from '@preact/signals';
import { clientId } from './acting.ts';
import { api, got } from './api.ts';
import { booksChanged } from './changes.ts';
import { followImport, type StoringProgress } from './import-events.ts';
import { forgetRecalled, type KeptUpload, keepUploads, recallUploads } from './kept-uploads.ts';
import { connection } from './live.ts';
import { type Problem, problemOf } from './problem.ts';
import { account } from './session.ts';
import { type ImportedFile, sendFile, type UploadOptions } from './upload-request.ts';

/** A file on its way into the books. It goes on whichever page is open. */
export interface FileUpload {
  readonly id: number;
  readonly file: File;
  readonly client: string | null;
  readonly options: UploadOptions;
  /** Sent again with it, a file is imported once. */
  readonly key: string;
  /** Once the server has all of it. */
  readonly importId: string | null;
  /** Look first: what would change, before anything is stored. */
  readonly isTrial: boolean;
  readonly step: UploadStep;
}

export type UploadStep =
  | { readonly name: 'waiting' }
  /** `share`: what is sent, from 0 to 1. */
  | { readonly name: 'sending'; readonly share: number }
  | { readonly name: 'storing'; readonly progress: StoringProgress }
  | { readonly name: 'tried'; readonly result: ImportedFile }
  | { readonly name: 'done'; readonly result: ImportedFile }
  | { readonly name: 'undone' }
  /** `tried`: what it would have changed, where the plan has no room for it. */
  | { readonly name: 'stopped'; readonly problem: Problem; readonly tried: ImportedFile | null };

const all = signal<readonly FileUpload[]>([]);

/** The uploads into the books that are open, the newest first. */
export function uploadsHere(): readonly FileUpload[] {
  return all.value.filter(({ client }) => client === clientId.value);
}

/** So many at a time: a browser has six connections to a server, and other pages need some of them. */
const runningMax = 2;
const aborts = new Map<number, AbortController>();
let lastId = 0;

/** What is said of the files that come next. */
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

/** A file that was not sent whole before the page was left is chosen again. */
export function addAgain({ key, name, size, client, options }: KeptUpload, file: File): void {
  forgetRecalled(key);
  // The same request: should the server have it after all, it is not imported twice.
  const isSame = file.name === name && file.size === size;
  add([{ file, client, options, key: isSame ? key : newKey(), isTrial: false }]);
}

function add(files: readonly Omit<FileUpload, 'id' | 'importId' | 'step'>[]): void {
  const added = files.map((file): FileUpload => {
    lastId += 1;
    return { ...file, id: lastId, importId: null, step: { name: 'waiting' } };
  });
  all.value = [...added, ...all.peek()];
  startNext();
}

/** Sends it, with what is said now of the file. */
export function sendAgain(id: number, options?: UploadOptions, isTrial = false): void {
  const upload = find(id);
  if (upload === undefined || isRunning(upload)) return;
  const { step } = upload;
  // The same request, where no answer came: then it may be done already.
  const isSame = options === undefined && step.name === 'stopped' && sameKeyCodes.has(step.problem.code);
  const change = { isTrial, step: { name: 'waiting' } as const, ...(isSame ? {} : { key: newKey() }) };
  update(id, options === undefined ? change : { ...change, options });
  startNext();
}

const sameKeyCodes: ReadonlySet<string> = new Set(['offline', 'idempotency_in_flight', 'unauthenticated']);

/** Stops it where it is sent; its card stays. */
export function stopUpload(id: number): void {
  aborts.get(id)?.abort();
  if (find(id)?.step.name === 'waiting') remove(id);
}

export function removeUpload(id: number): void {
  aborts.get(id)?.abort();
  remove(id);
}

export async function undoUpload(id: number): Promise<void> {
  const upload = find(id);
  if (upload?.step.name !== 'done') return;
  await undoImportOf(upload.step.result.id, upload.client);
  update(id, { step: { name: 'undone' } });
}

export async function undoImportOf(importId: string, client: string | null): Promise<void> {
  await got(api.imports({ id: importId }).delete(undefined, { query: client === null ? {} : { client } }));
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
  update(id, { step: { name: 'sending', share: 0 } });
  try {
    const result = await sent(upload);
    if (upload.isTrial) update(id, { step: { name: 'tried', result } });
    else {
      booksChanged();
      update(id, { step: { name: 'done', result } });
      sendAlike(upload);
    }
  } catch (error) {
    const problem = problemOf(error);
    update(id, { step: { name: 'stopped', problem, tried: null } });
    if (problem.code === 'plan_limit') void showWhatItGives(upload, problem);
  }
  aborts.delete(id);
  startNext();
}

async function sent({ id, file, client, options, key, isTrial }: FileUpload): Promise<ImportedFile> {
  const abort = new AbortController();
  aborts.set(id, abort);
  const onSent = (share: number): void => update(id, { step: { name: 'sending', share } });
  const order = { file, options, client, key: isTrial ? null : key, onSent, signal: abort.signal };
  for (let tries = 0; ; tries++) {
    try {
      const result = await sendFile(order);
      if (isTrial || result.status !== 'running') return result;
      update(id, { importId: result.id });
      return await followImport(result.id, client, (progress) => update(id, { step: { name: 'storing', progress } }));
    } catch (error) {
      // The server still holds the request that broke off.
      const isHeld = problemOf(error).code === 'idempotency_in_flight' && tries < heldSeconds && !abort.signal.aborted;
      if (!isHeld) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

const heldSeconds = 30;

/** Before the wall: a dry run has no limit. */
async function showWhatItGives({ id, file, options, client }: FileUpload, problem: Problem): Promise<void> {
  const tried = await sendFile({ file, options, client, key: null }).catch(() => null);
  if (find(id)?.step.name === 'stopped') update(id, { step: { name: 'stopped', problem, tried } });
}

/** Files of the same columns wait for the same answer: it is remembered now. */
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

/** What broke off goes on when the connection is back. */
function resume(): void {
  for (const { id, step } of all.peek()) {
    if (step.name === 'stopped' && step.problem.code === 'offline') sendAgain(id);
  }
}

addEventListener('online', resume);
effect(() => {
  if (connection.value === 'open') resume();
});

/** Whether a file is not yet on the server as a whole: only the others go on without the page. */
export function isUploading(): boolean {
  return all.peek().some(({ step }) => step.name === 'sending' || step.name === 'waiting');
}

addEventListener('beforeunload', (event) => {
  if (isUploading()) event.preventDefault();
});

/** The files of one user are nobody else's. */
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
