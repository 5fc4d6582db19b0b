import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { clientId } from '../../api/page-url.ts';
import { formatCount } from '../../format/amounts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { type ClientStatusRow, deleteClient } from './client-rows.ts';

/** Ends the user's access to a client's own books. The books stay with their owner. */
export function LeaveClient({ client, onClose }: { readonly client: ClientStatusRow; readonly onClose: () => void }) {
  const { id, name } = client;
  const { route } = useLocation();
  const { act, problem, isBusy } = useAction();
  const leave = async () => {
    await deleteClient(id);
    say(`You no longer have access to ${name}.`);
    onClose();
    if (clientId.value === id) route('/clients');
  };
  return (
    <Dialog title={`Leave ${name}`} onClose={onClose}>
      <p>You will lose access, but nothing in the account changes. To regain access, invite the client again.</p>
      {problem !== null && <ProblemNotice problem={problem} />}
      <p class="actions">
        <button type="button" class="danger" aria-disabled={isBusy} onClick={() => void act(leave)}>
          Leave account
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}

/**
 * Permanently deletes all books of a client. The deletion cannot be undone, so the user must type the client's name to
 * confirm.
 */
export function DeleteClient({ client, onClose }: { readonly client: ClientStatusRow; readonly onClose: () => void }) {
  const { id, name, transactions } = client;
  const { route } = useLocation();
  const [typed, setTyped] = useState('');
  const { act, problem, isBusy } = useAction();
  return (
    <Dialog title={`Delete ${name}`} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (typed.trim() !== name) return;
          const isDone = await act(() => deleteClient(id));
          if (!isDone) return;
          say(`${name} deleted.`);
          onClose();
          if (clientId.value === id) route('/clients');
        }}
      >
        <p>
          This deletes {formatCount(transactions, 'transaction')}, all files, all fixes, and all reports. This cannot be
          undone.
        </p>
        {problem !== null && <ProblemNotice problem={problem} />}
        <Field label={`Type ${name} to confirm`} value={typed} onInput={setTyped} isRequired autoComplete="off" />
        <p class="actions">
          <button type="submit" class="danger" aria-disabled={isBusy} disabled={typed.trim() !== name}>
            Delete client
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
