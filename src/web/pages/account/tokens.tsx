import { useState } from 'preact/hooks';
import { to } from '../../api/acting.ts';
import { api, got } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { useResource } from '../../api/resource.ts';
import { account } from '../../api/session.ts';
import { moment } from '../../format/dates.ts';
import { now } from '../../format/now.ts';
import { Page } from '../../parts/page.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { ShownToken, TokenForm } from './token-form.tsx';
import { Unverified } from './unverified.tsx';

type ListedToken = Awaited<ReturnType<typeof readTokens>>['data'][number];

function readTokens() {
  return got(api.auth.tokens.get({ query: { limit: 100 } }));
}

const readClients = async () => (await got(api.clients.get({ query: { limit: 100 } }))).data;

/** Tokens for programs: make one, see it once, take it back. */
export default function Tokens() {
  const reading = useResource('tokens', readTokens);
  const isCpa = account.value?.plan === 'CPA';
  const clients = useResource('clients of tokens', isCpa ? readClients : async () => []).data ?? [];
  const [shown, setShown] = useState<JustMadeToken | null>(null);
  return (
    <Page
      title="Tokens"
      lead="By a token a program works for you: it brings files in, reads your numbers, fetches reports."
      actions={
        <a class="button" href={to('/account')}>
          Back to the account
        </a>
      }
    >
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
      <ResourceView reading={reading}>
        {({ data }) => (
          <TokenList tokens={data} nameOf={(id) => clients.find((each) => each.id === id)?.name ?? 'One client'} />
        )}
      </ResourceView>
    </Page>
  );
}

interface JustMadeToken {
  readonly name: string;
  readonly token: string;
  /** The one client whose books it reaches. */
  readonly client: string | null;
}

/** The server speaks MCP beside its API. The address is that of the token that was just made. */
function AiProgram({ client }: Pick<JustMadeToken, 'client'>) {
  const address = `${location.origin}/mcp${client === null ? '' : `?client=${client}`}`;
  return (
    <section class="card">
      <h2>Ask from an AI program</h2>
      <p>
        A program that speaks MCP (Model Context Protocol), as Claude Code and Cursor do, asks your books by a token
        that may read. Give it this address, and the token as the header <code>Authorization: Bearer lot_…</code>:
      </p>
      <p>
        <code class="token">{address}</code>
      </p>
      <p class="fine">
        It changes nothing. With a token that may import too, it brings files in after it has shown you what they would
        do. What it reads goes where the program sends it.
      </p>
    </section>
  );
}

interface TokenListProps {
  readonly tokens: readonly ListedToken[];
  readonly nameOf: (client: string) => string;
}

function TokenList({ tokens, nameOf }: TokenListProps) {
  const revoke = async ({ id, name }: ListedToken) => {
    await got(api.auth.tokens({ id }).delete());
    booksChanged();
    say(`“${name}” is revoked. Programs that use it are refused from now on.`);
  };
  if (tokens.length === 0) {
    return (
      <section class="card">
        <h2>No token yet</h2>
        <p>A token never reaches your password, your sign-in or your plan, and you can take it back at any moment.</p>
      </section>
    );
  }
  return (
    <section class="card">
      <h2>Your tokens</h2>
      <StackedTable
        label="Your tokens"
        columns={['Name', 'May', 'Books', 'Last used', 'Ends', { unseen: 'Revoke it' }]}
        rows={tokens.map((token) => ({
          key: token.id,
          name: token.name,
          cells: [
            token.scopes.join(', '),
            token.client === null ? 'All' : nameOf(token.client),
            <span class="whole">{token.lastUsedAt === null ? 'never' : moment(token.lastUsedAt)}</span>,
            <span class="whole">{Date.parse(token.expiresAt) > now() ? moment(token.expiresAt) : 'has ended'}</span>,
            <button type="button" aria-label={`Revoke ${token.name}`} onClick={() => revoke(token).catch(sayProblem)}>
              Revoke
            </button>,
          ],
        }))}
      />
    </section>
  );
}
