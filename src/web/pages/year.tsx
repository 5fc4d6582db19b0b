import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, unwrapResponse } from '../api/api.ts';
import { hasClients, useOpenClient, useReadOnly } from '../api/books.ts';
import { getFirstRun } from '../api/first-run.ts';
import { clientId, to } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { useTaxYear, useYears } from '../api/tax-year.ts';
import { formatCount } from '../format/amounts.ts';
import { day, month } from '../format/dates.ts';
import { Money } from '../parts/amount.tsx';
import { MonthsChart } from '../parts/bar-chart.tsx';
import { LinkButton } from '../parts/button.tsx';
import { OwnBooks } from '../parts/own-books.tsx';
import { Card, Page } from '../parts/page.tsx';
import { ResourceView, Waiting } from '../parts/resource-view.tsx';
import { Notes, SignOffBar } from '../parts/sign-off/sign-off-bar.tsx';
import { type ColumnSpec, Table } from '../parts/tables/table.tsx';
import { AssumedForms, Checklist, useSteps } from './year/checklist.tsx';
import { Figures, Headline } from './year/figures.tsx';
import { readSummary } from './year/summary.ts';
import { TopAssets, YearTables } from './year/tables.tsx';

/** The capital gains for the tax year. */
export default function YearPage() {
  const years = useYears();
  const year = useTaxYear();
  if (year !== null && years.data?.data.length !== 0) return <Year year={year} />;
  return (
    <Page title={year === null ? 'Overview' : `Tax year ${year}`}>
      <ResourceView reading={years}>{() => <Welcome />}</ResourceView>
    </Page>
  );
}

function Year({ year }: { readonly year: number }) {
  const summary = useResource(`summary ${year}`, () => readSummary(year));
  const steps = useSteps(year, summary.data);
  const isFiled = steps.every(({ isDone }) => isDone);
  return (
    <Page
      title={`Tax year ${year}`}
      lead={
        summary.data && (
          <>
            {formatCount(summary.data.total.count, 'Form 8949 entry', 'Form 8949 entries')} · {summary.data.method}
            {summary.data.asOf !== null && <> · Data through {day(summary.data.asOf)}</>}
          </>
        )
      }
      actions={<LinkButton icon="reports" label="Get Form 8949" href={to('/forms', { year })} />}
    >
      <ResourceView reading={summary}>
        {(data) => (
          <>
            <div class="overview">
              <Headline summary={data} isFiled={isFiled} />
              {isFiled ? <TopAssets summary={data} isAside /> : <Checklist year={year} steps={steps} />}
              <Figures summary={data} />
              <Months year={year} />
            </div>
            <SignOffBar year={year} />
            <AssumedForms summary={data} />
            {!isFiled && <TopAssets summary={data} />}
            <YearTables summary={data} />
          </>
        )}
      </ResourceView>
      <Notes year={year} />
    </Page>
  );
}

/**
 * Shown instead of the overview before the first import. The first visit leads to the first steps, unless a user opens
 * an address with a year. A client's address always has the year of the client before.
 */
function Welcome() {
  const { query, route } = useLocation();
  const client = useOpenClient();
  const readOnly = useReadOnly();
  const run = getFirstRun();
  const isOfCpa = clientId.value === null && hasClients();
  const isRole = clientId.value === null || client.data !== undefined || client.problem !== null;
  const isRequested = query.year !== undefined && clientId.value === null;
  const isNew = run === null && !isRequested && isRole && readOnly === null && !isOfCpa;
  useEffect(() => {
    if (isNew) route(to('/welcome'), true);
  }, [isNew]);
  if (isNew || !isRole) return <Waiting />;
  const step = run?.step ?? null;
  return (
    <Card title="Let's get your first files in">
      <p>Upload files from your brokers and exchanges; your tax year builds itself.</p>
      <p class="actions">
        <OwnBooks isSaid>
          <a class="button primary" href={to('/welcome', { step })}>
            {step === null ? 'Set up step by step' : `Continue setup: step ${step} of 3`}
          </a>
          <LinkButton icon="import" label="Import files" href={to('/import')} />
        </OwnBooks>
      </p>
    </Card>
  );
}

/** Short-term and long-term gains by month, as a chart and as a table. */
function Months({ year }: { readonly year: number }) {
  const gains = useResource(`gains by month ${year}`, () =>
    unwrapResponse(api.tax.gains.get({ query: { by: 'month', year, limit: 12 } })),
  );
  return (
    <section class="card months">
      <h2>By month</h2>
      <ResourceView reading={gains}>
        {({ data, sum }) => {
          if (sum.total.count === 0) return <p class="fine">No sales in {year}.</p>;
          const months = Array.from({ length: 12 }, (_, at) => {
            const key = `${year}-${String(at + 1).padStart(2, '0')}`;
            const gain = data.find((each) => each.key === key);
            return {
              ...{ key, count: gain?.total.count ?? 0, net: gain?.total.gain ?? '0' },
              ...{ short: gain?.shortTerm.gain ?? '0', long: gain?.longTerm.gain ?? '0' },
            };
          });
          return (
            <>
              <MonthsChart
                {...{ year, months }}
                hrefOf={(key, term) => to('/forms/8949', { year, month: key.slice(5), term })}
              />
              <details>
                <summary>View as table</summary>
                <Table
                  label={`${year} gains by month`}
                  rows={months}
                  keyOf={({ key }) => key}
                  columns={[
                    { head: 'Month', cell: ({ key }) => month(key), foot: 'Year' },
                    { head: 'Entries', kind: 'number', cell: ({ count }) => count, foot: sum.total.count },
                    gainColumn('Short-term', 'short', sum.shortTerm.gain),
                    gainColumn('Long-term', 'long', sum.longTerm.gain),
                    gainColumn('Net', 'net', sum.total.gain),
                  ]}
                />
              </details>
            </>
          );
        }}
      </ResourceView>
    </section>
  );
}

type Part = 'short' | 'long' | 'net';

function gainColumn(head: string, part: Part, sum: string): ColumnSpec<Readonly<Record<Part, string>>> {
  return { head, kind: 'gain', cell: (row) => row[part], foot: <Money amount={sum} signed /> };
}
