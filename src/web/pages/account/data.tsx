import { clientId, to, withClient } from '../../api/acting.ts';
import { useOpenClient } from '../../api/books.ts';
import { account } from '../../api/session.ts';
import { DownloadButton } from '../../parts/files/download-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { NoAccount } from '../../parts/no-account.tsx';
import { Page } from '../../parts/page.tsx';
import { DeleteAccount } from './delete-account.tsx';

/** All that is held: to take along, and to have erased. */
export default function YourData() {
  const user = account.value;
  if (!user) return null;
  if (user.demo) return <NoAccount title="Your data" />;
  const isOwn = clientId.value === null;
  return (
    <Page
      title="Your data"
      lead="Everything that is held for these books is yours to take along."
      actions={
        <a class="button" href={to('/account')}>
          Back to the account
        </a>
      }
    >
      <Everything />
      <Elsewhere />
      <section class="card">
        <h2>The transactions alone</h2>
        <p>One CSV with your answers in it. Imported into an empty account, it gives the same books.</p>
        <p>
          <a class="button" download href={withClient(new URL('/v1/transactions/export', location.origin)).href}>
            <Icon name="reports" /> Download the transactions
          </a>
        </p>
      </section>
      {isOwn && <DeleteAccount user={user} />}
    </Page>
  );
}

/** The export is of the account unless it names a client. */
function exportPath(): string {
  const client = clientId.value;
  return `/v1/account/export${client === null ? '' : `?${new URLSearchParams({ client })}`}`;
}

function Everything() {
  const isOwn = clientId.value === null;
  const name = useOpenClient().data?.name;
  return (
    <section class="card" aria-labelledby="everything">
      <h2 id="everything">Everything in one file</h2>
      <p>{isOwn ? 'A ZIP that holds:' : `A ZIP of the books of ${name ?? 'this client'}, which holds:`}</p>
      <ul class="points">
        <li>all transactions as one CSV, and each file as it was imported</li>
        <li>what you answered, edited, elected and noted, with prices, balances and settings</li>
        <li>years that are locked or signed off with their lines, reports, notifications, and who did what</li>
        <li>
          {isOwn
            ? 'your account: address, plan, sessions, devices and tokens, without any secret'
            : 'nothing of your own account, and nothing of how the client signs in'}
        </li>
      </ul>
      <p>
        <DownloadButton label="Download everything" isPrimary pathOf={exportPath} />
      </p>
      <p class="fine">
        The file is not encrypted, and it holds names, tax numbers and all transactions: keep it where nobody else reads
        it. You may be asked once more who you are. One is made at a time.
      </p>
    </section>
  );
}

function Elsewhere() {
  return (
    <section class="card">
      <h2>Take it to another server</h2>
      <p>
        Whoever runs the other server puts that file into an empty account there. The same version of Lotbook gives the
        same numbers, to the cent:
      </p>
      <p>
        <code>lotbook import-archive FILE EMAIL</code>
      </p>
      <p class="fine">How you sign in, who was let into the books, and the plan stay behind.</p>
    </section>
  );
}
