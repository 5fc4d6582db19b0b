import { useLocation } from 'preact-iso';
import { type AuditAction, auditActions } from '../../../http/audit-actions.ts';
import { api, type ItemOf, useList } from '../../api/api.ts';
import { accountTabs } from '../../destinations.ts';
import { formatSentenceCase } from '../../format/words.ts';
import { FilterChoice, FilterField } from '../../parts/filters.tsx';
import { ListView, Page, Tabs } from '../../parts/page.tsx';
import { type ColumnSpec, Table } from '../../parts/tables/table.tsx';

type ListedEntry = ItemOf<typeof api.account.audit.get>;

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

/** The activity in the open books and their account, newest first. */
export default function Audit() {
  const { query } = useLocation();
  const { action = '', actor = '', from = '' } = query;
  const filter: EntryFilter = {
    ...(isOneOf(auditActions, action) ? { action } : {}),
    ...(isOneOf(actorValues, actor) && actor !== '' ? { actor } : {}),
    ...(/^\d{4}-\d{2}-\d{2}$/.test(from) ? { from } : {}),
  };
  const list = useList(`audit ${JSON.stringify(filter)}`, (cursor) =>
    api.account.audit.get({ query: { ...filter, ...cursor, limit: 50 } }),
  );
  return (
    <Page
      title="Activity log"
      lead="Every change, sign-in, failed sign-in and download, with where it came from. Nobody can change this list."
    >
      <Tabs label="Parts of the account" tabs={accountTabs} />
      <div class="filters">
        <FilterChoice name="action" label="What" options={kinds} />
        <FilterChoice name="actor" label="Who" options={actors} />
        <FilterField name="from" label="Since" type="date" />
      </div>
      <section class="card">
        <ListView list={list} more="Show older">
          {({ data }) => (
            <Table
              label="Activity log"
              columns={columns}
              rows={data}
              empty={<p>No activity. Nothing like this has happened since then.</p>}
            />
          )}
        </ListView>
      </section>
    </Page>
  );
}

const columns: readonly ColumnSpec<ListedEntry>[] = [
  { head: 'What', cell: describeAction },
  { head: 'When', kind: 'minute', cell: ({ at }) => at },
  { head: 'Who', cell: describeActor },
  { head: 'From', cell: (entry) => <span class="whole">{entry.address ?? elsewhere(entry)}</span> },
];

/** The subject of these entries is the email address that was used to sign in. */
const bySignIn: ReadonlySet<AuditAction> = new Set<AuditAction>(['signed_in', 'sign_in_failed', 'proof_failed']);

function describeAction({ action, subject, times }: ListedEntry): string {
  const year = subject !== null && /^\d{4}$/.test(subject) ? ` ${subject}` : '';
  const by = subject !== null && bySignIn.has(action) ? `, by ${formatSentenceCase(subject).toLowerCase()}` : '';
  return `${formatSentenceCase(action)}${year}${by}${times > 1 ? `, ${times} times` : ''}`;
}

const elsewhere = ({ actor }: ListedEntry): string => (actor === 'operator' ? 'the server' : 'other networks');

function describeActor({ actor, email, token }: ListedEntry): string {
  if (actor === 'operator') return "The server's administrator";
  if (actor === 'anyone') return 'Not signed in';
  return token === null ? (email ?? '') : `the token “${token.name}” of ${email ?? ''}`;
}

const actorValues = actors.map(({ value }) => value);

function isOneOf<Value extends string>(values: readonly Value[], text: string): text is Value {
  return values.some((value) => value === text);
}
