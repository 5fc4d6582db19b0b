import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { IssueKind } from '../../engine/model.ts';
import { to } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { useStatus } from '../api/status.ts';
import { useListedYear, useYears } from '../api/tax-year.ts';
import { count, formatCount } from '../format/amounts.ts';
import { Money } from '../parts/amount.tsx';
import { Choice } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { YearsChoice } from '../parts/years-choice.tsx';
import { BatchCard } from './needs-you/batch-card.tsx';
import { IssueCard } from './needs-you/issue-card.tsx';
import { type IssueFilter, type OpenIssue, readIssues } from './needs-you/issues.ts';
import { kindNames } from './needs-you/kind-names.ts';

/** The items to review, largest amounts first. */
export default function NeedsYou() {
  const { query, route } = useLocation();
  const year = useListedYear();
  const filter = toIssueFilter(query, year);
  const [limit, setLimit] = useState(20);
  const issues = useResource(year === undefined ? null : `issues ${JSON.stringify(filter)} ${limit}`, () =>
    readIssues(filter, limit),
  );
  const status = useStatus().data;
  const reading = useYears();
  const ofKind = status?.issues.kinds.find(({ kind }) => kind === filter.kind)?.count ?? 0;
  const show = (change: Readonly<Record<string, string>>) =>
    route(to('/review', { ...query, client: undefined, ...change }), true);
  return (
    <Page
      title="Review"
      lead={
        status && (
          <>
            {formatCount(status.issues.count, 'item')} to review
            {status.issues.count > 0 && (
              <>
                , <Money amount={status.issues.dollars} /> affected
                {status.issues.unknown > 0 && ` and ${count(status.issues.unknown)} with unknown amounts`}. Your forms
                are marked DRAFT until they're resolved.
              </>
            )}
          </>
        )
      }
    >
      <div class="filters">
        <YearsChoice onChange={(years) => show({ years })} />
        <Choice
          label="Kind"
          value={filter.kind ?? ''}
          options={[
            { value: '', label: 'All kinds' },
            ...(status?.issues.kinds ?? []).map(({ kind, count }) => ({
              value: kind,
              label: `${kindNames[kind]} (${count})`,
            })),
          ]}
          onChange={(kind) => show({ kind })}
        />
        <Choice
          label="Status"
          value={filter.status}
          options={[
            { value: 'open', label: 'Open' },
            { value: 'resolved', label: 'Resolved' },
            { value: 'accepted', label: 'Kept' },
          ]}
          onChange={(state) => show({ status: state })}
        />
      </div>
      <ResourceView reading={issues}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 && <Nothing status={filter.status} isNew={reading.data?.data.length === 0} />}
            {filter.kind !== undefined && filter.status === 'open' && data.length > 1 && (
              <BatchCard kind={filter.kind} filter={filter} count={hasMore ? ofKind : data.length} />
            )}
            {data.map((issue) => (
              <IssueCard key={issue.id} issue={issue} beside={listRelated(issue, data)} />
            ))}
            {hasMore && (
              <button type="button" onClick={() => setLimit(limit + 40)}>
                Show more
              </button>
            )}
          </>
        )}
      </ResourceView>
    </Page>
  );
}

/**
 * For example, a withdrawal of more than was held raises one item about the missing units and one about where all of
 * them went.
 */
function listRelated({ id, transactions, status }: OpenIssue, shown: readonly OpenIssue[]): OpenIssue[] {
  const [row] = transactions;
  if (row === undefined || status !== 'open') return [];
  return shown.filter((other) => other.id !== id && other.transactions[0] === row);
}

interface NothingProps extends Pick<IssueFilter, 'status'> {
  /** There is no import yet. */
  readonly isNew: boolean;
}

function Nothing({ status, isNew }: NothingProps) {
  if (isNew) {
    return (
      <section class="card">
        <h2>Nothing to review yet</h2>
        <p>
          <a href={to('/import')}>Upload your broker and exchange files</a>. If something is missing, we'll ask here.
        </p>
      </section>
    );
  }
  return (
    <section class="card">
      <h2>{status === 'open' ? 'All done' : 'None yet'}</h2>
      <p>
        {status === 'open' ? (
          <>
            Nothing left to review. <a href={to('/forms')}>Generate your forms</a>,{' '}
            <a href={to('/import')}>import more files</a>, or{' '}
            <a href={to('/review', { years: 'all' })}>see all years</a>.
          </>
        ) : (
          'Items you resolve appear here. You can reopen them.'
        )}
      </p>
    </section>
  );
}

function toIssueFilter(query: Readonly<Record<string, string>>, year: number | null | undefined): IssueFilter {
  const status = (['open', 'accepted', 'resolved'] as const).find((each) => each === query.status) ?? 'open';
  const kind = (Object.keys(kindNames) as IssueKind[]).find((each) => each === query.kind);
  return {
    status,
    ...(kind === undefined ? {} : { kind }),
    ...(year == null ? {} : { year }),
  };
}
