import { useLocation } from 'preact-iso';
import { to } from '../api/acting.ts';
import { useResource } from '../api/resource.ts';
import { counted } from '../format/amounts.ts';
import { Money } from '../parts/amount.tsx';
import { ExplainPanel } from '../parts/explanation/explain-panel.tsx';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { filterNames, type LinesPageAnswer, readLinesPage, requestOf } from './lines/filter.ts';
import { LineFilters } from './lines/filters.tsx';
import { LinesTable, pageSize } from './lines/table.tsx';

/** The lines of Form 8949, and beside them how one came about. */
export default function LinesPage() {
  const { query, route } = useLocation();
  const asked = JSON.stringify(requestOf(query));
  const lines = useResource(`lines ${asked}`, () => readLinesPage(query, pageSize, null));
  const close = () => {
    const closed = query.line;
    route(to('/lines', { ...query, line: null }), true);
    // Where the address came with the line, the focus was nowhere before.
    requestAnimationFrame(() => document.getElementById(`line-${closed}`)?.focus({ preventScroll: true }));
  };
  return (
    <Page title={title(query)} lead="Each line is a lot that was sold. Open one to see how its numbers came about.">
      <LineFilters />
      <ResourceView reading={lines}>
        {(first) =>
          first.data.length === 0 ? (
            <NoLines isNarrowed={filterNames.some((name) => (query[name] ?? '') !== '')} />
          ) : (
            <>
              <LineTotals answer={first} />
              <section class="card">
                <LinesTable first={first} />
              </section>
            </>
          )
        }
      </ResourceView>
      {(query.line ?? '') !== '' && (
        <ExplainPanel
          id={query.line ?? ''}
          onClose={close}
          hrefOf={(id) => to('/lines', { ...query, line: id })}
          actions={<Neighbours lines={lines.data} />}
        />
      )}
    </Page>
  );
}

function title({ year = '' }: Readonly<Record<string, string>>): string {
  return /^\d{4}$/.test(year) ? `Lines of Form 8949, ${year}` : 'Lines of Form 8949';
}

/** What the lines shown come to, by the API. */
function LineTotals({ answer: { totals } }: { readonly answer: LinesPageAnswer }) {
  if (totals === null) return null;
  return (
    <dl class="totals">
      <div>
        <dt>{counted(totals.count, 'line')}, gain</dt>
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

/** The lines before and after the one that is open. */
function Neighbours({ lines }: { readonly lines: LinesPageAnswer | undefined }) {
  const { query, route } = useLocation();
  const at = lines?.data.findIndex(({ id }) => id === query.line) ?? -1;
  if (lines === undefined || at < 0) return null;
  const button = (step: 1 | -1) => {
    const line = lines.data[at + step];
    return (
      <button
        type="button"
        class="plain"
        aria-label={step === 1 ? 'Next line' : 'Line before'}
        disabled={line === undefined}
        onClick={() => line !== undefined && route(to('/lines', { ...query, line: line.id }), true)}
      >
        <Icon name={step === 1 ? 'forward' : 'back'} />
      </button>
    );
  };
  return (
    <>
      {button(-1)}
      {button(1)}
    </>
  );
}

function NoLines({ isNarrowed }: { readonly isNarrowed: boolean }) {
  return (
    <section class="card">
      <h2>{isNarrowed ? 'No line fits' : 'No lines yet'}</h2>
      <p>
        {isNarrowed ? (
          <>
            Nothing was sold that all these filters keep. <a href={to('/lines')}>Show all lines</a>.
          </>
        ) : (
          <>
            A line appears for every lot that is sold. <a href={to('/import')}>Import files</a> with sales.
          </>
        )}
      </p>
    </section>
  );
}
