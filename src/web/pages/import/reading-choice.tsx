import { useId } from 'preact/hooks';
import type { ImportedFile } from '../../api/upload-request.ts';
import { counted } from '../../format/amounts.ts';
import { Money } from '../../parts/amount.tsx';
import type { FileQuestion, ReadingResults } from './readings.ts';

interface ReadingChoiceProps {
  readonly question: FileQuestion;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  /** What each answer would give, as far as it is known. */
  readonly results?: ReadingResults;
}

/** Asks it, each answer with what it makes of the value in question. */
export function ReadingChoice({ question: { parameter, readings }, value, onChange, results }: ReadingChoiceProps) {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend>{asked[parameter]}</legend>
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
            {parameter !== 'format' && <span class="fine">{exampleOf(parameter, reading.reads)}</span>}
            <Outcome result={results?.get(reading.value)} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function exampleOf(parameter: FileQuestion['parameter'], reads: string): string {
  return parameter === 'dateOrder' ? `The date in question is ${reads}.` : `Of each row, ${reads}.`;
}

/** The gains of the years that it would change, and what it could not read. */
function Outcome({ result }: { readonly result: ImportedFile | undefined }) {
  if (result === undefined) return null;
  const years = result.preview?.years ?? [];
  return (
    <span class="fine">
      It gives {counted(result.imported, 'row')}
      {result.rejected > 0 && `, ${counted(result.rejected, 'line')} not read`}
      {years.map(({ year, after }) => (
        <span key={year}>
          , {year} <Money amount={after?.total.gain ?? '0'} signed />
        </span>
      ))}
    </span>
  );
}

const asked: Readonly<Record<FileQuestion['parameter'], string>> = {
  dateOrder: 'Which stands first in its dates?',
  side: 'What are its rows? Nothing in the file says it.',
  format: 'Where does the file come from?',
};

const valueNames: Readonly<Record<string, string>> = {
  mdy: 'The month, as in the United States',
  dmy: 'The day',
  ymd: 'The year, in two digits',
  buy: 'Purchases',
  sell: 'Sales',
  deposit: 'What came in from elsewhere',
  withdrawal: 'What went elsewhere',
};
