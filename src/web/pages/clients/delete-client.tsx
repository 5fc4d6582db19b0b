import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { clientId } from '../../api/acting.ts';
import { counted } from '../../format/amounts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAct } from '../../parts/use-act.ts';
import { type ClientStatusRow, deleteClient } from './client-rows.ts';

/** Books into which one was let stay with their owner: only the access ends. */
export function LeaveClient({ client, onClose }: { readonly client: ClientStatusRow; readonly onClose: () => void }) {
  const { id, name } = client;
  const { route } = useLocation();
  const { act, problem, isBusy } = useAct();
  const leave = async () => {
    await deleteClient(id);
    say(`You see the books of ${name} no more.`);
    onClose();
    if (clientId.value === id) route('/clients');
  };
  return (
    <Dialog title={`Leave the books of ${name}`} onClose={onClose}>
      <p>Your access ends, and nothing in the books changes. To get back in, invite the client again.</p>
      {problem !== null && <ProblemNotice problem={problem} />}
      <p class="actions">
        <button type="button" class="danger" disabled={isBusy} onClick={() => void act(leave)}>
          Leave the books
        </button>
        <button type="button" onClick={onClose}>
          Stay
        </button>
      </p>
    </Dialog>
  );
}

/** All books of a client go for good, which nothing can undo: the name is typed first. */
export function DeleteClient({ client, onClose }: { readonly client: ClientStatusRow; readonly onClose: () => void }) {
  const { id, name, transactions } = client;
  const { route } = useLocation();
  const [typed, setTyped] = useState('');
  const { act, problem, isBusy } = useAct();
  return (
    <Dialog title={`Delete ${name}`} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (typed.trim() !== name) return;
          const isDone = await act(() => deleteClient(id));
          if (!isDone) return;
          say(`${name} and the books are deleted.`);
          onClose();
          if (clientId.value === id) route('/clients');
        }}
      >
        <p>
          The books go with {counted(transactions, 'transaction')}, every file, answer and report. This cannot be
          undone.
        </p>
        {problem !== null && <ProblemNotice problem={problem} />}
        <Field label={`Type ${name}`} value={typed} onInput={setTyped} isRequired autoComplete="off" />
        <p class="actions">
          <button type="submit" class="danger" disabled={isBusy || typed.trim() !== name}>
            Delete the client
          </button>
          <button type="button" onClick={onClose}>
            Keep
          </button>
        </p>
      </form>
    </Dialog>
  );
}
