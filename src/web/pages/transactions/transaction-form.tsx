import { transactionTypes } from '../../../engine/transaction-types.ts';
import type { LotbookMember } from '../../../formats/lotbook-columns.ts';
import { type ApiResponse, api, booksChanged, unwrapResponse, write } from '../../api/api.ts';
import { useDraft } from '../../api/draft.ts';
import { say } from '../../api/toasts.ts';
import { formatCount } from '../../format/amounts.ts';
import { allMembers, membersOfType } from '../../format/member-names.ts';
import { useAction } from '../../parts/button.tsx';
import { Form } from '../../parts/form.tsx';
import type { ListFilter, TransactionStory } from './filter.ts';
import { MemberField } from './member-field.tsx';

/** The transaction fields to send. Null clears a value. */
type MemberInput = Readonly<Record<string, string | null>>;

type NewTransaction = Parameters<typeof api.transactions.post>[0];
type BulkBody = Parameters<typeof api.transactions.bulk.post>[0];
type Patch = NonNullable<Parameters<ReturnType<typeof api.transactions>['patch']>[0]>;

/** The maximum number of rows that one edit can change by their ids. */
export const bulkMost = 1_000;
/** The maximum number of rows that one edit can change by the filter of the list. */
export const filteredMost = 100_000;

/** The rows to edit: some by their ids, or all that match the filter of the list. */
export type Selection = { readonly ids: ReadonlySet<string> } | { readonly filter: ListFilter; readonly count: number };

export function countSelected(selection: Selection): number {
  return 'ids' in selection ? selection.ids.size : selection.count;
}

/** Adds a transaction manually, and shows a toast to undo it. */
async function addTransaction(members: MemberInput): Promise<string> {
  const { id } = await unwrapResponse(api.transactions.post(members as unknown as NewTransaction));
  done('Added.', async () => void (await write(api.transactions({ id }).delete())));
  return id;
}

/** Corrects a transaction. */
async function changeTransaction(id: string, patch: MemberInput): Promise<void> {
  done('Changed.', await finishEdit(api.transactions({ id }).patch(patch as Patch)));
}

export async function deleteTransaction(id: string): Promise<void> {
  done('Deleted.', await finishEdit(api.transactions({ id }).delete()));
}

/** Reverts every correction of a transaction. */
export async function revertTransaction(id: string): Promise<void> {
  done('Reverted.', await finishEdit(api.transactions({ id }).revert.post()));
}

/** Waits for an edit. Returns a function that undoes it, or null if nothing was changed. */
export async function finishEdit(call: Promise<ApiResponse<unknown> & { readonly response: Response }>) {
  const { response } = await call;
  await unwrapResponse(call);
  return createUndo(response.headers.get('edit-id'));
}

/** Changes or deletes many transactions, either all of them or none. */
export async function editMany(
  selection: Selection,
  edit: { readonly set: MemberInput } | { readonly delete: true },
): Promise<void> {
  const which = 'ids' in selection ? { ids: [...selection.ids] } : selection;
  const how = 'set' in edit ? { set: edit.set as Patch } : { delete: true as const };
  const { editId, rows } = await unwrapResponse(api.transactions.bulk.post({ ...which, ...how } as BulkBody));
  done(`${'set' in edit ? 'Changed' : 'Deleted'} ${formatCount(rows, 'transaction')}.`, createUndo(editId));
}

/** Undoes an edit and restores its rows. */
export async function undoEdit(editId: string): Promise<void> {
  await write(api.transactions.edits({ id: editId }).undo.post());
}

function done(text: string, undo: (() => Promise<void>) | null): void {
  booksChanged();
  say(text, undo);
}

function createUndo(editId: string | null): (() => Promise<void>) | null {
  return editId === null ? null : () => undoEdit(editId);
}

interface TransactionFormProps {
  /** The transaction to edit, or null for a new one. */
  readonly story: TransactionStory | null;
  /** What a new transaction starts with. */
  readonly start?: FormTexts;
  readonly onDone: (id: string) => void;
  readonly onCancel: () => void;
}

type FormTexts = Readonly<Partial<Record<LotbookMember, string>>>;

/** Adds or edits a transaction. The type table determines the fields. */
export function TransactionForm({ story, start = {}, onDone, onCancel }: TransactionFormProps) {
  const before = story === null ? { ...newTransaction, ...start } : toFormTexts(story);
  const [fields, setFields, forget] = useDraft<FormTexts>(
    `transaction ${story?.id ?? ['new', ...Object.values(start)].join(' ')}`,
    before,
  );
  const action = useAction();
  const type = transactionTypes.find((each) => each === fields.type) ?? 'buy';
  const { needed, optional } = membersOfType(type);
  const stated = optional.filter((member) => (before[member] ?? '') !== '');
  const unstated = optional.filter((member) => !stated.includes(member));
  const save = async () => {
    const id = story === null ? await addTransaction(toMembers(fields, [...needed, ...optional])) : story.id;
    const patch = story === null ? {} : differences(before, fields);
    if (story !== null && Object.keys(patch).length > 0) await changeTransaction(id, patch);
    forget();
    onDone(id);
  };
  const { problemOfField } = action;
  const field = (member: LotbookMember) => (
    <MemberField
      key={member}
      member={member}
      value={fields[member] ?? ''}
      onInput={(value) => setFields({ [member]: value })}
      isRequired={needed.includes(member)}
      problem={problemOfField(member)}
    />
  );
  const cancel = () => {
    forget();
    onCancel();
  };
  return (
    <Form fields={{}} action={action} verb={story === null ? 'Add' : 'Save'} onSubmit={save} onClose={cancel}>
      <div class="fields">{[...needed, ...stated].map(field)}</div>
      <details class="more-fields" open={unstated.some((member) => problemOfField(member) !== undefined)}>
        <summary>More fields</summary>
        <div class="fields">{unstated.map(field)}</div>
      </details>
    </Form>
  );
}

const newTransaction: FormTexts = { type: 'buy' };

/** Returns the fields of a transaction that are set, as text, without the default currency USD. */
function toFormTexts(story: TransactionStory): FormTexts {
  const members: Readonly<Record<string, unknown>> = { ...story, externalId: story.source.externalId };
  const texts = allMembers.flatMap((member) => {
    const value = members[member];
    return typeof value === 'string' && !(member === 'currency' && value === 'USD') ? [[member, value]] : [];
  });
  return Object.fromEntries(texts);
}

/** Returns the body for a new transaction: the fields of its type that are set. */
function toMembers(fields: FormTexts, members: readonly LotbookMember[]): MemberInput {
  return Object.fromEntries(members.flatMap((member) => (fields[member] ? [[member, fields[member]]] : [])));
}

/** Returns a merge patch, in which null clears a value. */
function differences(before: FormTexts, after: FormTexts): MemberInput {
  const changed = allMembers.filter((member) => (before[member] ?? '') !== (after[member] ?? ''));
  return Object.fromEntries(changed.map((member) => [member, after[member] || null]));
}
