import { Choice } from '../../parts/field.tsx';
import type { FormatChoiceName, FormatChoices } from './reports-data.ts';

interface ChoiceFieldsProps {
  readonly names: readonly FormatChoiceName[];
  readonly choices: FormatChoices;
  readonly onChange: (name: FormatChoiceName, value: string) => void;
}

/** How the file is written where the instructions leave a choice. Nothing chosen: as in the settings. */
export function ChoiceFields({ names, choices, onChange }: ChoiceFieldsProps) {
  return (
    <div class="fields">
      {names.map((name) => {
        const { label, hint, options } = choiceWords[name];
        return (
          <Choice
            key={name}
            label={label}
            hint={hint}
            value={choices[name] ?? ''}
            options={[{ value: '', label: 'As in the settings' }, ...options]}
            onChange={(value) => onChange(name, value)}
          />
        );
      })}
    </div>
  );
}

interface ChoiceWords {
  readonly label: string;
  readonly hint: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

const yesOrNo = (yes: string, no: string) => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
];

/** The words of each choice; its values are the API's. */
const choiceWords: Readonly<Record<FormatChoiceName, ChoiceWords>> = {
  wholeDollars: {
    label: 'Amounts',
    hint: 'The forms allow whole dollars where the whole return has them.',
    options: yesOrNo('Whole dollars', 'Dollars and cents'),
  },
  columnB: {
    label: 'Date acquired',
    hint: 'Of lots whose holding period is not their own, as after a wash sale or a gift.',
    options: [
      { value: 'held_when_term_differs', label: 'Holding period where it decides the term' },
      { value: 'held', label: 'Beginning of the holding period' },
      { value: 'trade', label: 'Day of the trade' },
    ],
  },
  merge: {
    label: 'Rows',
    hint: 'Lots of one sale may share a row; differing dates then read VARIOUS.',
    options: [
      { value: 'none', label: 'A row a lot' },
      { value: 'same_lot', label: 'A row for parts of one lot sold in a day' },
      { value: 'sale', label: 'A row a sale' },
    ],
  },
  digitalAssets: {
    label: 'Digital assets',
    hint: 'This format has no code for boxes G to L.',
    options: [
      { value: 'as_not_reported', label: 'As not reported to the IRS' },
      { value: 'left_out', label: 'Left out' },
    ],
  },
  exception1: {
    label: 'Exception 1',
    hint: 'Sales with reported basis and no adjustment go as totals to Schedule D, lines 1a and 8a.',
    options: yesOrNo('Use it', 'List every line'),
  },
  exception2: {
    label: 'Exception 2',
    hint: 'One row of totals for each broker and box, code M. The lines go along as a statement.',
    options: yesOrNo('Use it', 'List every line'),
  },
};
