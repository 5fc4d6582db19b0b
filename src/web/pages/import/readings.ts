import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../api/problem.ts';
import { type ImportedFile, sendFile, type UploadOptions } from '../../api/upload-request.ts';

/** An open question about a file with its possible answers: `dateOrder`, `side` or `format`. */
export interface FileQuestion {
  readonly parameter: 'dateOrder' | 'side' | 'format';
  readonly readings: readonly { readonly value: string; readonly reads: string }[];
}

export function toFileQuestion({ members }: Problem): FileQuestion | null {
  const parameter = (['dateOrder', 'side', 'format'] as const).find((each) => each === members.parameter);
  if (parameter === undefined || !Array.isArray(members.readings)) return null;
  return { parameter, readings: members.readings as FileQuestion['readings'] };
}

interface FileToRead {
  readonly file: File;
  readonly client: string | null;
  readonly options: UploadOptions;
}

/** The result of each answer to a question, by the answer's value. */
export type ReadingResults = ReadonlyMap<string, ImportedFile>;

/** Larger files are read only once, with the chosen answer. */
const bytesMax = 4 * 1024 ** 2;

/** Tries each answer to a question with the whole file, one after another. */
export function useReadings({ file, client, options }: FileToRead, question: FileQuestion | null): ReadingResults {
  const [results, setResults] = useState<ReadingResults>(new Map());
  const values = question?.readings.map(({ value }) => value).join(' ') ?? '';
  useEffect(() => {
    setResults(new Map());
    if (question === null || file.size > bytesMax) return;
    const stop = new AbortController();
    const tryAll = async () => {
      const resultByReading = new Map<string, ImportedFile>();
      for (const { value } of question.readings) {
        const parameters = { ...options, [question.parameter]: value };
        const result = await sendFile({ file, client, options: parameters, key: null, signal: stop.signal }).catch(
          () => null,
        );
        if (stop.signal.aborted) return;
        if (result !== null) resultByReading.set(value, result);
        setResults(new Map(resultByReading));
      }
    };
    void tryAll();
    return () => stop.abort();
  }, [file, question?.parameter, values]);
  return results;
}
