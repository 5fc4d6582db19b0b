import { useState } from 'preact/hooks';
import { type TransactionType, transactionTypes } from '../../../engine/transaction-types.ts';
import type { LotbookMember } from '../../../formats/lotbook-columns.ts';
import { useDraft } from '../../api/draft.ts';
import { membersOfType } from '../../format/member-names.ts';
import { typeOptions } from '../../format/words.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { FormActions } from '../../parts/form-actions.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { type PreviewedYear, YearsPreview } from '../../parts/years-preview.tsx';
import { MemberField } from '../transactions/member-field.tsx';
import { fixRow, type ManualRow, type RejectedFileLine, tryMending } from './rejected-lines.ts';
import { prefillRow, type RowTexts } from './row-prefill.ts';

interface RowEntryFormProps {
  readonly line: RejectedFileLine;
  readonly cells: readonly string[];
  /** The accounts of the file. */
  readonly accounts: readonly string[];
  readonly onClose: () => void;
}

/** Enters a transaction for a row that cannot be read. It starts with what the cells contain. */
export function RowEntryForm({ line, cells, accounts, onClose }: RowEntryFormProps) {
  const [fields, setFields, forget] = useDraft<RowTexts>(`row ${line.id}`, prefillRow(line, cells, accounts));
  const [tried, setTried] = useState<readonly PreviewedYear[] | null>(null);
  const [isOther, setOther] = useState(false);
  const { submit, problem, isBusy, problemOfField } = useAction();
  const type = transactionTypes.find((each) => each === fields.type);
  const { needed, optional } = type === undefined ? { needed: [], optional: [] } : membersOfType(type);
  const extra = type === undefined ? [] : (extraOf[type] ?? ['fee']).filter((member) => optional.includes(member));
  const members = [...needed, ...extra].filter((member) => member !== 'type');
  const others = members.filter((member) => member !== 'date');
  const row = { ...fieldsOf(fields, members), type } as unknown as ManualRow;
  const change = (given: RowTexts) => {
    setTried(null);
    setFields(given);
  };
  const look = async () => setTried(await tryMending(line.id, row));
  const add = async () => {
    const undo = await fixRow(line.id, row);
    forget();
    say(`Line ${line.line} fixed.`, undo);
  };
  const isListed = type === undefined || cases.some(({ value }) => value === type);
  return (
    <form class="answer" onSubmit={submit(tried === null ? look : add)}>
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Choice
          label="What happened?"
          value={isOther || !isListed ? 'other' : (type ?? '')}
          options={[{ value: '', label: 'Choose' }, ...cases, { value: 'other', label: 'Something else' }]}
          onChange={(chosen) => {
            setOther(chosen === 'other');
            change({ type: chosen === 'other' ? 'airdrop' : chosen });
          }}
        />
        {(isOther || !isListed) && (
          <Choice
            label="Type"
            value={type ?? ''}
            options={typeOptions}
            onChange={(chosen) => change({ type: chosen })}
          />
        )}
        {type !== undefined && (
          <Field
            label="Date"
            type="date"
            isRequired
            value={fields.date ?? ''}
            onInput={(date) => change({ date })}
            problem={problemOfField('date')}
          />
        )}
        {others.map((member) => (
          <MemberField
            key={member}
            member={member}
            value={fields[member] ?? ''}
            onInput={(value) => change({ [member]: value })}
            isRequired={needed.includes(member)}
            problem={problemOfField(member)}
            {...(labels[`${fields.type} ${member}`] ?? {})}
          />
        ))}
      </div>
      {tried !== null && (
        <div role="status">
          <YearsPreview years={tried} />
        </div>
      )}
      {type !== undefined && (
        <FormActions
          verb={tried === null ? 'Preview' : 'Add transaction'}
          isBusy={isBusy}
          onClose={onClose}
          keeps={tried !== null}
        />
      )}
    </form>
  );
}

/** What rows that cannot be read usually are. */
const cases: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'buy', label: 'Bought' },
  { value: 'sell', label: 'Sold' },
  { value: 'merger', label: 'Merger or acquisition' },
  { value: 'spinoff', label: 'Spin-off' },
  { value: 'split', label: 'Stock split' },
  { value: 'dividend', label: 'Dividend' },
  { value: 'interest', label: 'Interest' },
  { value: 'deposit', label: 'Transfer in' },
  { value: 'withdrawal', label: 'Transfer out' },
];

/** Fields beyond those that the type needs. All others have a fee. */
const extraOf: Partial<Readonly<Record<TransactionType, readonly LotbookMember[]>>> = {
  merger: ['amount', 'receivedAsset', 'receivedQuantity'],
  split: ['ratio', 'quantity'],
  dividend: ['asset', 'amount'],
  interest: ['asset', 'amount'],
  deposit: [],
  withdrawal: [],
};

/** What a field means in one case. */
const labels: Readonly<Record<string, { readonly label: string; readonly hint?: string }>> = {
  'merger asset': { label: 'Security you held', hint: 'Its symbol before the merger.' },
  'merger amount': { label: 'Cash received', hint: 'Total, in dollars. Leave blank if you received only shares.' },
  'merger receivedAsset': { label: 'Security received', hint: 'Leave blank if you received only cash.' },
  'merger receivedQuantity': { label: 'Shares received' },
  'spinoff asset': { label: 'Security you hold', hint: 'The company that was split.' },
  'spinoff receivedAsset': { label: 'Security received' },
  'spinoff receivedQuantity': { label: 'Shares received' },
  'spinoff ratio': {
    label: 'Share of cost basis moved',
    hint: "From the company's Form 8937, like 0.109624.",
  },
  'buy amount': { label: 'Cost', hint: 'Without the fee.' },
  'sell amount': { label: 'Proceeds', hint: 'Before the fee.' },
  'dividend amount': { label: 'Amount', hint: 'In dollars.' },
  'interest amount': { label: 'Amount', hint: 'In dollars.' },
};

function fieldsOf(fields: RowTexts, members: readonly LotbookMember[]): Partial<ManualRow> {
  return Object.fromEntries(members.flatMap((member) => (fields[member] ? [[member, fields[member].trim()]] : [])));
}
