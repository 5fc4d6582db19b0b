import { useState } from 'preact/hooks';
import { parseTypedDay, parseTypedMoney, parseTypedQuantity } from '../../../base/typed.ts';
import { type TransactionType, transactionTypes } from '../../../engine/transaction-types.ts';
import type { LotbookMember } from '../../../formats/lotbook-columns.ts';
import { useDraft } from '../../api/draft.ts';
import { clientId } from '../../api/page-url.ts';
import { Problem } from '../../api/problem.ts';
import { say } from '../../api/toasts.ts';
import { type ImportedFile, sendFile } from '../../api/upload-request.ts';
import { csvText } from '../../format/csv.ts';
import { membersOfType } from '../../format/member-names.ts';
import { useAction } from '../../parts/button.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { type PreviewedYear, YearsPreview } from '../../parts/years-preview.tsx';
import { MemberField } from '../transactions/member-field.tsx';
import { type PreviewedRow, RowsTable, toShownRow } from './preview-view.tsx';
import { ReadingChoice, toFileQuestion } from './reading-choice.tsx';
import { fixRow, type ManualRow, type RejectedFileLine, toManualRow, tryMending } from './rejected-lines.ts';

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
  const verb = tried === null ? 'Preview' : 'Add transaction';
  const isListed = type === undefined || cases.some(({ value }) => value === type);
  return (
    <Form
      class="answer"
      fields={{}}
      verb={type === undefined ? null : verb}
      busy={verb}
      keeps={tried !== null}
      onSubmit={tried === null ? look : add}
      onClose={onClose}
    >
      {(problemOf) => (
        <>
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
              <MemberField member="type" value={type ?? ''} onInput={(chosen) => change({ type: chosen })} />
            )}
            {type !== undefined && (
              <Field
                label="Date"
                type="date"
                isRequired
                value={fields.date ?? ''}
                onInput={(date) => change({ date })}
                problem={problemOf('date')}
              />
            )}
            {others.map((member) => (
              <MemberField
                key={member}
                member={member}
                value={fields[member] ?? ''}
                onInput={(value) => change({ [member]: value })}
                isRequired={needed.includes(member)}
                problem={problemOf(member)}
                {...(labels[`${fields.type} ${member}`] ?? {})}
              />
            ))}
          </div>
          {tried !== null && (
            <div role="status">
              <YearsPreview years={tried} />
            </div>
          )}
        </>
      )}
    </Form>
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
  'spinoff ratio': { label: 'Share of cost basis moved', hint: "From the company's Form 8937, like 0.109624." },
  'buy amount': { label: 'Cost', hint: 'Without the fee.' },
  'sell amount': { label: 'Proceeds', hint: 'Before the fee.' },
  'dividend amount': { label: 'Amount', hint: 'In dollars.' },
  'interest amount': { label: 'Amount', hint: 'In dollars.' },
};

function fieldsOf(fields: RowTexts, members: readonly LotbookMember[]): Partial<ManualRow> {
  return Object.fromEntries(members.flatMap((member) => (fields[member] ? [[member, fields[member].trim()]] : [])));
}

interface MendLineFormProps {
  readonly line: RejectedFileLine;
  /** The format and the accounts of the file. */
  readonly file: Pick<ImportedFile, 'format' | 'accounts'>;
  readonly header: readonly string[];
  readonly cells: readonly string[];
  readonly onClose: () => void;
}

/** Lets the user fix the cells of a row, reads it again as part of its file, and then adds it. */
export function FixRowForm({
  line: { id, line, column, reason },
  file: { format, accounts },
  header,
  cells,
  onClose,
}: MendLineFormProps) {
  const [draft, setDraft, forget] = useDraft(`mend ${id}`, { cells: header.map((_, at) => cells[at] ?? '') });
  const [answer, setAnswer] = useState<string>();
  const [read, setRead] = useState<{ row: PreviewedRow; result: ImportedFile } | null>(null);
  const action = useAction();
  const { problem } = action;
  const question = problem === null ? null : toFileQuestion(problem);
  const change = (at: number, text: string): void => {
    setRead(null);
    setDraft({ cells: draft.cells.with(at, text) });
  };
  const readAgain = async () => {
    const file = new File([csvText([header, draft.cells])], 'mended.csv', { type: 'text/csv' });
    const parameters = question === null || answer === undefined ? {} : { [question.parameter]: answer };
    // The file's title may name its account, but the row alone does not.
    const [account] = accounts.length === 1 ? accounts : [];
    const options = {
      ...(format === null || format === 'mapping' ? {} : { format }),
      ...(account === undefined ? {} : { account: account.account }),
      ...parameters,
    };
    const result = await sendFile({ file, options, client: clientId.value, key: null });
    setRead({ row: requireSingleRow(result), result });
  };
  const add = async () => {
    if (read === null) return;
    const undo = await fixRow(id, toManualRow(read.row));
    forget();
    say(`Line ${line} fixed.`, undo);
  };
  const isShown = (at: number): boolean => header[at] === column || (cells[at] ?? '') !== '';
  const renderField = (name: string, at: number) => (
    <Field
      key={at}
      label={name === '' ? `Column ${at + 1}` : name}
      value={draft.cells[at] ?? ''}
      onInput={(text) => change(at, text)}
      problem={name === column && draft.cells[at] === (cells[at] ?? '') ? reason : undefined}
    />
  );
  return (
    <Form
      class="answer"
      fields={{}}
      action={action}
      verb={read === null ? 'Try again' : 'Add transaction'}
      busy={read === null ? 'Try again' : 'Add transaction'}
      onSubmit={read === null ? readAgain : add}
      onClose={onClose}
    >
      {question !== null && <ReadingChoice question={question} value={answer} onChange={setAnswer} />}
      <div class="fields">{header.map((name, at) => (isShown(at) ? renderField(name, at) : null))}</div>
      {header.some((_, at) => !isShown(at)) && (
        <details>
          <summary>Empty cells</summary>
          <div class="fields">{header.map((name, at) => (isShown(at) ? null : renderField(name, at)))}</div>
        </details>
      )}
      {read !== null && (
        <div role="status">
          <p>Result:</p>
          <RowsTable label="The fixed row" rows={[toShownRow(read.row)]} />
          <YearsPreview years={read.result.preview?.years ?? []} />
        </div>
      )}
    </Form>
  );
}

