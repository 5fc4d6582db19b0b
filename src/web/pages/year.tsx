import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { boxNames } from '../../engine/statement-values.ts';
import { rowOf } from '../../engine/transaction-types.ts';
import { api, useApi } from '../api/api.ts';
import { hasClients, useOpenClient, useReadOnly } from '../api/books.ts';
import { getFirstRun } from '../api/first-run.ts';
import { clientId, to } from '../api/page-url.ts';
import { useTaxYear, useYears } from '../api/tax-year.ts';
import { count, formatCount, isNegative, isZero, scaled } from '../format/amounts.ts';
import { day, month } from '../format/dates.ts';
import { typeName } from '../format/words.ts';
import { Money } from '../parts/amount.tsx';
import { MonthsChart } from '../parts/bar-chart.tsx';
import { Button, LinkButton } from '../parts/button.tsx';
import { HelpTerm } from '../parts/help-term.tsx';
import { OwnBooks } from '../parts/own-books.tsx';
import { Card, Page, ResourceView, Waiting } from '../parts/page.tsx';
import { Notes, SignOffBar } from '../parts/sign-off/sign-off-bar.tsx';
import { type ColumnSpec, Table } from '../parts/tables/table.tsx';
import { AssumedForms, Checklist, useSteps } from './year/checklist.tsx';
import { Figures, Headline } from './year/figures.tsx';
import { useSummary, type YearSummary } from './year/summary.ts';

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
  const summary = useSummary(year);
  const steps = useSteps(year, summary.data);
  const isFiled = steps?.every(({ isDone }) => isDone) ?? false;
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
  const gains = useApi(`gains by month ${year}`, () => api.tax.gains.get({ query: { by: 'month', year, limit: 12 } }));
  return (
    <Card class="months" title="By month">
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
    </Card>
  );
}

type Part = 'short' | 'long' | 'net';

function gainColumn(head: string, part: Part, sum: string): ColumnSpec<Readonly<Record<Part, string>>> {
  return { head, kind: 'gain', cell: (row) => row[part], foot: <Money amount={sum} signed /> };
}

type AssetTotals = YearSummary['assets'][number];

/** The year by account, asset, Form 8949 box and income type. Each row links to its entries. */
function YearTables({ summary }: { readonly summary: YearSummary }) {
  const { year, assets, boxes, income } = summary;
  const received = income.filter(({ type }) => rowOf(type).isWithheld !== true);
  const withheld = income.filter(({ type }) => rowOf(type).isWithheld === true);
  return (
    <>
      {assets.length > 0 && <ByAccount year={year} lines={summary.total.count} />}
      {assets.length > 0 && (
        <Card title="By asset">
          <Table
            label="By asset"
            rows={assets}
            keyOf={keyOfAsset}
            hrefOf={({ asset }) => to('/forms/8949', { year, asset })}
            columns={[assetColumn, entries, proceeds, basis, gain]}
            most={12}
          />
        </Card>
      )}
      {boxes.length > 0 && (
        <section class="card">
          <h2>
            By <HelpTerm entry="form-8949-boxes">Form 8949 box</HelpTerm>
          </h2>
          <Table
            label="By box"
            rows={boxes}
            keyOf={({ box }) => box}
            hrefOf={({ box }) => to('/forms/8949', { year, box })}
            columns={[
              { head: 'Box', cell: ({ box }) => `Box ${box}: ${boxNames[box]}` },
              ...[entries, proceeds, basis],
              { head: 'Adjustment', kind: 'gain', isSpare: true, cell: ({ adjustment }) => adjustment },
              gain,
            ]}
          />
        </section>
      )}
      {received.length > 0 && (
        <Card title="Income">
          <p class="fine">
            Not capital gains. Reported on Schedules 1 and B. <HelpTerm entry="income-in-kind">Learn more</HelpTerm>
          </p>
          <IncomeTable year={year} income={received} />
          {received.some(({ type }) => type === 'espp_purchase') && (
            <p class="fine">
              Income from sales of shares of an employee stock purchase plan is wages.{' '}
              <HelpTerm entry="w2-of-employee-stock">Form W-2 usually includes it.</HelpTerm>
            </p>
          )}
          {received.some(({ type, amount }) => type === 'interest' && isNegative(amount)) && (
            <p class="fine">
              Interest is negative because you paid more <HelpTerm entry="accrued-interest">accrued interest</HelpTerm>{' '}
              than you received.
            </p>
          )}
        </Card>
      )}
      {withheld.length > 0 && (
        <Card title="Tax withheld">
          <p class="fine">Already paid, not income. It counts toward your tax as a payment or a credit.</p>
          <IncomeTable year={year} income={withheld} />
        </Card>
      )}
    </>
  );
}

