import { useState } from 'preact/hooks';
import { api, booksChanged, type ItemOf, unwrapResponse, useApi, write } from '../../api/api.ts';
import { accountTabs } from '../../destinations.ts';
import { now } from '../../format/dates.ts';
import { ActionButton, Button } from '../../parts/button.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Form } from '../../parts/form.tsx';
import { Card, Page, ResourceView, Tabs } from '../../parts/page.tsx';
import { useClientNames } from '../../parts/programs.ts';
import { Table } from '../../parts/tables/table.tsx';
import { ProgramConnections } from './programs.tsx';
import { Unverified } from './unverified.tsx';

type ListedToken = ItemOf<typeof api.auth.tokens.get>;

/** API tokens and connected programs, with controls to create and revoke them. A new one is shown once. */
export default function Tokens() {
  const reading = useApi('tokens', () => api.auth.tokens.get({ query: { limit: 100 } }));
  const clients = useClientNames();
  const nameOf = (id: string) => clients.find((each) => each.id === id)?.name ?? 'One client';
  const [shown, setShown] = useState<JustMadeToken | null>(null);
  return (
    <Page
      title="API tokens"
      lead="Give apps limited access without your password: import files, read your numbers, download reports."
    >
      <Tabs label="Parts of the account" tabs={accountTabs} />
      <Unverified />
      {shown !== null && <ShownToken name={shown.name} token={shown.token} onDone={() => setShown(null)} />}
      <TokenForm
        clients={clients}
        onMade={(made) => {
          setShown(made);
          booksChanged();
        }}
      />
      <AiProgram client={shown?.client ?? null} />
      <ProgramConnections nameOf={nameOf} />
      <ResourceView reading={reading}>{({ data }) => <TokenList tokens={data} nameOf={nameOf} />}</ResourceView>
    </Page>
  );
}

interface JustMadeToken {
  readonly name: string;
  readonly token: string;
  /** The only client whose books the token can access. */
  readonly client: string | null;
}

/** The server also provides MCP. Its address depends on the client that the new token is for. */
function AiProgram({ client }: Pick<JustMadeToken, 'client'>) {
  const address = `${location.origin}/mcp${client === null ? '' : `?client=${client}`}`;
  return (
    <Card title="Connect an AI app">
      <p>
        AI apps that support MCP (Model Context Protocol), like Claude Code, can read your records. Give the app this
        address. It then opens a page of Lotbook that asks you what it may do:
      </p>
      <p>
        <code class="token">{address}</code>
      </p>
      <p class="fine">
        If the app can't open that page, create a token with the read permission, and add it as the header{' '}
        <code>Authorization: Bearer lot_…</code>. The read permission changes nothing. With the import permission, the
        app can also import files after showing you what would change. What the app reads goes wherever the app sends
        it.
      </p>
    </Card>
  );
}

interface TokenListProps {
  readonly tokens: readonly ListedToken[];
  readonly nameOf: (client: string) => string;
}

function TokenList({ tokens, nameOf }: TokenListProps) {
  if (tokens.length === 0) {
    return (
      <Card title="No tokens yet">
        <p>A token never has access to your password, sign-in or plan, and you can revoke it at any time.</p>
      </Card>
    );
  }
  return (
    <Card title="Your tokens">
      <Table
        label="Your tokens"
        rows={tokens}
        columns={[
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Permissions', cell: ({ scopes }) => scopes.join(', ') },
          { head: 'Books', cell: ({ client }) => (client === null ? 'All' : nameOf(client)) },
          { head: 'Last used', kind: 'minute', cell: ({ lastUsedAt }) => lastUsedAt ?? <>never</> },
          {
            head: 'Expires',
            kind: 'minute',
            cell: ({ expiresAt }) => (Date.parse(expiresAt) > now() ? expiresAt : <>expired</>),
          },
          {
            head: 'Revoke it',
            kind: 'buttons',
            cell: ({ id, name }) => (
              <ActionButton
                label="Revoke"
                aria-label={`Revoke ${name}`}
                act={() => write(api.auth.tokens({ id }).delete())}
                said={`“${name}” revoked. Apps that use it no longer have access.`}
              />
            ),
          },
        ]}
      />
    </Card>
  );
}

const scopes = [
  {
    value: 'read',
    label: 'Read',
    means: 'Years, Form 8949 entries, holdings, transactions, items to review and notifications.',
  },
  { value: 'import', label: 'Import', means: 'Import files, prices and balances, and check the results.' },
  { value: 'write', label: 'Write', means: 'Change transactions, settings and locks, and resolve items.' },
  { value: 'reports', label: 'Reports', means: 'Generate reports and download them.' },
] as const;

const terms = [
  { value: '90', label: '90 days' },
  { value: '30', label: '30 days' },
  { value: '366', label: 'One year' },
] as const;

interface TokenFormProps {
  readonly clients: readonly { readonly id: string; readonly name: string }[];
  readonly onMade: (made: JustMadeToken) => void;
}

/** The form for a new token: its purpose, permissions and lifetime. */
function TokenForm({ clients, onMade }: TokenFormProps) {
  return (
    <Form
      class="card"
      title="New token"
      fields={{
        name: { label: 'What is it for?', isRequired: true, placeholder: 'Nightly import' },
        days: { label: 'Expires in', options: terms },
        client: {
          label: 'Books',
          isHidden: clients.length === 0,
          options: [{ value: '', label: 'All' }, ...clients.map(({ id, name }) => ({ value: id, label: name }))],
        },
        scopes: { label: 'Permissions', type: 'checks', options: scopes, value: ['read'] },
      }}
      verb="Create token"
      busy="Creating…"
      isReady={(values) => values.scopes.length > 0}
      onSubmit={async ({ name, days, client, scopes: chosen }) => {
        const newToken = { name, scopes: [...chosen], days: Number(days), client: client || null };
        onMade(await unwrapResponse(api.auth.tokens.post(newToken)));
      }}
    />
  );
}

/** The secret of a new token, which is shown only once. */
function ShownToken({ name, token, onDone }: Readonly<{ name: string; token: string; onDone: () => void }>) {
  return (
    <section class="notice" role="status" aria-label="The new token">
      <div>
        <p>
          This is your token “{name}”. Copy it now: it won't be shown again. Anyone who has it can use its permissions.
        </p>
        <CopyText text={token} what="Token" />
      </div>
      <p class="actions">
        <Button label="Done" onClick={onDone} />
      </p>
    </section>
  );
}
