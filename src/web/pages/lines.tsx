import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useList } from '../api/list.ts';
import { to } from '../api/page-url.ts';
import { useListedYear } from '../api/tax-year.ts';
import { formTabs } from '../destinations.ts';
import { formatCount } from '../format/amounts.ts';
import { Money } from '../parts/amount.tsx';
import { Empty } from '../parts/empty.tsx';
import { ExplainPanel } from '../parts/explanation/explain-panel.tsx';
import { Icon } from '../parts/icon.tsx';
import { ListView } from '../parts/list-view.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import {
  buildLinesQuery,
  type FormLine,
  filterNames,
  type LinesPageResponse,
  readLinesPage,
  useLinesAddress,
} from './lines/filter.ts';
import { LineFilters } from './lines/filters.tsx';
import { LinesTable } from './lines/table.tsx';

/** The Form 8949 entries, with a panel that explains one of them. */
export default function LinesPage() {
  const { query, route } = useLocation();
  const address = useLinesAddress();
  const isKnown = useListedYear() !== undefined;
  const request = buildLinesQuery(address);
  const list = useList(isKnown ? `lines ${JSON.stringify(request)}` : null, (cursor) =>
    readLinesPage({ ...request, ...cursor }),
  );
  const close = () => {
    const closed = query.line;
    route(to('/forms/8949', { ...query, line: null }), true);
    // Returns the focus to the row of the entry. If the page was opened with the entry in its URL, no element had the
    // focus before.
    requestAnimationFrame(() => document.getElementById(`line-${closed}`)?.focus({ preventScroll: true }));
  };
  return (
    <Page title={title(address)} lead="One entry per lot sold. Click one to see how it was calculated.">
      <Tabs label="Forms" tabs={formTabs} />
      <LineFilters />
      <ListView list={list} more="Show 100 more">
        {({ data, totals }) =>
          data.length === 0 ? (
            <NoLines isNarrowed={filterNames.some((name) => (query[name] ?? '') !== '')} />
          ) : (
            <>
              {totals !== null && <LineTotals totals={totals} />}
              <section class="card lines">
                <LinesTable lines={data} />
              </section>
            </>
          )
        }
      </ListView>
      {(query.line ?? '') !== '' && (
        <ExplainPanel
          id={query.line ?? ''}
          onClose={close}
          hrefOf={(id) => to('/forms/8949', { ...query, line: id })}
          actions={<Neighbors lines={list.reading.data?.data ?? []} showMore={list.showMore} />}
        />
      )}
    </Page>
  );
}

function title({ year = '' }: Readonly<Record<string, string>>): string {
  return /^\d{4}$/.test(year) ? `Form 8949 entries, ${year}` : 'Form 8949 entries';
}

/** The totals of the entries shown, from the API. */
function LineTotals({ totals }: { readonly totals: NonNullable<LinesPageResponse['totals']> }) {
  const shown = [
    [`${formatCount(totals.count, 'entry', 'entries')}, gain`, totals.gain],
    ['Proceeds', totals.proceeds],
    ['Cost basis', totals.basis],
    ['Adjustment', totals.adjustment],
  ] as const;
  return (
    <dl class="totals">
      {shown.map(([name, amount], at) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Money amount={amount} signed={at === 0} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface NeighborsProps {
  readonly lines: readonly FormLine[];
  readonly showMore: (() => void) | null;
}

/** Buttons for the previous and next entry. They load the next page when needed. */
function Neighbors({ lines, showMore }: NeighborsProps) {
  const { query, route } = useLocation();
  const [isLoading, setLoading] = useState(false);
  const at = lines.findIndex(({ id }) => id === query.line);
  const next = lines[at + 1];
  const show = (line: string | undefined) => route(to('/forms/8949', { ...query, line }), true);
  useEffect(() => {
    if (isLoading && next !== undefined) show(next.id);
    setLoading(false);
  }, [lines.length]);
  if (at === -1) return null;
  const showNext = () => {
    if (next !== undefined) return show(next.id);
    setLoading(true);
    showMore?.();
  };
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-label="Previous entry"
        disabled={at === 0}
        onClick={() => show(lines[at - 1]?.id)}
      >
        <Icon name="back" />
      </button>
      <button
        type="button"
        class="plain"
        aria-label="Next entry"
        disabled={next === undefined && showMore === null && !isLoading}
        onClick={showNext}
      >
        <Icon name="forward" />
      </button>
    </>
  );
}

function NoLines({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const { year } = useLinesAddress();
  if (isNarrowed) {
    return (
      <section class="card">
        <h2>No matching entries</h2>
        <p>
          No sales match these filters. <a href={to('/forms/8949')}>Clear filters</a>.
        </p>
      </section>
    );
  }
  return (
    <Empty title={`No entries ${year === '' ? 'yet' : `for ${year}`}`}>
      An entry appears for every lot you sell
      {year !== '' && (
        <>
          . You can also <a href={to('/forms/8949', { years: 'all' })}>show all years</a>
        </>
      )}
      .
    </Empty>
  );
}
