import { useEffect, useState } from 'preact/hooks';
import { api, type ItemOf, refresh, useApi, write } from '../api/api.ts';
import { useReadOnly } from '../api/books.ts';
import { to } from '../api/page-url.ts';
import { useServerConfig } from '../api/status.ts';
import { say } from '../api/toasts.ts';
import { formatCount } from '../format/amounts.ts';
import { moment } from '../format/dates.ts';
import { ActionButton } from '../parts/button.tsx';
import { Choice } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { OwnBooks, ReadOnlyReason } from '../parts/own-books.tsx';
import { Card, Notice, Page, ResourceView } from '../parts/page.tsx';
import { exchangeGuides } from './import/connection-guides.ts';

type Connected = ItemOf<typeof api.connections.get>;
type ConnectedService = Connected['kind'];

const refreshMilliseconds = 3_000;

/** The page that connects exchanges and brokers, and shows what their syncs did. */
export default function ConnectionsPage() {
  const config = useServerConfig();
  const readOnly = useReadOnly();
  return (
    <Page
      title="Connect an exchange"
      lead="Lotbook reads your history with a view-only key, which cannot trade or move money."
    >
      <ConnectionList />
      {readOnly !== null ? (
        <Card title="New connections are off here">
          <p>{readOnly === 'demo' ? 'Create an account to connect your own exchange.' : <ReadOnlyReason />}</p>
        </Card>
      ) : (
        <ResourceView reading={config}>{({ exchanges }) => <NewConnectionCard exchanges={exchanges} />}</ResourceView>
      )}
    </Page>
  );
}

function ConnectionList() {
  const reading = useApi('connections', () => api.connections.get({ query: {} }));
  const isSyncing = reading.data?.data.some(({ state }) => state === 'syncing') ?? false;
  useEffect(() => {
    if (!isSyncing) return undefined;
    const timer = setInterval(refresh, refreshMilliseconds);
    return () => clearInterval(timer);
  }, [isSyncing]);
  return (
    <ResourceView reading={reading}>
      {({ data }) => data.map((connection) => <ConnectionCard key={connection.id} connection={connection} />)}
    </ResourceView>
  );
}

function ConnectionCard({ connection }: { readonly connection: Connected }) {
  const { id, kind, account, automatic, lastImportId } = connection;
  const { name, namesAccounts } = exchangeGuides[kind];
  const one = api.connections({ id });
  return (
    <Card title={namesAccounts === true ? name : account.startsWith(name) ? account : `${name}: ${account}`}>
      <SyncState connection={connection} />
      <p class="fine">
        {automatic ? 'Syncs once a day.' : 'Syncs only when you ask.'}{' '}
        {lastImportId !== null && <a href={to(`/import/${lastImportId}`)}>See the last import</a>}
      </p>
      <OwnBooks>
        <p class="actions">
          <ActionButton
            label="Sync now"
            class="primary"
            aria-label={`Sync now: ${name}`}
            act={() => write(one.sync.post(undefined, { query: {} }))}
            said={({ state }) => (state === 'waiting' ? `${name} asked us to wait.` : `Sync of ${name} started.`)}
          />
          <ActionButton
            label={automatic ? 'Turn off daily sync' : 'Turn on daily sync'}
            act={() => write(one.patch({ automatic: !automatic }, { query: {} }))}
            said={automatic ? 'Daily sync is off.' : 'Daily sync is on.'}
          />
          <DisconnectButton name={name} act={() => write(one.delete(undefined, { query: {} }))} />
        </p>
      </OwnBooks>
    </Card>
  );
}

interface DisconnectButtonProps {
  readonly name: string;
  readonly act: () => Promise<unknown>;
}

/** Asks first, because the key is shown only once at the service. */
function DisconnectButton({ name, act }: DisconnectButtonProps) {
  const [isAsked, setAsked] = useState(false);
  if (!isAsked) {
    return (
      <button type="button" aria-label={`Disconnect ${name}`} onClick={() => setAsked(true)}>
        Disconnect
      </button>
    );
  }
  return (
    <>
      <span>Delete the key from Lotbook? Imported transactions stay.</span>
      <ActionButton
        label="Delete the key"
        class="danger"
        act={act}
        said={`${name} is disconnected. Delete the key at ${name} too.`}
      />
      <button type="button" onClick={() => setAsked(false)}>
        Keep it
      </button>
    </>
  );
}

function SyncState({ connection }: { readonly connection: Connected }) {
  const { state, problem, progress, lastSyncAt, nextSyncAt } = connection;
  const last = lastSyncAt === null ? 'Not synced yet.' : `Last synced ${moment(lastSyncAt)}.`;
  if (state === 'syncing') {
    const read = progress === null || progress.pages === 0 ? '' : `: ${formatCount(progress.pages, 'page')} read`;
    return (
      <p role="status">
        Syncing{read}… {last}
      </p>
    );
  }
  if (problem !== null) {
    return (
      <>
        <Notice>
          {problem.detail} {nextSyncAt !== null && `We'll try again ${moment(nextSyncAt)}.`}
        </Notice>
        <p>{last}</p>
      </>
    );
  }
  return (
    <p>
      {last} {nextSyncAt !== null && `Next sync ${moment(nextSyncAt)}.`}
    </p>
  );
}

function NewConnectionCard({ exchanges }: { readonly exchanges: readonly ConnectedService[] }) {
  const [chosen, choose] = useState<ConnectedService | null>(null);
  const [first] = exchanges;
  if (first === undefined) {
    return (
      <Card title="This server connects to no exchange">
        <p>
          <a href={to('/import')}>Import their files</a> instead.
        </p>
      </Card>
    );
  }
  const kind = chosen ?? first;
  const { name, steps, keyLabel, secretLabel, secretHint, namesAccounts } = exchangeGuides[kind];
  return (
    <Card title="Add a connection">
      <div class="fields">
        <Choice
          label="Service"
          value={kind}
          options={exchanges.map((each) => ({ value: each, label: exchangeGuides[each].name }))}
          onChange={choose}
        />
      </div>
      <h3>Create a view-only key</h3>
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Form
        key={kind}
        label={`Connect ${name}`}
        draft={`connect ${kind}`}
        fields={{
          key: { label: keyLabel, isRequired: true, autoComplete: 'off' },
          secret: { label: secretLabel, type: 'password', isRequired: true, hint: secretHint, autoComplete: 'off' },
          account: {
            label: 'Account in Lotbook',
            value: name,
            isHidden: namesAccounts === true,
            hint: 'If you imported files of this account before, use the same name, so that their rows are recognized.',
          },
        }}
        verb={`Connect ${name}`}
        busy="Checking the key…"
        keeps
        onSubmit={async ({ key, secret, account }) => {
          await write(api.connections.post({ kind, key, secret, ...(account.trim() === '' ? {} : { account }) }));
          say(`${name} is connected. The first sync reads your whole history.`);
        }}
      >
        <p class="fine">
          The key is stored encrypted, and no page or export shows it. Keys that can trade or withdraw are refused if{' '}
          {name} reports it. You can undo each sync like any import.
        </p>
      </Form>
    </Card>
  );
}
