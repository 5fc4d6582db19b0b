import type { TransactionType } from '../../../engine/model.ts';
import { transactionTypes } from '../../../engine/model.ts';
import { useDraft } from '../../api/draft.ts';
import { typeName } from '../../format/words.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { FormActions } from '../../parts/form-actions.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { fixRow, type ManualRow, type RejectedFileLine } from './rejected-lines.ts';
import { useSubmission } from './submission.ts';

interface RowEntryFormProps {
  readonly line: RejectedFileLine;
  readonly onClose: () => void;
}

const empty = {
  date: '',
  type: 'buy' as TransactionType,
  account: '',
  asset: '',
  quantity: '',
  amount: '',
  fee: '',
  receivedAsset: '',
  receivedQuantity: '',
  toAccount: '',
  acquired: '',
  basis: '',
};
type RowFields = typeof empty;

/** Enters a transaction manually for a row that cannot be read even after its cells are fixed. */
export function RowEntryForm({ line: { id, line, amount }, onClose }: RowEntryFormProps) {
  const [fields, setFields, forget] = useDraft<RowFields>(`row ${id}`, { ...empty, amount: amount ?? '' });
  const { problem, isBusy, submit } = useSubmission();
  const add = async () => {
    const undo = await fixRow(id, toManualRow(fields));
    forget();
    say(`Line ${line} fixed.`, undo);
  };
  return (
    <form class="answer" onSubmit={submit(add)}>
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Field label="Date" type="date" value={fields.date} isRequired onInput={(date) => setFields({ date })} />
        <Choice label="Type" value={fields.type} options={types} onChange={(type) => setFields({ type })} />
        {shown.map(({ name, label, isNumber = false, types: only }) =>
          only === undefined || only.includes(fields.type) ? (
            <Field
              key={name}
              label={label}
              value={fields[name]}
              {...(isNumber ? { inputMode: 'decimal' as const } : {})}
              onInput={(text) => setFields({ [name]: text })}
            />
          ) : null,
        )}
      </div>
      <FormActions verb="Add transaction" isBusy={isBusy} onClose={onClose} />
    </form>
  );
}

interface EntryField {
  readonly name: Exclude<keyof RowFields, 'type' | 'date'>;
  readonly label: string;
  readonly isNumber?: true;
  /** Only for these types. */
  readonly types?: readonly TransactionType[];
}

const shown: readonly EntryField[] = [
  { name: 'account', label: 'Account' },
  { name: 'asset', label: 'Asset' },
  { name: 'quantity', label: 'Quantity', isNumber: true },
  { name: 'amount', label: 'Amount, before the fee', isNumber: true },
  { name: 'fee', label: 'Fee', isNumber: true },
  { name: 'receivedAsset', label: 'Asset received', types: ['trade', 'rename', 'spinoff', 'merger'] },
  { name: 'receivedQuantity', label: 'Quantity received', isNumber: true, types: ['trade', 'spinoff', 'merger'] },
  { name: 'toAccount', label: 'To account', types: ['transfer'] },
  {
    name: 'acquired',
    label: 'Acquired on (YYYY-MM-DD)',
    types: ['reported_sale', 'opening_lot', 'gift_in', 'inherit'],
  },
  { name: 'basis', label: 'Basis', isNumber: true, types: ['reported_sale', 'opening_lot', 'gift_in'] },
];

const types = transactionTypes.map((value) => ({ value, label: typeName(value) }));

function toManualRow({ date, type, ...texts }: RowFields): ManualRow {
  const filled = shown.flatMap(({ name, types: only }) =>
    texts[name].trim() !== '' && (only === undefined || only.includes(type)) ? [[name, texts[name].trim()]] : [],
  );
  return { date, type, ...Object.fromEntries(filled) };
}
