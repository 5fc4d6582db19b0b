import { transactionTypes } from '../../../engine/transaction-types.ts';
import type { LotbookMember } from '../../../formats/lotbook-columns.ts';
import { useDraft } from '../../api/draft.ts';
import { allMembers, membersOfType } from '../../format/member-names.ts';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { addTransaction, changeTransaction, type MemberInput } from './edits.ts';
import type { TransactionStory } from './filter.ts';
import { MemberField } from './member-field.tsx';

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
  const { submit, problem, isBusy, problemOfField } = useAction();
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
  return (
    <form onSubmit={submit(save)}>
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        {needed.map(field)}
        {stated.map(field)}
      </div>
      <details class="more-fields" open={unstated.some((member) => problemOfField(member) !== undefined)}>
        <summary>More fields</summary>
        <div class="fields">{unstated.map(field)}</div>
      </details>
      <p class="actions">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {story === null ? 'Add' : 'Save'}
        </button>
        <button
          type="button"
          onClick={() => {
            forget();
            onCancel();
          }}
        >
          Cancel
        </button>
      </p>
    </form>
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
