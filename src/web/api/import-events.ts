import { now } from '../format/dates.ts';
import { Problem, toProblem } from './problem.ts';
import { type ImportedFile, readImport } from './upload-request.ts';

/** Progress of storing a file. */
export interface StoringProgress {
  /** The time at which the browser began to follow the import, in milliseconds. */
  readonly startedAt: number;
  readonly rows: number;
  readonly rowsStored: number;
  /** The number of affected books that are up to date. */
  readonly books: { readonly done: number; readonly of: number } | null;
  /** Whether the connection is lost. The browser reconnects automatically. */
  readonly isLost: boolean;
}

/** Follows the events of an import until it ends. Throws a Problem if the import failed. */
export function followImport(
  id: string,
  client: string | null,
  onProgress: (progress: StoringProgress) => void,
): Promise<ImportedFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ImportedFile>();
  const source = new EventSource(`/v1/imports/${id}/events${client === null ? '' : `?client=${client}`}`);
  let progress: StoringProgress = { startedAt: now(), rows: 0, rowsStored: 0, books: null, isLost: false };
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
    reject(failureOf(data as ImportedFile['problem']));
  });
  source.addEventListener('open', () => report({ isLost: false }));
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) {
      report({ isLost: true });
      return;
    }
    // The server ended or refused the stream. The import itself contains the status.
    readImport(id, client).then(
      (result) => {
        if (result.status === 'completed') resolve(result);
        else reject(failureOf(result.problem));
      },
      (error: unknown) => reject(toProblem(error)),
    );
  });
  return promise;
}

function failureOf(problem: ImportedFile['problem']): Problem {
  return new Problem(problem?.code ?? 'unknown', 0, problem?.detail ?? stillRunning, null, [], { ...problem });
}

const stillRunning = "This file is still being saved. It will appear in your imports when it's done.";
