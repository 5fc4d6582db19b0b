import { effect, signal } from '@preact/signals';
import { bytes } from '../format/amounts.ts';
import { now } from '../format/dates.ts';
import { api, booksChanged, newKey, unwrapResponse } from './api.ts';
import { followImport, type StoringProgress } from './import-events.ts';
import { learnPace } from './import-pace.ts';
import { forgetFile, forgetFiles, keepFile, keepUploads, recallFiles, recallUploads } from './kept-uploads.ts';
import { connection } from './live.ts';
import { clientId } from './page-url.ts';
import { Problem, toProblem } from './problem.ts';
import { account, hasSessionEnded } from './session.ts';
import { type ImportedFile, ofClient, sendFile, type UploadOptions } from './upload-request.ts';

/** A file being uploaded. The upload continues on any page. */
export interface FileUpload {
  readonly id: number;
  /** The time of the drop. Files that were chosen together have the same one. */
  readonly drop: number;
  /** The name of the file in this browser's storage. */
  readonly fileId: string;
  /** Empty after a reload that lost the file. */
  readonly file: File;
  readonly size: number;
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

type UploadStep =
  | { readonly name: 'waiting' }
  /** The page was closed during the upload, and the file must be selected again. */
  | { readonly name: 'unsent' }
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

/** Maximum number of concurrent uploads. Pages need some of the browser's six connections to a server. */
const runningMax = 2;
const aborts = new Map<number, AbortController>();
let lastId = 0;

const noOptions = { account: '', isTrial: false, isCorrection: false };

/** Options for the next files. */
export const nextFiles = signal(noOptions);

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
export function addAgain({ id, key, size, file: { name } }: FileUpload, file: File): void {
  // Reuses the key so that the file is not imported twice if the server has it after all.
  const isSame = file.name === name && file.size === size;
  update(id, { file, size: file.size, key: isSame ? key : newKey(), step: { name: 'waiting' } });
  startNext();
}

type NewUpload = Pick<FileUpload, 'file' | 'client' | 'options' | 'key' | 'isTrial'>;

function add(files: readonly NewUpload[], drop = now()): void {
  const added = files.map((upload): FileUpload => {
    lastId += 1;
    const { file, key } = upload;
    if (owner !== null) void keepFile(owner, key, file);
    const rest = { fileId: key, size: file.size, drop, importId: null, step: { name: 'waiting' } } as const;
    return { ...upload, ...rest, id: lastId };
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
  const query = { dryRun: true, ...ofClient(client) };
  const preview = await unwrapResponse(api.imports({ id: importId }).delete(undefined, { query }));
  if (preview === undefined) throw new Error('A dry run returned no preview.');
  return preview;
}

export async function undoImport(importId: string, client: string | null): Promise<void> {
  await unwrapResponse(api.imports({ id: importId }).delete(undefined, { query: ofClient(client) }));
  for (const { id, step } of all.peek()) {
    if (step.name === 'done' && step.result.id === importId) update(id, { step: { name: 'undone' } });
  }
  booksChanged();
}

/** Restores an undone import with its edits and answers. */
export async function restoreImport(importId: string, client: string | null): Promise<void> {
  const result = await unwrapResponse(
    api.imports({ id: importId }).restore.post(undefined, { query: ofClient(client) }),
  );
  const upload = all.peek().find((one) => one.importId === importId);
  if (upload === undefined) booksChanged();
  else finish(upload.id, result);
}

/** Moves the rows of an import that name no account to this one. */
export async function nameAccount({ id, client, step }: FileUpload, account: string): Promise<void> {
  if (step.name !== 'done') return;
  const { reread } = api.imports({ id: step.result.id });
  const { import: result } = await unwrapResponse(reread.post({ apply: true, account }, { query: ofClient(client) }));
  finish(id, result);
}

export const isRunning = ({ step }: FileUpload): boolean => step.name === 'sending' || step.name === 'storing';

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
      finish(id, result);
      sendAlike(upload);
    }
  } catch (error) {
    const problem = toProblem(error);
    if (problem.members.parameter === 'part') return split(upload, problem);
    update(id, { step: { name: 'stopped', problem } });
    if (problem.code === 'plan_limit' && problem.members.isUnsent !== true) void showWhatItGives(upload);
  }
  aborts.delete(id);
  startNext();
}

