import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useOpenClient } from '../../api/books.ts';
import { clientId, withClient } from '../../api/page-url.ts';
import { type Account, account, deleteAccount } from '../../api/session.ts';
import { useServerConfig } from '../../api/status.ts';
import { say } from '../../api/toasts.ts';
import { accountTabs } from '../../destinations.ts';
import { formatCount } from '../../format/amounts.ts';
import { longDay } from '../../format/dates.ts';
import { Button, Icon } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DownloadButton } from '../../parts/files/download-button.tsx';
import { Form } from '../../parts/form.tsx';
import { Card, Page, Tabs } from '../../parts/page.tsx';
import { NoAccount } from './unverified.tsx';

/** Everything we store, with ways to download and delete it. */
export default function YourData() {
  const user = account.value;
  if (!user) return null;
  if (user.demo) return <NoAccount title="Your data" />;
  const isOwn = clientId.value === null;
  return (
    <Page title="Your data" lead="Download everything we store for this account.">
      <Tabs label="Parts of the account" tabs={accountTabs} />
      <AllData />
      <OtherServer />
      <Card title="Transactions only">
        <p>One CSV that includes your fixes. Imported into an empty account, it gives the same results.</p>
        <p>
          <a class="button" download href={withClient(new URL('/v1/transactions/export', location.origin)).href}>
            <Icon name="reports" /> Download transactions
          </a>
        </p>
      </Card>
      {isOwn && <DeleteAccount user={user} />}
      <p class="fine">
        What is stored, and where: <a href="/privacy">Privacy</a> · <a href="/terms">Terms</a>
      </p>
    </Page>
  );
}

/** The export covers the user's account unless it names a client. */
function exportPath(): string {
  const client = clientId.value;
  return `/v1/account/export${client === null ? '' : `?${new URLSearchParams({ client })}`}`;
}

function AllData() {
  const isOwn = clientId.value === null;
  const name = useOpenClient().data?.name;
  return (
    <Card id="everything" title="Everything in one file">
      <p>{isOwn ? 'A ZIP with:' : `A ZIP of the records of ${name ?? 'this client'}, with:`}</p>
      <ul class="points">
        <li>all transactions as one CSV, and each file as you imported it</li>
        <li>your fixes, edits, tax choices and notes, with prices, balances and settings</li>
        <li>locked and signed-off years with their Form 8949 entries, reports, notifications, and the activity log</li>
        <li>
          {isOwn
            ? 'your account: email address, plan, sessions, devices and tokens, without any secrets'
            : 'nothing from your own account, and nothing about how the client signs in'}
        </li>
      </ul>
      <p>
        <DownloadButton label="Download everything" isPrimary pathOf={exportPath} />
      </p>
      <p class="fine">
        The file is not encrypted, and it contains names, taxpayer IDs and all transactions. Keep it somewhere private.
        You may need to confirm your identity. One export runs at a time.
      </p>
    </Card>
  );
}

function OtherServer() {
  return (
    <Card title="Move to another server">
      <p>
        The other server's administrator imports the file into an empty account there. The same version of Lotbook gives
        the same numbers, to the cent:
      </p>
      <p>
        <code>lotbook import-archive FILE EMAIL</code>
      </p>
      <p class="fine">Sign-in methods, shared access and the plan are not moved.</p>
    </Card>
  );
}

/** Asks for confirmation twice because an account cannot be restored after the grace period. */
function DeleteAccount({ user }: { readonly user: Account }) {
  const [isOpen, setOpen] = useState(false);
  const days = useServerConfig().data?.limits.deletionGraceDays;
  return (
    <Card title="Delete account">
      <p>
        This deletes all your records, files, fixes and reports, including those of clients that you added. Accounts
        that others share with you stay with their owners. Download what you need first.
      </p>
      {days !== undefined && <p>{graceWords(days)}</p>}
      <Button label="Delete account" class="danger" onClick={() => setOpen(true)} />
      {isOpen && days !== undefined && <DeletionDialog user={user} days={days} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function graceWords(days: number): string {
  if (days === 0) return 'The account is deleted immediately and permanently. No one can restore it.';
  return `You'll be signed out right away, your tokens stop working, and everyone you gave access loses it. A paid plan is not renewed. For ${formatCount(days, 'day')} you can cancel the deletion by signing in, or with the link we email you. After that, everything is permanently erased.`;
}

function DeletionDialog({ user, days, onClose }: Readonly<{ user: Account; days: number; onClose: () => void }>) {
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
