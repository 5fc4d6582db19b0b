import { useId } from 'preact/hooks';
import type { Problem } from '../../api/problem.ts';

/** What a file leaves open, with its answers: `dateOrder`, `side` or `format`. */
export interface FileQuestion {
  readonly parameter: 'dateOrder' | 'side' | 'format';
  readonly readings: readonly { readonly value: string; readonly reads: string }[];
}

export function questionOf({ members }: Problem): FileQuestion | null {
  const parameter = (['dateOrder', 'side', 'format'] as const).find((each) => each === members.parameter);
  if (parameter === undefined || !Array.isArray(members.readings)) return null;
  return { parameter, readings: members.readings as FileQuestion['readings'] };
}

interface ReadingChoiceProps {
  readonly question: FileQuestion;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Asks it, each answer with what it makes of the value in question. */
export function ReadingChoice({ question: { parameter, readings }, value, onChange }: ReadingChoiceProps) {
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
            {valueNames[reading.value] !== undefined && (
              <span class="fine">
                {parameter === 'dateOrder'
                  ? `The date in question is ${reading.reads}.`
                  : `Of each row, ${reading.reads}.`}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
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
  buy: 'Purchases',
  sell: 'Sales',
  deposit: 'What came in from elsewhere',
  withdrawal: 'What went elsewhere',
};
