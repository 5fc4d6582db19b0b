import { useState } from 'preact/hooks';
import type { LotbookMember } from '../../../formats/lotbook-columns.ts';
import { formatCount } from '../../format/amounts.ts';
import { allMembers, memberNames } from '../../format/member-names.ts';
import { Drawer } from '../../parts/drawer.tsx';
import { Choice } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { sayProblem } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { countSelected, editMany, type Selection } from './edits.ts';
import { MemberField } from './member-field.tsx';

interface SelectionProps {
  readonly selection: Selection;
  /** All rows of the list. Null if they are selected or too many for one edit. */
  readonly all: { readonly count: number; readonly select: () => void } | null;
  readonly onClear: () => void;
}

/** Actions for the selected rows. */
export function SelectionBar({ selection, all, onClear }: SelectionProps) {
  const [isEditing, setEditing] = useState(false);
  const { act, isBusy: isDeleting } = useAction();
  const count = countSelected(selection);
  if (count === 0) return null;
  return (
    <section class="selection-bar" aria-label="Selected transactions">
      <strong role="status">{formatCount(count, 'transaction')} selected</strong>
      {all !== null && (
        <button type="button" class="plain" onClick={all.select}>
          Select all {formatCount(all.count, 'transaction')} that match
        </button>
      )}
      <button type="button" class="plain" onClick={onClear}>
        Clear
      </button>
      <OwnBooks>
        <button type="button" disabled={isDeleting} onClick={() => setEditing(true)}>
          <Icon name="edit" /> Change
        </button>
      </OwnBooks>
      <OwnBooks>
        <button
          type="button"
          class="danger"
          aria-disabled={isDeleting}
          onClick={() => void act(() => editMany(selection, { delete: true }).then(onClear), sayProblem)}
        >
          <Icon name="remove" /> {isDeleting ? 'Deleting…' : 'Delete'}
        </button>
      </OwnBooks>
      {isEditing && <BulkDrawer selection={selection} onClose={() => setEditing(false)} onDone={onClear} />}
    </section>
  );
}

interface BulkDrawerProps {
  readonly selection: Selection;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Sets one field in all selected rows. */
function BulkDrawer({ selection, onClose, onDone }: BulkDrawerProps) {
  const rows = formatCount(countSelected(selection), 'transaction');
  const [member, setMember] = useState<LotbookMember>('account');
  const [value, setValue] = useState('');
  const save = async () => {
    await editMany(selection, { set: { [member]: value === '' ? null : value } });
    onClose();
    onDone();
  };
  return (
    <Drawer title={`Change ${rows}`} label="Change transactions" onClose={onClose}>
      <Form fields={{}} verb={`Change ${rows}`} busy={`Changing ${rows}…`} onSubmit={save} onClose={onClose}>
        <div class="fields">
          <Choice
            label="Field"
            value={member}
            options={allMembers.map((each) => ({ value: each, label: memberNames[each].label }))}
            onChange={(chosen) => {
              setMember(chosen);
              setValue('');
            }}
          />
          <MemberField member={member} value={value} onInput={setValue} />
        </div>
        <p class="fine">
          Either all of them change or none. Leave the field blank to clear the value. You can undo this.
        </p>
      </Form>
    </Drawer>
  );
}
