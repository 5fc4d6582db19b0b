import { useId } from 'preact/hooks';
import type { ImportedFile } from '../../api/upload-request.ts';
import { count } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { Money } from '../../parts/amount.tsx';
import type { FileQuestion, ReadingResults } from './readings.ts';

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
