import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type AuditAction, auditActions } from '../../../http/operations/audit-actions.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { accountTabs } from '../../destinations.ts';
import { moment } from '../../format/dates.ts';
import { formatSentenceCase } from '../../format/words.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { Tabs } from '../../parts/tabs.tsx';

type ListedEntry = Awaited<ReturnType<typeof readEntries>>['data'][number];

interface EntryFilter {
  readonly action?: AuditAction;
  readonly actor?: ListedActor;
  readonly from?: string;
}

const actors = [
  { value: '', label: 'Anyone' },
  { value: 'user', label: 'People' },
  { value: 'token', label: 'Apps, with a token' },
  { value: 'operator', label: "The server's administrator" },
  { value: 'anyone', label: 'Not signed in' },
] as const;
type ListedActor = Exclude<(typeof actors)[number]['value'], ''>;

const kinds = [
  { value: '', label: 'Everything' },
  ...auditActions
    .map((action) => ({ value: action, label: formatSentenceCase(action) }))
    .sort((a, b) => (a.label < b.label ? -1 : 1)),
] as const;

function readEntries(filter: EntryFilter, limit: number) {
  return unwrapResponse(api.account.audit.get({ query: { ...filter, limit } }));
}

const pageSize = 50;

/** The activity in the open books and their account, newest first. */
export default function Audit() {
  const { query, route } = useLocation();
  const [limit, setLimit] = useState(pageSize);
  const { action = '', actor = '', from = '' } = query;
  const filter: EntryFilter = {
    ...(isOneOf(auditActions, action) ? { action } : {}),
    ...(isOneOf(actorValues, actor) && actor !== '' ? { actor } : {}),
    ...(/^\d{4}-\d{2}-\d{2}$/.test(from) ? { from } : {}),
  };
  const reading = useResource(`audit ${JSON.stringify(filter)} ${limit}`, () => readEntries(filter, limit));
  const choose = (chosen: Readonly<Record<string, string>>) =>
    route(to('/account/audit', { ...query, ...chosen }), true);
  return (
    <Page
      title="Activity log"
      lead="Every change, sign-in, failed sign-in and download, with where it came from. Nobody can change this list."
    >
      <Tabs label="Parts of the account" tabs={accountTabs} />
      <div class="filters">
        <Choice
          label="What"
          value={filter.action ?? ''}
          options={kinds}
          onChange={(value) => choose({ action: value })}
        />
        <Choice
          label="Who"
          value={filter.actor ?? ''}
          options={actors}
          onChange={(value) => choose({ actor: value })}
        />
        <Field label="Since" type="date" value={filter.from ?? ''} onInput={(value) => choose({ from: value })} />
      </div>
      <ResourceView reading={reading}>
        {({ data, hasMore }) => (
          <>
            <EntryTable entries={data} />
            {hasMore && (
              <button type="button" onClick={() => setLimit(Math.min(1_000, limit + 200))}>
                Show older
              </button>
            )}
          </>
        )}
      </ResourceView>
    </Page>
  );
}

function EntryTable({ entries }: { readonly entries: readonly ListedEntry[] }) {
  if (entries.length === 0) {
    return (
      <section class="card">
        <h2>No activity</h2>
        <p>Nothing like this has happened since then.</p>
      </section>
    );
  }
  return (
    <section class="card">
      <StackedTable
        label="Activity log"
        columns={['What', 'When', 'Who', 'From']}
        rows={entries.map((entry) => ({
          key: entry.id,
          name: describeAction(entry),
          cells: [
            <span class="whole">{moment(entry.at)}</span>,
            describeActor(entry),
            <span class="whole">{entry.address ?? elsewhere(entry)}</span>,
          ],
        }))}
      />
    </section>
  );
}

/** The subject of these entries is the email address that was used to sign in. */
const bySignIn: ReadonlySet<AuditAction> = new Set<AuditAction>(['signed_in', 'sign_in_failed', 'proof_failed']);

function describeAction({ action, subject, times }: ListedEntry): string {
  const year = subject !== null && /^\d{4}$/.test(subject) ? ` ${subject}` : '';
  const by = subject !== null && bySignIn.has(action) ? `, by ${formatSentenceCase(subject).toLowerCase()}` : '';
  return `${formatSentenceCase(action)}${year}${by}${times > 1 ? `, ${times} times` : ''}`;
}

function elsewhere({ actor }: ListedEntry): string {
  return actor === 'operator' ? 'the server' : 'other networks';
}

function describeActor({ actor, email, token }: ListedEntry): string {
  if (actor === 'operator') return "The server's administrator";
  if (actor === 'anyone') return 'Not signed in';
  return token === null ? (email ?? '') : `the token “${token.name}” of ${email ?? ''}`;
}

const actorValues = actors.map(({ value }) => value);

function isOneOf<Value extends string>(values: readonly Value[], text: string): text is Value {
  return values.some((value) => value === text);
}