/** Returns the one transaction that a fixed row produces. Throws the reason if there is none. */
function requireSingleRow({ preview, duplicates, skipped }: ImportedFile): PreviewedRow {
  const [row, another] = preview?.transactions ?? [];
  const [reject] = preview?.rejects ?? [];
  if (reject !== undefined) {
    const columnPrefix = reject.column === null ? '' : `${reject.column}: `;
    throw new Problem('rejected', 0, `This row still can't be read. ${columnPrefix}${reject.reason}.`, null);
  }
  if (duplicates > 0) throw new Problem('duplicate', 0, 'This row was already imported. Dismiss it.', null);
  if (row === undefined && skipped > 0) {
    throw new Problem('skipped', 0, 'This row now has nothing taxable in it. Dismiss it.', null);
  }
  if (row === undefined || another !== undefined) {
    const detail = "This row alone doesn't make one transaction. Enter it manually.";
    throw new Problem('unclear', 0, detail, null);
  }
  return row;
}

/** The fields of a transaction as the form holds them. */
type RowTexts = Readonly<Partial<Record<LotbookMember, string>>>;

/** Reads what a row says from its cells and the names of their columns. What is not certain stays empty. */
function prefillRow(
  { header, amount, text }: Pick<RejectedFileLine, 'header' | 'amount' | 'text'>,
  cells: readonly string[],
  accounts: readonly string[],
): RowTexts {
  const cell = (pattern: RegExp, parse: (cell: string) => string | undefined): string | undefined => {
    for (const [at, name] of header.entries()) {
      const value = pattern.test(name) ? parse((cells[at] ?? '').trim()) : undefined;
      if (value !== undefined && value !== '') return value;
    }
    return undefined;
  };
  const found: Record<string, string | undefined> = {
    type: guessType(text),
    date: cell(/date|time/i, (value) => parseTypedDay(value.split(/[T ](?=\d\d?:)/)[0] ?? '')),
    account: cell(/account|portfolio|wallet/i, (value) => findAccount(value, accounts)) ?? only(accounts),
    asset: cell(/^(symbol|ticker|asset|coin|instrument|security|cusip|isin)\b/i, toSymbol),
    quantity: cell(/quantity|qty|shares|units/i, (value) => withoutSign(parseTypedQuantity(value))),
    amount: amount ?? cell(/amount|total|proceeds|net/i, (value) => withoutSign(parseTypedMoney(value))),
    fee: cell(/fee|commission/i, (value) => nonZero(withoutSign(parseTypedMoney(value)))),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Returns what the words of a row suggest. */
export function guessType(text: string): string | undefined {
  return typeWords.find(([pattern]) => pattern.test(text))?.[1];
}

/** The first match counts: the dividend of a merged company is still a merger. An order can be either side. */
const typeWords: readonly (readonly [RegExp, string])[] = [
  [/\bmerger|acquisition|tender offer/i, 'merger'],
  [/\bspin-?\s?off/i, 'spinoff'],
  [/\bsplit\b/i, 'split'],
  [/\b(sold|sell|sale|redemption|redeemed)\b/i, 'sell'],
  [/\b(bought|buy|purchase|purchased)\b/i, 'buy'],
  [/\bdividend/i, 'dividend'],
  [/\binterest\b/i, 'interest'],
];

/** A file may shorten the name of the account: `Brokerage` is `Brokerage 3333` if no other starts so. */
function findAccount(value: string, accounts: readonly string[]): string | undefined {
  if (value === '') return undefined;
  if (accounts.includes(value)) return value;
  return only(accounts.filter((account) => account.startsWith(value) || account.endsWith(value)));
}

const only = (values: readonly string[]): string | undefined => (values.length === 1 ? values[0] : undefined);

function toSymbol(value: string): string | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9.\-/]{0,19}$/.test(value) ? value : undefined;
}

const withoutSign = (value: string | undefined): string | undefined => value?.replace(/^-/, '');

function nonZero(value: string | undefined): string | undefined {
  return value === undefined || /^[0.]*$/.test(value) ? undefined : value;
}