/** Sends a ZIP or workbook once for each of its tables, each of which becomes an import. */
function split({ id, file, client, options, isTrial, drop }: FileUpload, { members }: Problem): void {
  const readings = members.readings as readonly { readonly value: string }[];
  remove(id);
  aborts.delete(id);
  add(
    readings.map(({ value: part }) => ({ file, client, options: { ...options, part }, key: newKey(), isTrial })),
    drop,
  );
}

/** Returns the name of an upload as users see it. */
export function uploadName({ file, options }: Pick<FileUpload, 'file' | 'options'>): string {
  return options.part === undefined ? file.name : `${options.part} in ${file.name}`;
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
  const { plan, quotas } = await unwrapResponse(api.status.get({ query: ofClient(client) }));
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

const find = (id: number): FileUpload | undefined => all.peek().find((upload) => upload.id === id);

function update(id: number, change: Partial<FileUpload>): void {
  all.value = all.peek().map((upload) => (upload.id === id ? { ...upload, ...change } : upload));
}

function finish(id: number, result: ImportedFile): void {
  booksChanged();
  const upload = find(id);
  if (upload !== undefined) void forgetFile(upload.fileId);
  update(id, { importId: result.id, step: { name: 'done', result } });
}

function remove(id: number): void {
  const upload = find(id);
  if (upload !== undefined) void forgetFile(upload.fileId);
  all.value = all.peek().filter((upload) => upload.id !== id);
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

/** Uploads are cleared when the user changes or signs out. A session that ended elsewhere leaves them to its user. */
let owner: string | null = null;
effect(() => {
  const id = account.value === null && !hasSessionEnded.value ? null : account.value?.id;
  if (id === undefined || id === owner) return;
  owner = null;
  for (const abort of aborts.values()) abort.abort();
  all.value = [];
  nextFiles.value = noOptions;
  if (id !== null) return void recall(id);
  recallUploads(null);
  void forgetFiles();
});

/** An upload as the tab remembers it: without its file, and with the message of its error. */
type KeptUpload = Omit<FileUpload, 'file'> & { readonly name: string; readonly message: string };

effect(() => {
  const uploads = all.value;
  const next = nextFiles.value;
  if (owner === null) return;
  const kept = uploads.map(({ file, ...upload }): KeptUpload => {
    const { step } = upload;
    return { ...upload, name: file.name, message: step.name === 'stopped' ? step.problem.message : '' };
  });
  keepUploads(owner, { uploads: kept, next }, { uploads: kept.map(toUnsent), next });
});

function toUnsent(upload: KeptUpload): KeptUpload {
  return { ...upload, step: { name: 'waiting' } };
}

/** Continues the uploads that this tab had before a reload. */
async function recall(id: string): Promise<void> {
  const kept = recallUploads<{ uploads: readonly KeptUpload[]; next: typeof noOptions }>(id);
  const files = await recallFiles(id);
  if (account.peek()?.id !== id) return;
  const recalled = (kept?.uploads ?? []).map(({ name, message, ...upload }): FileUpload => {
    lastId += 1;
    const file = files.get(upload.fileId);
    const step = recallStep(upload, message, file !== undefined);
    return { ...upload, id: lastId, file: file ?? new File([], name), step };
  });
  const dropped = all.peek();
  owner = id;
  all.value = [...dropped, ...recalled];
  if (kept !== null) nextFiles.value = kept.next;
  for (const upload of recalled) if (upload.step.name === 'storing') void follow(upload);
  startNext();
}

function recallStep({ step, importId }: Omit<FileUpload, 'file'>, message: string, hasFile: boolean): UploadStep {
  if (step.name === 'done' || step.name === 'undone') return step;
  if (importId !== null && step.name === 'storing') return step;
  if (!hasFile) return { name: 'unsent' };
  if (step.name === 'tried') return step;
  if (step.name !== 'stopped') return { name: 'waiting' };
  const { code, status, requestId, fields, members } = step.problem;
  return { name: 'stopped', problem: new Problem(code, status, message, requestId, fields, members) };
}

/** Follows an import that the server was storing when the page was reloaded. */
async function follow({ id, importId, client }: FileUpload): Promise<void> {
  if (importId === null) return;
  try {
    finish(id, await followImport(importId, client, (progress) => update(id, { step: { name: 'storing', progress } })));
  } catch (error) {
    update(id, { step: { name: 'stopped', problem: toProblem(error) } });
  }
}
