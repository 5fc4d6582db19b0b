import { transactionTypes } from '../../../../engine/model.ts';
import type { Mapping } from '../../../../formats/mapping/mapping.ts';
import { typeName } from '../../../format/words.ts';
import { Choice, Field } from '../../../parts/field.tsx';
import { type FileBeginning, listColumnValues } from './file-head.ts';
import { findColumn, withConstant, withMultiplier, withSetting } from './mapping-answers.ts';

interface FileSettingsProps {
  readonly head: FileBeginning;
  readonly mapping: Mapping;
  /** Futures whose dollars per point the user must enter. */
  readonly unknownFutures: readonly string[];
  readonly onChange: (mapping: Mapping) => void;
}

/** Settings for the whole file: its date and number formats, and values that no column contains. */
export function FileSettings({ head, mapping, unknownFutures, onChange }: FileSettingsProps) {
  const { constants = {} } = mapping;
  const dates = findColumn(mapping, 'date');
  const [date] = dates === undefined ? [] : listColumnValues(head, dates, 1);
  const isAsked = (name: 'type' | 'asset' | 'account' | 'currency'): boolean =>
    findColumn(mapping, name) === undefined && findColumn(mapping, 'sentQuantity') === undefined;
  return (
    <>
      <h3>File settings</h3>
      <div class="fields">
        <Choice
          label="Dates"
          value={mapping.dateOrder ?? ''}
          options={[
            { value: '', label: 'Detect automatically' },
            { value: 'mdy', label: 'Month first: 3/4 is March 4' },
            { value: 'dmy', label: 'Day first: 3/4 is April 3' },
            { value: 'ymd', label: 'Year first: 25-03-04 is March 4, 2025' },
          ]}
          onChange={(value) => onChange(withSetting(mapping, 'dateOrder', value))}
          {...(date === undefined ? {} : { hint: `The first one is ${date}.` })}
        />
        <Choice
          label="Numbers"
          value={mapping.decimal ?? ''}
          options={[
            { value: '', label: 'Detect automatically' },
            { value: '.', label: '1,234.56' },
            { value: ',', label: '1.234,56' },
          ]}
          onChange={(value) => onChange(withSetting(mapping, 'decimal', value))}
        />
        {isAsked('type') && (
          <Choice
            label="All rows are"
            value={constants.type ?? ''}
            options={[{ value: '', label: 'Not all the same' }, ...types]}
            onChange={(value) => onChange(withConstant(mapping, 'type', value))}
          />
        )}
        <Choice
          label="Buy or sell is shown by"
          value={mapping.signs ?? ''}
          options={[
            { value: '', label: 'The transaction type' },
            { value: 'quantity', label: 'The sign of the quantity' },
            { value: 'amount', label: 'The sign of the amount' },
          ]}
          onChange={(value) => onChange(withSetting(mapping, 'signs', value))}
        />
        <Choice
          label="Split quantity is"
          value={mapping.splitQuantity ?? ''}
          options={[
            { value: '', label: 'The ratio is in the row' },
            { value: 'ratio', label: 'New shares for each old one' },
            { value: 'added', label: 'Shares added' },
          ]}
          onChange={(value) => onChange(withSetting(mapping, 'splitQuantity', value))}
        />
        {unknownFutures.map((root) => (
          <Field
            key={root}
            label={`Dollars per point of ${root}`}
            value={mapping.multipliers?.[root] ?? ''}
            placeholder="50"
            onInput={(text) => onChange(withMultiplier(mapping, root, text.trim()))}
            hint="Also called contract multiplier or point value."
          />
        ))}
        {isAsked('asset') && findColumn(mapping, 'pair') === undefined && (
          <Field
            label="Asset for all rows"
            value={constants.asset ?? ''}
            onInput={(text) => onChange(withConstant(mapping, 'asset', text))}
          />
        )}
        {isAsked('account') && (
          <Field
            label="Account for all rows"
            value={constants.account ?? ''}
            onInput={(text) => onChange(withConstant(mapping, 'account', text))}
            hint="Your name for it. Leave blank for “Imported”."
          />
        )}
        {isAsked('currency') && findColumn(mapping, 'pair') === undefined && (
          <Field
            label="Currency of amounts"
            value={constants.currency ?? ''}
            placeholder="USD"
            onInput={(text) => onChange(withConstant(mapping, 'currency', text.toUpperCase()))}
          />
        )}
        <Field
          label="Time zone of the times"
          value={mapping.timeZone ?? ''}
          placeholder="America/New_York"
          onInput={(text) => onChange(withSetting(mapping, 'timeZone', text.trim()))}
          hint="Used if times have no offset. Leave blank to use your account's time zone."
        />
      </div>
    </>
  );
}

const types = transactionTypes.map((value) => ({ value, label: typeName(value) }));
