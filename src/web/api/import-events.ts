import { Problem, problemOf } from './problem.ts';
import { type ImportedFile, readImport } from './upload-request.ts';

/** How far the storing of a file is. */
export interface StoringProgress {
  readonly rows: number;
  readonly rowsStored: number;
  /** Of the books that it touches, so many are up to date. */
  readonly books: { readonly done: number; readonly of: number } | null;
  /** Whether the connection is lost; the browser tries again by itself. */
  readonly isLost: boolean;
}

/** Follows an import by its events until it has ended. Throws a Problem where it failed. */
export function followImport(
  id: string,
  client: string | null,
  onProgress: (progress: StoringProgress) => void,
): Promise<ImportedFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ImportedFile>();
  const source = new EventSource(`/v1/imports/${id}/events${client === null ? '' : `?client=${client}`}`);
  let progress: StoringProgress = { rows: 0, rowsStored: 0, books: null, isLost: false };
  const report = (change: Partial<StoringProgress>): void => {
    progress = { ...progress, ...change };
    onProgress(progress);
  };
  const on = (name: string, act: (data: unknown) => void): void =>
    source.addEventListener(name, (event) => act(JSON.parse((event as MessageEvent<string>).data)));
  on('progress', (data) => report({ ...(data as Pick<StoringProgress, 'rows' | 'rowsStored'>), isLost: false }));
  on('books', (data) => report({ books: data as StoringProgress['books'], isLost: false }));
  on('done', (data) => {
    source.close();
    resolve(data as ImportedFile);
  });
  on('failed', (data) => {
    source.close();
    const { code, detail } = data as { readonly code: string; readonly detail: string };
    reject(new Problem(code, 0, detail, null));
  });
  source.addEventListener('open', () => report({ isLost: false }));
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) {
      report({ isLost: true });
      return;
    }
    // The server ended the stream, or refused it: the import itself says how it is.
    readImport(id, client).then(
      (result) => {
        if (result.status === 'completed') resolve(result);
        else reject(new Problem(result.problem?.code ?? 'unknown', 0, result.problem?.detail ?? stillRunning, null));
      },
      (error: unknown) => reject(problemOf(error)),
    );
  });
  return promise;
}

const stillRunning = 'It is still being stored. It will stand among your imports when it is done.';
