import { Choice } from '../../parts/field.tsx';
import type { FormatChoiceName, FormatChoices } from './reports-data.ts';

interface ChoiceFieldsProps {
  readonly names: readonly FormatChoiceName[];
  readonly choices: FormatChoices;
  readonly onChange: (name: FormatChoiceName, value: string) => void;
}

/** The options that the form instructions allow. Options that are not set here come from the settings. */
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
            options={[{ value: '', label: 'Default' }, ...options]}
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

/** The display names of each option. Values are the API's. */
const choiceWords: Readonly<Record<FormatChoiceName, ChoiceWords>> = {
  wholeDollars: {
    label: 'Amounts',
    hint: 'Whole dollars are allowed if you use them throughout your return.',
    options: yesOrNo('Whole dollars', 'Dollars and cents'),
  },
  columnB: {
    label: 'Date acquired',
    hint: 'For lots that include another holding period, such as after a wash sale or a gift.',
    options: [
      { value: 'held_when_term_differs', label: 'Start of the holding period if it decides the term' },
      { value: 'held', label: 'Start of the holding period' },
      { value: 'trade', label: 'Trade date' },
    ],
  },
  merge: {
    label: 'Rows',
    hint: 'Lots from one sale can share a row. If their dates differ, it shows VARIOUS.',
    options: [
      { value: 'none', label: 'One row per lot' },
      { value: 'same_lot', label: 'One row for parts of a lot sold on the same day' },
      { value: 'sale', label: 'One row per sale' },
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
    hint: 'Puts the totals of sales with reported basis and no adjustments on Schedule D, lines 1a and 8a.',
    options: yesOrNo('Use it', 'List every entry'),
  },
  exception2: {
    label: 'Exception 2',
    hint: 'One row of totals for each broker and box, with code M. The entries are attached as a statement.',
    options: yesOrNo('Use it', 'List every entry'),
  },
};
