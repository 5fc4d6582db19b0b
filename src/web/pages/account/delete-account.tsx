import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useServerConfig } from '../../api/server-config.ts';
import { type Account, deleteAccount } from '../../api/session.ts';
import { counted } from '../../format/amounts.ts';
import { longDay } from '../../format/dates.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAct } from '../../parts/use-act.ts';

/** The one act that asks twice: after the days of grace nothing brings an account back. */
export function DeleteAccount({ user }: { readonly user: Account }) {
  const [isOpen, setOpen] = useState(false);
  const days = useServerConfig().data?.limits.deletionGraceDays;
  return (
    <section class="card">
      <h2>Delete the account</h2>
      <p>
        All books, files, answers and reports go with it, those of the clients that you made too. Books into which you
        were let stay with their owners. Download what you need first.
      </p>
      {days !== undefined && <p>{graceWords(days)}</p>}
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        Delete the account
      </button>
      {isOpen && days !== undefined && <DeletionDialog user={user} days={days} onClose={() => setOpen(false)} />}
    </section>
  );
}

function graceWords(days: number): string {
  if (days === 0) return 'It is done at once and for good: nobody can bring it back.';
  return `At once nobody uses the account any more: its sessions and tokens end, and so does the access of those whom you let in. A plan that you bought is not renewed. For ${counted(days, 'day')} you can take that back by signing in, or by the link in the mail about it. Then everything is erased for good.`;
}

interface DeletionDialogProps {
  readonly user: Account;
  readonly days: number;
  readonly onClose: () => void;
}

function DeletionDialog({ user, days, onClose }: DeletionDialogProps) {
  const { route } = useLocation();
  const [password, setPassword] = useState('');
  const { act, problem, isBusy } = useAct();
  const { transactions, clients } = user.usage;
  const remove = async () => {
    const erasedAt = await deleteAccount(password);
    const until = erasedAt === null ? null : longDay(erasedAt.slice(0, 10));
    say(`The account is deleted.${until === null ? '' : ` You can take that back until ${until}.`}`);
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
          {clients > 0 && ' and the books of the clients that you made'}
          {days === 0
            ? ', at once and for good. Nobody can bring it back.'
            : `. For ${counted(days, 'day')} you can take that back; then everything is erased for good.`}
        </p>
        {problem !== null && <ProblemNotice problem={problem} />}
        <Field
          label="Your password"
          type="password"
          autoComplete="current-password"
          isRequired
          value={password}
          onInput={setPassword}
          hint="Signed in through Google or GitHub only? Set a password first, on the page of the account."
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
