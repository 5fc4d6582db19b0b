import { useLocation } from 'preact-iso';
import { to } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { useListedYear } from '../api/tax-year.ts';
import { formTabs } from '../destinations.ts';
import { formatCount } from '../format/amounts.ts';
import { Money } from '../parts/amount.tsx';
import { Empty } from '../parts/empty.tsx';
import { ExplainPanel } from '../parts/explanation/explain-panel.tsx';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { sayProblem } from '../parts/toasts.tsx';
import {
  buildLinesQuery,
  filterNames,
  type LinesPageResponse,
  readLinesPage,
  useLinesAddress,
} from './lines/filter.ts';
import { LineFilters } from './lines/filters.tsx';
import { fetchFirstLine, type LinePages, pageSize, useLinePages } from './lines/line-pages.ts';
import { LinesTable } from './lines/table.tsx';

/** The Form 8949 entries, with a panel that explains one of them. */
export default function LinesPage() {
  const { query, route } = useLocation();
  const address = useLinesAddress();
  const isKnown = useListedYear() !== undefined;
  const requestKey = JSON.stringify(buildLinesQuery(address));
  const lines = useResource(isKnown ? `lines ${requestKey}` : null, () => readLinesPage(address, pageSize, null));
  const pages = useLinePages(requestKey, lines.data);
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
      <ResourceView reading={lines}>
        {(first) =>
          first.data.length === 0 ? (
            <NoLines isNarrowed={filterNames.some((name) => (query[name] ?? '') !== '')} />
          ) : (
            <>
              <LineTotals answer={first} />
              <section class="card">
                <LinesTable first={first} pages={pages} />
              </section>
            </>
          )
        }
      </ResourceView>
      {(query.line ?? '') !== '' && (
        <ExplainPanel
          id={query.line ?? ''}
          onClose={close}
          hrefOf={(id) => to('/forms/8949', { ...query, line: id })}
          actions={<Neighbors pages={pages} />}
        />
      )}
    </Page>
  );
}

function title({ year = '' }: Readonly<Record<string, string>>): string {
  return /^\d{4}$/.test(year) ? `Form 8949 entries, ${year}` : 'Form 8949 entries';
}

/** The totals of the entries shown, from the API. */
function LineTotals({ answer: { totals } }: { readonly answer: LinesPageResponse }) {
  if (totals === null) return null;
  return (
    <dl class="totals">
      <div>
        <dt>{formatCount(totals.count, 'entry', 'entries')}, gain</dt>
        <dd>
          <Money amount={totals.gain} signed />
        </dd>
      </div>
      <div>
        <dt>Proceeds</dt>
        <dd>
          <Money amount={totals.proceeds} />
        </dd>
      </div>
      <div>
        <dt>Cost basis</dt>
        <dd>
          <Money amount={totals.basis} />
        </dd>
      </div>
      <div>
        <dt>Adjustment</dt>
        <dd>
          <Money amount={totals.adjustment} />
        </dd>
      </div>
    </dl>
  );
}

/** Buttons for the previous and next entry. They load the next page when needed. */
function Neighbors({ pages: { lines, following, showMore } }: { readonly pages: LinePages }) {
  const { query, route } = useLocation();
  const address = useLinesAddress();
  const at = lines.findIndex(({ id }) => id === query.line);
  if (at < 0) return null;
  const show = (line: string | undefined) => line !== undefined && route(to('/forms/8949', { ...query, line }), true);
  const goOn = async () => {
    if (following === null) return;
    const next = await fetchFirstLine(address, following);
    showMore();
    show(next);
  };
  const next = lines[at + 1];
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
        disabled={next === undefined && following === null}
        onClick={() => (next === undefined ? void goOn().catch(sayProblem) : show(next.id))}
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
