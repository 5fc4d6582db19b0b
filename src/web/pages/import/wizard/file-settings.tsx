import { transactionTypes } from '../../../../engine/model.ts';
import type { Mapping } from '../../../../formats/mapping/mapping.ts';
import { Choice, Field } from '../../../parts/field.tsx';
import { type FileBeginning, valuesOf } from './file-head.ts';
import { holderOf, withConstant, withMultiplier, withSetting } from './mapping-answers.ts';

interface FileSettingsProps {
  readonly head: FileBeginning;
  readonly mapping: Mapping;
  /** Roots of futures whose dollars per point the user must state. */
  readonly unknownFutures: readonly string[];
  readonly onChange: (mapping: Mapping) => void;
}

/** What holds for the whole file: how it writes dates and numbers, and what no column says. */
export function FileSettings({ head, mapping, unknownFutures, onChange }: FileSettingsProps) {
  const { constants = {} } = mapping;
  const dates = holderOf(mapping, 'date');
  const [date] = dates === undefined ? [] : valuesOf(head, dates, 1);
  const isAsked = (name: 'type' | 'asset' | 'account' | 'currency'): boolean =>
    holderOf(mapping, name) === undefined && holderOf(mapping, 'sentQuantity') === undefined;
  return (
    <>
      <h3>What holds for the whole file</h3>
      <div class="fields">
        <Choice
          label="Dates"
          value={mapping.dateOrder ?? ''}
          options={[
            { value: '', label: 'As the rows decide' },
            { value: 'mdy', label: 'Month first: 3/4 is March 4' },
            { value: 'dmy', label: 'Day first: 3/4 is April 3' },
            { value: 'ymd', label: 'Year first: 25-03-04 is March 4, 2025' },
          ]}
          onChange={(value) => onChange(withSetting(mapping, 'dateOrder', value))}
          {...(date === undefined ? {} : { hint: `The first is ${date}.` })}
        />
        <Choice
          label="Numbers"
          value={mapping.decimal ?? ''}
          options={[
            { value: '', label: 'As they are written' },
            { value: '.', label: '1,234.56' },
            { value: ',', label: '1.234,56' },
          ]}
          onChange={(value) => onChange(withSetting(mapping, 'decimal', value))}
        />
        {isAsked('type') && (
          <Choice
            label="All its rows are"
            value={constants.type ?? ''}
            options={[{ value: '', label: 'Not all the same' }, ...types]}
            onChange={(value) => onChange(withConstant(mapping, 'type', value))}
          />
        )}
        <Choice
          label="The way of a row"
          value={mapping.signs ?? ''}
          options={[
            { value: '', label: 'Its type says it' },
            { value: 'quantity', label: 'The sign of the quantity says it' },
            { value: 'amount', label: 'The sign of the money says it' },
          ]}
          onChange={(value) => onChange(withSetting(mapping, 'signs', value))}
        />
        <Choice
          label="The quantity of a split"
          value={mapping.splitQuantity ?? ''}
          options={[
            { value: '', label: 'The row has its ratio' },
            { value: 'ratio', label: 'The new shares for each old one' },
            { value: 'added', label: 'The shares that were added' },
          ]}
          onChange={(value) => onChange(withSetting(mapping, 'splitQuantity', value))}
        />
        {unknownFutures.map((root) => (
          <Field
            key={root}
            label={`Dollars for one point of ${root}`}
            value={mapping.multipliers?.[root] ?? ''}
            placeholder="50"
            onInput={(text) => onChange(withMultiplier(mapping, root, text.trim()))}
            hint="The exchange calls it the contract multiplier or point value."
          />
        ))}
        {isAsked('asset') && holderOf(mapping, 'pair') === undefined && (
          <Field
            label="Asset of all its rows"
            value={constants.asset ?? ''}
            onInput={(text) => onChange(withConstant(mapping, 'asset', text))}
          />
        )}
        {isAsked('account') && (
          <Field
            label="Account of all its rows"
            value={constants.account ?? ''}
            onInput={(text) => onChange(withConstant(mapping, 'account', text))}
            hint="What you call it. Left empty, it is “Imported”."
          />
        )}
        {isAsked('currency') && holderOf(mapping, 'pair') === undefined && (
          <Field
            label="Currency of its money"
            value={constants.currency ?? ''}
            placeholder="USD"
            onInput={(text) => onChange(withConstant(mapping, 'currency', text.toUpperCase()))}
          />
        )}
        <Field
          label="Time zone of its times"
          value={mapping.timeZone ?? ''}
          placeholder="America/New_York"
          onInput={(text) => onChange(withSetting(mapping, 'timeZone', text.trim()))}
          hint="Only where they have no offset. Left empty, it is your account’s."
        />
      </div>
    </>
  );
}

const types = transactionTypes.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
