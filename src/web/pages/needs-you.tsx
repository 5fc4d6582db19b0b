import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { IssueKind } from '../../engine/model.ts';
import { to } from '../api/acting.ts';
import { useResource } from '../api/resource.ts';
import { useStatus } from '../api/status.ts';
import { counted } from '../format/amounts.ts';
import { Money } from '../parts/amount.tsx';
import { Choice } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { useYears } from '../parts/year-switch.tsx';
import { BatchCard } from './needs-you/batch-card.tsx';
import { IssueCard } from './needs-you/issue-card.tsx';
import { type IssueFilter, type OpenIssue, readIssues } from './needs-you/issues.ts';
import { kindNames } from './needs-you/kind-names.ts';

/** The questions that the files leave open, those that may cost most first. */
export default function NeedsYou() {
  const { query, route } = useLocation();
  const filter = filterOf(query);
  const [limit, setLimit] = useState(20);
  const issues = useResource(`issues ${JSON.stringify(filter)} ${limit}`, () => readIssues(filter, limit));
  const status = useStatus().data;
  const reading = useYears();
  const years = reading.data?.data ?? [];
  const ofKind = status?.issues.kinds.find(({ kind }) => kind === filter.kind)?.count ?? 0;
  const show = (change: Readonly<Record<string, string>>) =>
    route(to('/needs-you', { ...query, client: undefined, ...change }), true);
  return (
    <Page
      title="Needs you"
      lead={
        status && (
          <>
            {counted(status.issues.count, 'open question')}
            {status.issues.count > 0 && (
              <>
                , <Money amount={status.issues.dollars} /> at stake
                {status.issues.unknown > 0 &&
                  ` and ${counted(status.issues.unknown, 'question')} whose amount is not known`}
                . Forms say DRAFT until they are answered or accepted.
              </>
            )}
          </>
        )
      }
    >
      <div class="filters">
        <Choice
          label="Tax year"
          value={query.year ?? ''}
          options={[
            { value: '', label: 'All years' },
            ...years.map(({ year }) => ({ value: String(year), label: String(year) })),
          ]}
          onChange={(year) => show({ year })}
        />
        <Choice
          label="Question"
          value={filter.kind ?? ''}
          options={[
            { value: '', label: 'All questions' },
            ...(status?.issues.kinds ?? []).map(({ kind, count }) => ({
              value: kind,
              label: `${kindNames[kind]} (${count})`,
            })),
          ]}
          onChange={(kind) => show({ kind })}
        />
        <Choice
          label="State"
          value={filter.status}
          options={[
            { value: 'open', label: 'Open' },
            { value: 'resolved', label: 'Answered' },
            { value: 'accepted', label: 'Accepted' },
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
              <IssueCard key={issue.id} issue={issue} beside={besides(issue, data)} />
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

/** As of a withdrawal above what was held: one about the units that were not there, one about where all of them went. */
function besides({ id, transactions, status }: OpenIssue, shown: readonly OpenIssue[]): OpenIssue[] {
  const [row] = transactions;
  if (row === undefined || status !== 'open') return [];
  return shown.filter((other) => other.id !== id && other.transactions[0] === row);
}

interface NothingProps extends Pick<IssueFilter, 'status'> {
  /** Before the first import. */
  readonly isNew: boolean;
}

function Nothing({ status, isNew }: NothingProps) {
  if (isNew) {
    return (
      <section class="card">
        <h2>Nothing to ask yet</h2>
        <p>
          <a href={to('/import')}>Import what your broker or exchange gives you</a>: what it leaves open is asked here.
        </p>
      </section>
    );
  }
  return (
    <section class="card">
      <h2>{status === 'open' ? 'Nothing needs you' : 'None yet'}</h2>
      <p>
        {status === 'open' ? (
          <>
            Every row of your files is understood. <a href={to('/reports')}>Make the forms</a>, or{' '}
            <a href={to('/import')}>import more</a>.
          </>
        ) : (
          'Questions that you answered or accepted stand here, and can be asked again.'
        )}
      </p>
    </section>
  );
}

function filterOf(query: Readonly<Record<string, string>>): IssueFilter {
  const status = (['open', 'accepted', 'resolved'] as const).find((each) => each === query.status) ?? 'open';
  const kind = (Object.keys(kindNames) as IssueKind[]).find((each) => each === query.kind);
  return {
    status,
    ...(kind === undefined ? {} : { kind }),
    ...(/^\d{4}$/.test(query.year ?? '') ? { year: Number(query.year) } : {}),
  };
}
