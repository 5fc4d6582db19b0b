import { useState } from 'preact/hooks';
import type { LotbookMember } from '../../../formats/lotbook-columns.ts';
import { type Problem, toProblem } from '../../api/problem.ts';
import { formatCount } from '../../format/amounts.ts';
import { allMembers, memberNames } from '../../format/member-names.ts';
import { Drawer } from '../../parts/drawer.tsx';
import { Choice } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { sayProblem } from '../../parts/toasts.tsx';
import { editMany } from './edits.ts';
import { MemberField } from './member-field.tsx';

interface SelectionProps {
  readonly ids: ReadonlySet<string>;
  readonly onClear: () => void;
}

/** Actions for the selected rows. */
export function SelectionBar({ ids, onClear }: SelectionProps) {
  const [isEditing, setEditing] = useState(false);
  if (ids.size === 0) return null;
  return (
    <section class="selection-bar" aria-label="Selected transactions">
      <strong role="status">{formatCount(ids.size, 'transaction')} selected</strong>
      <button type="button" class="plain" onClick={onClear}>
        Clear
      </button>
      <OwnBooks>
        <button type="button" onClick={() => setEditing(true)}>
          <Icon name="edit" /> Change
        </button>
      </OwnBooks>
      <OwnBooks>
        <button
          type="button"
          class="danger"
          onClick={() => editMany([...ids], { delete: true }).then(onClear, sayProblem)}
        >
          <Icon name="remove" /> Delete
        </button>
      </OwnBooks>
      {isEditing && <BulkDrawer ids={ids} onClose={() => setEditing(false)} onDone={onClear} />}
    </section>
  );
}

interface BulkDrawerProps {
  readonly ids: ReadonlySet<string>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Sets one field in all selected rows. */
function BulkDrawer({ ids, onClose, onDone }: BulkDrawerProps) {
  const [member, setMember] = useState<LotbookMember>('account');
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  async function save(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      await editMany([...ids], { set: { [member]: value === '' ? null : value } });
      onClose();
      onDone();
    } catch (error) {
      setProblem(toProblem(error));
    }
    setBusy(false);
  }
  return (
    <Drawer title={`Change ${formatCount(ids.size, 'transaction')}`} label="Change transactions" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {problem !== null && <ProblemNotice problem={problem} />}
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
        <p class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            Change {formatCount(ids.size, 'transaction')}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Drawer>
  );
}