type AssetFigures = Pick<AssetTotals, 'count' | 'proceeds' | 'basis' | 'gain'>;

const assetColumn: ColumnSpec<AssetTotals> = {
  head: 'Asset',
  cell: ({ asset, assetName }) => (
    <>
      {asset} {assetName !== undefined && <span class="fine">{assetName}</span>}
    </>
  ),
};
const entries: ColumnSpec<Pick<AssetFigures, 'count'>> = {
  head: 'Entries',
  kind: 'number',
  cell: (row) => count(row.count),
};
const proceeds: ColumnSpec<AssetFigures> = {
  head: 'Proceeds',
  kind: 'gain',
  isSpare: true,
  cell: (row) => row.proceeds,
};
const basis: ColumnSpec<AssetFigures> = { head: 'Cost basis', kind: 'gain', isSpare: true, cell: (row) => row.basis };
const gain: ColumnSpec<Pick<AssetFigures, 'gain'>> = { head: 'Gain', kind: 'gain', cell: (row) => row.gain };

const keyOfAsset = ({ asset, assetClass }: AssetTotals): string => `${asset} ${assetClass}`;

interface TopAssetsProps {
  readonly summary: YearSummary;
  /** Whether they are beside the figures. */
  readonly isAside?: boolean;
}

/** The assets with the largest gains and losses. */
function TopAssets({ summary: { year, assets }, isAside = false }: TopAssetsProps) {
  const ranked = assets.filter(({ gain }) => !isZero(gain)).sort((a, b) => (scaled(a.gain) > scaled(b.gain) ? -1 : 1));
  const tops = [
    { title: 'Top gains', own: ranked.filter(({ gain }) => !isNegative(gain)) },
    { title: 'Top losses', own: ranked.filter(({ gain }) => isNegative(gain)).reverse() },
  ].filter(({ own }) => own.length > 0);
  if (assets.length < 2 || tops.length === 0) return null;
  return (
    <div class={isAside ? 'cards top-assets aside' : 'cards top-assets'}>
      {tops.map(({ title, own }) => (
        <Card key={title} title={title}>
          <Table
            label={title}
            rows={own.slice(0, 5)}
            keyOf={keyOfAsset}
            hrefOf={({ asset }) => to('/forms/8949', { year, asset })}
            columns={[assetColumn, gain]}
          />
        </Card>
      ))}
    </div>
  );
}

/** Reads every entry of the year, so a large year waits for a click. */
function ByAccount({ year, lines }: { readonly year: number; readonly lines: number }) {
  const [isShown, setShown] = useState(lines <= 20_000);
  const gains = useApi(isShown ? `gains by account ${year}` : null, () =>
    api.tax.gains.get({ query: { by: 'account', year, limit: 1000 } }),
  );
  return (
    <Card title="By account">
      {isShown ? (
        <ResourceView reading={gains}>
          {({ data }) => (
            <Table
              label="By account"
              rows={data.filter(({ total }) => total.count > 0)}
              keyOf={({ key }) => key}
              hrefOf={({ key }) => to('/forms/8949', { year, account: key })}
              columns={[
                { head: 'Account', cell: ({ key }) => key },
                { head: 'Entries', kind: 'number', cell: ({ total }) => count(total.count) },
                { head: 'Short-term', kind: 'gain', isSpare: true, cell: ({ shortTerm }) => shortTerm.gain },
                { head: 'Long-term', kind: 'gain', isSpare: true, cell: ({ longTerm }) => longTerm.gain },
                { head: 'Gain', kind: 'gain', cell: ({ total }) => total.gain },
              ]}
              most={12}
            />
          )}
        </ResourceView>
      ) : (
        <Button label="Show accounts" onClick={() => setShown(true)} />
      )}
    </Card>
  );
}

/** Returns the name of a type as income. Shares of a purchase plan are taxed when they are sold. */
function incomeName(type: string): string {
  return type === 'espp_purchase' ? 'Sales of ESPP shares' : typeName(type);
}

function IncomeTable({ year, income }: { readonly year: number; readonly income: YearSummary['income'] }) {
  return (
    <Table
      label="By type"
      rows={income}
      keyOf={({ type }) => type}
      hrefOf={({ type }) => to('/transactions', { year, type: type === 'espp_purchase' ? 'sell' : type })}
      columns={[
        { head: 'Type', cell: ({ type, count: rows }) => `${incomeName(type)} (${count(rows)})` },
        { head: 'Amount', kind: 'gain', cell: ({ amount }) => amount },
      ]}
    />
  );
}
