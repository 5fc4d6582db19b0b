import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type Account, deleteAccount } from '../../api/session.ts';
import { counted } from '../../format/amounts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAct } from '../../parts/use-act.ts';

/** The one act that asks twice: nothing brings an account back. */
export function DeleteAccount({ user }: { readonly user: Account }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="card">
      <h2>Delete the account</h2>
      <p>
        All books, files, answers and reports go with it, those of the clients that you made too. Books into which you
        were let stay with their owners. Download what you need first.
      </p>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        Delete the account
      </button>
      {isOpen && <DeletionDialog user={user} onClose={() => setOpen(false)} />}
    </section>
  );
}

function DeletionDialog({ user, onClose }: { readonly user: Account; readonly onClose: () => void }) {
  const { route } = useLocation();
  const [password, setPassword] = useState('');
  const { act, problem, isBusy } = useAct();
  const { transactions, clients } = user.usage;
  const remove = async () => {
    await deleteAccount(password);
    say('The account is deleted.');
    route('/', true);
  };
  return (
    <Dialog title={`Delete ${user.email}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act(remove);
        }}
      >
        <p>
          This deletes {counted(transactions, 'transaction')}
          {clients > 0 && ' and the books of the clients that you made'}, at once and for good. Nobody can bring it
          back.
        </p>
        {problem !== null && <ProblemNotice problem={problem} />}
        <Field
          label="Your password"
          type="password"
          autoComplete="current-password"
          isRequired
          value={password}
          onInput={setPassword}
          hint="Signed in through Google or GitHub only? Set a password first, above."
        />
        <p class="actions">
          <button type="submit" class="danger" disabled={isBusy || password === ''}>
            Delete everything
          </button>
          <button type="button" onClick={onClose}>
            Keep the account
          </button>
        </p>
      </form>
    </Dialog>
  );
}
