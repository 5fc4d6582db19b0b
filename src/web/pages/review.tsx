import { useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { IssueKind } from '../../engine/model.ts';
import { to } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { useListedYear, useYears } from '../api/tax-year.ts';
import { Empty } from '../parts/empty.tsx';
import { Choice } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { YearsChoice } from '../parts/years-choice.tsx';
import { AnsweredList } from './review/answered-list.tsx';
import { formatTotal, type ReviewCause, readCauses } from './review/causes.tsx';
import { Inbox } from './review/inbox.tsx';

/** The items to review, grouped by cause, largest amounts first. */
export default function Review() {
  const { query, route } = useLocation();
  const listed = useListedYear();
  const year = listed ?? undefined;
  const years = useYears().data?.data;
  const causes = useResource(listed === undefined ? null : `causes ${listed}`, () => readCauses(year));
  const total = causes.data?.total;
  const state = (['accepted', 'resolved'] as const).find((each) => each === query.status);
  const show = (change: Readonly<Record<string, string>>) =>
    route(to('/review', { ...query, client: undefined, item: undefined, ...change }), true);
  return (
    <Page
      title="Review"
      lead={total !== undefined && total.count > 0 && formatTotal(total)}
      actions={
        <>
          <YearsChoice onChange={(years) => show({ years })} />
          <Choice
            label="Status"
            value={state ?? ''}
            options={[
              { value: '', label: 'Open' },
              { value: 'resolved', label: 'Resolved' },
              { value: 'accepted', label: 'Kept' },
            ]}
            onChange={(chosen) => show({ status: chosen })}
          />
        </>
      }
    >
      {state === undefined ? (
        <ResourceView reading={causes}>
          {({ data }) => (
            <OpenItems
              key={year}
              causes={data}
              year={year}
              kind={query.kind as IssueKind | undefined}
              isNew={years?.length === 0}
            />
          )}
        </ResourceView>
      ) : (
        <AnsweredList key={state} filter={{ status: state, ...(year === undefined ? {} : { year }) }} />
      )}
    </Page>
  );
}

interface OpenItemsProps {
  readonly causes: readonly ReviewCause[];
  readonly year: number | undefined;
  /** The only kind shown, if a link from another page set one. */
  readonly kind: IssueKind | undefined;
  /** Whether nothing has been imported yet. */
  readonly isNew: boolean;
}

function OpenItems({ causes, year, kind, isNew }: OpenItemsProps) {
  const most = useRef(0);
  const shown = causes.filter((cause) => kind === undefined || cause.kind === kind);
  const left = shown.reduce((sum, cause) => sum + cause.count, 0);
  most.current = Math.max(most.current, left);
  if (left === 0) return <Nothing isNew={isNew} />;
  return (
    <>
      {left < most.current && <progress max={most.current} value={most.current - left} aria-label="Items done" />}
      <Inbox causes={shown} year={year} />
    </>
  );
}

function Nothing({ isNew }: { readonly isNew: boolean }) {
  if (isNew) {
    return (
      <Empty title="Nothing to review yet">
        If something in your files is missing or unclear, we ask here and show the dollars at stake.
      </Empty>
    );
  }
  return (
    <section class="card">
      <h2>All done</h2>
      <p>
        Nothing left to review. <a href={to('/forms')}>Generate your forms</a>,{' '}
        <a href={to('/import')}>import more files</a>, or <a href={to('/review', { years: 'all' })}>see all years</a>.
      </p>
    </section>
  );
}
