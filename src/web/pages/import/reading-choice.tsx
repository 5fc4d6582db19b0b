import { useEffect, useId, useState } from 'preact/hooks';
import type { Problem } from '../../api/problem.ts';
import { type ImportedFile, sendFile, type UploadOptions } from '../../api/upload-request.ts';
import { count } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { Money } from '../../parts/amount.tsx';

interface ReadingChoiceProps {
  readonly question: FileQuestion;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  /** The result of each choice, if known. */
  readonly results?: ReadingResults;
}

/** Asks a question about the file, with the effect of each choice on the value in question. */
export function ReadingChoice({ question: { parameter, readings }, value, onChange, results }: ReadingChoiceProps) {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend>{questionWords[parameter]}</legend>
      {readings.map((reading) => (
        <label key={reading.value} class="check">
          <input
            type="radio"
            name={name}
            value={reading.value}
            checked={value === reading.value}
            onChange={() => onChange(reading.value)}
          />
          <span>
            {valueNames[reading.value] ?? reading.reads}
            {parameter !== 'format' && <span class="fine">{formatExample(parameter, reading.reads)}</span>}
            <Outcome result={results?.get(reading.value)} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function formatExample(parameter: FileQuestion['parameter'], reads: string): string {
  return parameter === 'dateOrder' ? `The date in question would be ${day(reads)}.` : `For each row: ${reads}.`;
}

/** The gains in the affected years, and the number of unreadable rows. */
function Outcome({ result }: { readonly result: ImportedFile | undefined }) {
  if (result === undefined) return null;
  const years = result.preview?.years ?? [];
  return (
    <span class="fine">
      {count(result.imported)} imported
      {result.rejected > 0 && `, ${count(result.rejected)} not readable`}
      {years.map(({ year, after }) => (
        <span key={year}>
          , {year} gain <Money amount={after?.total.gain ?? '0'} signed />
        </span>
      ))}
    </span>
  );
}

const questionWords: Readonly<Record<FileQuestion['parameter'], string>> = {
  dateOrder: "Which comes first in this file's dates?",
  side: "What kind of rows are these? The file doesn't contain their type.",
  format: 'Where does the file come from?',
};

const valueNames: Readonly<Record<string, string>> = {
  mdy: 'The month, as in the United States',
  dmy: 'The day',
  ymd: 'The year, in two digits',
  buy: 'Purchases',
  sell: 'Sales',
  deposit: 'Received from elsewhere',
  withdrawal: 'Sent elsewhere',
};

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
type ReadingResults = ReadonlyMap<string, ImportedFile>;

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
