import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useServerConfig } from '../../api/server-config.ts';
import { type Account, deleteAccount } from '../../api/session.ts';
import { formatCount } from '../../format/amounts.ts';
import { longDay } from '../../format/dates.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toasts.tsx';

/** Asks for confirmation twice because an account cannot be restored after the grace period. */
export function DeleteAccount({ user }: { readonly user: Account }) {
  const [isOpen, setOpen] = useState(false);
  const days = useServerConfig().data?.limits.deletionGraceDays;
  return (
    <section class="card">
      <h2>Delete account</h2>
      <p>
        This deletes all your records, files, fixes and reports, including those of clients that you added. Accounts
        that others share with you stay with their owners. Download what you need first.
      </p>
      {days !== undefined && <p>{graceWords(days)}</p>}
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        Delete account
      </button>
      {isOpen && days !== undefined && <DeletionDialog user={user} days={days} onClose={() => setOpen(false)} />}
    </section>
  );
}

function graceWords(days: number): string {
  if (days === 0) return 'The account is deleted immediately and permanently. No one can restore it.';
  return `You'll be signed out right away, your tokens stop working, and everyone you gave access loses it. A paid plan is not renewed. For ${formatCount(days, 'day')} you can cancel the deletion by signing in, or with the link we email you. After that, everything is permanently erased.`;
}

interface DeletionDialogProps {
  readonly user: Account;
  readonly days: number;
  readonly onClose: () => void;
}

function DeletionDialog({ user, days, onClose }: DeletionDialogProps) {
  const { route } = useLocation();
  const { transactions, clients } = user.usage;
  const remove = async ({ password }: { readonly password: string }) => {
    const erasedAt = await deleteAccount(password);
    const until = erasedAt === null ? null : longDay(erasedAt.slice(0, 10));
    say(`Account deleted.${until === null ? '' : ` You can cancel the deletion until ${until}.`}`);
    route('/', true);
  };
  return (
    <Dialog title={`Delete ${user.email}`} onClose={onClose}>
      <Form
        lead={
          <p>
            This deletes {formatCount(transactions, 'transaction')}
            {clients > 0 && ' and the records of the clients you added'}
            {days === 0
              ? ', at once and for good. Nobody can bring it back.'
              : `. For ${formatCount(days, 'day')} you can take that back; then everything is erased for good.`}
          </p>
        }
        fields={{
          password: {
            label: 'Your password',
            type: 'password',
            autoComplete: 'current-password',
            isRequired: true,
            hint: 'Signed in through Google or GitHub only? Set a password first, under Security.',
          },
        }}
        verb="Delete everything"
        busy="Deleting…"
        look="danger"
        onSubmit={remove}
        onClose={onClose}
        cancel="Keep account"
      />
    </Dialog>
  );
}
