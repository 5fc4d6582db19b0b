import { signal } from '@preact/signals';
import { booksChanged } from './changes.ts';
import { followImport, type StoringProgress } from './import-events.ts';
import { type Problem, toProblem } from './problem.ts';
import type { ImportedFile, UploadOptions } from './upload-request.ts';

/** Remembers an upload in this tab across a reload. The file itself is lost because a page cannot keep it. */
export interface KeptUpload {
  readonly name: string;
  readonly size: number;
  readonly client: string | null;
  readonly options: UploadOptions;
  readonly key: string;
  /** The server has the whole file and is storing its rows. */
  readonly importId: string | null;
}

/** An upload that was in progress when the page was closed. */
export interface RecalledUpload extends KeptUpload {
  readonly step:
    | { readonly name: 'unsent' }
    | { readonly name: 'storing'; readonly progress: StoringProgress | null }
    | { readonly name: 'done'; readonly result: ImportedFile }
    | { readonly name: 'failed'; readonly problem: Problem };
}

export const recalledUploads = signal<readonly RecalledUpload[]>([]);

const nameOf = (owner: string): string => `uploads:${owner}`;

/** Reads the remembered uploads and follows those that the server is still processing. */
export function recallUploads(owner: string): void {
  const text = sessionStorage.getItem(nameOf(owner));
  const kept = text === null ? [] : (JSON.parse(text) as readonly KeptUpload[]);
  recalledUploads.value = kept.map((upload) => ({
    ...upload,
    step: upload.importId === null ? { name: 'unsent' } : { name: 'storing', progress: null },
  }));
  for (const { key, importId, client } of kept) if (importId !== null) void follow(key, importId, client);
}

/** Remembers these uploads, plus recalled ones that have not ended. */
export function keepUploads(owner: string, uploads: readonly KeptUpload[]): void {
  const open = recalledUploads.value.filter(({ step }) => step.name === 'unsent' || step.name === 'storing');
  const kept = [...uploads, ...open].map(({ name, size, client, options, key, importId }): KeptUpload => {
    return { name, size, client, options, key, importId };
  });
  if (kept.length === 0) sessionStorage.removeItem(nameOf(owner));
  else sessionStorage.setItem(nameOf(owner), JSON.stringify(kept));
}

export function forgetRecalled(key: string): void {
  recalledUploads.value = recalledUploads.peek().filter((upload) => upload.key !== key);
}

async function follow(key: string, importId: string, client: string | null): Promise<void> {
  const show = (step: RecalledUpload['step']): void => {
    recalledUploads.value = recalledUploads.peek().map((upload) => (upload.key === key ? { ...upload, step } : upload));
  };
  try {
    const result = await followImport(importId, client, (progress) => show({ name: 'storing', progress }));
    booksChanged();
    show({ name: 'done', result });
  } catch (error) {
    show({ name: 'failed', problem: toProblem(error) });
  }
}
