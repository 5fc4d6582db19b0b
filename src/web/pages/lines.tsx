import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Box } from '../../engine/model.ts';
import { boxNames } from '../../engine/statement-values.ts';
import type { LineOrder, LineSort } from '../../features/gains/years/years.queries.ts';
import { api, type DataOf, useList } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { useListedYear } from '../api/tax-year.ts';
import { formTabs } from '../destinations.ts';
import { formatCount, isZero } from '../format/amounts.ts';
import { acquiredDay, month } from '../format/dates.ts';
import { termName } from '../format/methods.ts';
import { Money, Quantity, Totals } from '../parts/amount.tsx';
import { Button } from '../parts/button.tsx';
import { ExplainPanel } from '../parts/explanation/explain-panel.tsx';
import { SearchField } from '../parts/field.tsx';
import { FilterChip, FilterChoice, useFilters } from '../parts/filters.tsx';
import { filled } from '../parts/form.tsx';
import { HelpTerm } from '../parts/help-term.tsx';
import { Card, Empty, ListView, Page, Tabs } from '../parts/page.tsx';
import { type ColumnSpec, Table } from '../parts/tables/table.tsx';
import { YearsChoice } from '../parts/years-choice.tsx';

/** The Form 8949 entries, with a panel that explains one of them. */
export default function LinesPage() {
  const { query, route } = useLocation();
  const address = useLinesAddress();
  const isKnown = useListedYear() !== undefined;
  const request = buildLinesQuery(address);
  const list = useList(isKnown ? `lines ${JSON.stringify(request)}` : null, (cursor) =>
    api.tax.disposals.get({ query: { ...request, ...cursor, limit: 100 } }),
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
  const gain = `${formatCount(totals.count, 'entry', 'entries')}, gain`;
  return (
    <Totals
      items={[
        { name: gain, value: <Money amount={totals.gain} signed /> },
        { name: 'Proceeds', value: <Money amount={totals.proceeds} /> },
        { name: 'Cost basis', value: <Money amount={totals.basis} /> },
        { name: 'Adjustment', value: <Money amount={totals.adjustment} /> },
      ]}
    />
  );
}

/** Buttons for the previous and next entry. They load the next page when needed. */
function Neighbors({ lines, showMore }: Readonly<{ lines: readonly FormLine[]; showMore: (() => void) | null }>) {
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
      <Button
        icon="back"
        class="plain"
        aria-label="Previous entry"
        disabled={at === 0}
        onClick={() => show(lines[at - 1]?.id)}
      />
      <Button
        icon="forward"
        class="plain"
        aria-label="Next entry"
        disabled={next === undefined && showMore === null && !isLoading}
        onClick={showNext}
      />
    </>
  );
}

function NoLines({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const { year } = useLinesAddress();
  if (isNarrowed) {
    return (
      <Card title="No matching entries">
        <p>
          No sales match these filters. <a href={to('/forms/8949')}>Clear filters</a>.
        </p>
      </Card>
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

/** The filters for Form 8949 entries. All of them are in the URL. */
function LineFilters() {
  const { query } = useLocation();
  const show = useFilters();
  const isNarrowed = filterNames.some((name) => (query[name] ?? '') !== '');
  return (
    <div class="filters compact">
      <YearsChoice onChange={(years) => show({ years, month: '' })} />
      {useLinesAddress().year !== '' && (
        <FilterChoice name="month" label="Month" options={[anyOf('All months'), ...months]} />
      )}
      <FilterChoice name="term" label="Term" options={terms} />
      <FilterChoice name="box" label="Box" options={[anyOf('All boxes'), ...boxOptions]} />
      <FilterChoice name="code" label="Adjustment" options={[anyOf('Any'), ...codes]} />
      <SearchField label="Find" value={query.q ?? ''} placeholder="AAPL" onSearch={(q) => show({ q })} />
      <FilterChip name="asset" />
      <FilterChip name="account" />
      <FilterChip name="importId" label="From one import" />
      {isNarrowed && (
        <a class="button chip" href={to('/forms/8949', { sort: query.sort })}>
          Clear
        </a>
      )}
    </div>
  );
}

const anyOf = (label: string) => ({ value: '', label });

const terms = [anyOf('All'), { value: 'short', label: 'Short-term' }, { value: 'long', label: 'Long-term' }] as const;
const boxOptions = Object.entries(boxNames).map(([box, name]) => ({ value: box, label: `Box ${box}: ${name}` }));
const months = Array.from({ length: 12 }, (_, at) => {
  const value = String(at + 1).padStart(2, '0');
  return { value, label: month(`2000-${value}`) };
});

/** Codes for column (f), as named in the Instructions for Form 8949. */
const codes = [
  { value: 'W', label: 'W: wash sale' },
  { value: 'B', label: 'B: incorrect basis on the form' },
  { value: 'E', label: 'E: expenses not on the form' },
  { value: 'T', label: 'T: incorrect term on the form' },
  { value: 'L', label: 'L: nondeductible loss' },
  { value: 'C', label: 'C: collectible' },
  { value: 'O', label: 'O: other' },
];

/** The entries that match the URL. */
function LinesTable({ lines }: { readonly lines: readonly FormLine[] }) {
  const { query } = useLocation();
  const property: ColumnSpec<FormLine> = {
    head: 'Property',
    sort: 'asset',
    cell: (line) => (
      <>
        <a href={to('/forms/8949', { ...query, line: line.id })} id={`line-${line.id}`}>
          <Quantity amount={line.quantity} /> {line.asset}
        </a>
        <p class="fine">
          {line.assetName !== undefined && `${line.assetName}, `}
          {line.account}
        </p>
        {line.basisUnknown && <span class="badge">cost unknown</span>}
      </>
    ),
  };
  return (
    <Table
      label="Form 8949 entries"
      columns={[property, ...columns]}
      rows={lines}
      isCurrent={({ id }) => id === query.line}
      sorted={{ path: '/forms/8949', usual: 'date' }}
    />
  );
}

const columns: readonly ColumnSpec<FormLine>[] = [
  { head: 'Acquired', sort: 'acquired', isSpare: true, cell: ({ acquired }) => acquiredDay(acquired) },
  { head: 'Sold', sort: 'date', kind: 'day', cell: ({ sold }) => sold },
  { head: 'Proceeds', sort: 'proceeds', kind: 'money', isSpare: true, cell: ({ proceeds }) => proceeds },
  {
    head: 'Cost basis',
    sort: 'basis',
    kind: 'money',
    isSpare: true,
    cell: ({ basisUnknown, basis }) => (basisUnknown ? <span class="warning">Missing</span> : basis),
  },
  {
    head: 'Adjustment',
    sort: 'adjustment',
    kind: 'money',
    isSpare: true,
    cell: ({ adjustment }) => !isZero(adjustment) && <Money amount={adjustment} />,
    note: ({ code }) => code !== '' && <HelpTerm entry="adjustment-codes">code {code}</HelpTerm>,
  },
  {
    head: 'Gain',
    sort: 'gain',
    kind: 'gain',
    cell: ({ gain }) => gain,
    note: ({ shortSale, term, box }) => `${shortSale ? 'short sale, ' : ''}${termName(term)}, box ${box}`,
  },
];

/** The filters for Form 8949 entries in the URL, besides the year. */
const filterNames = ['month', 'term', 'box', 'code', 'asset', 'account', 'importId', 'q'] as const;

type AddressQuery = Readonly<Record<string, string>>;

const orders: readonly LineOrder[] = ['date', 'asset', 'acquired', 'proceeds', 'basis', 'adjustment', 'gain'];

/** Returns the filters in the URL. The year is that of the frame, unless the URL asks for all years. */
function useLinesAddress(): AddressQuery {
  const { query } = useLocation();
  const year = useListedYear();
  return { ...query, year: String(year ?? '') };
}

/** Builds the API query for the entries from the URL. Unknown parameters are ignored. */
function buildLinesQuery(address: AddressQuery) {
  const { code = '', asset = '', account = '', importId = '', q = '' } = address;
  const box = (Object.keys(boxNames) as Box[]).find((each) => each === address.box);
  const term = (['short', 'long'] as const).find((each) => each === address.term);
  const sort = orders.flatMap((order): LineSort[] => [order, `-${order}`]).find((each) => each === address.sort);
  return {
    ...toDateSpan(address),
    ...(term === undefined ? {} : { term }),
    ...(box === undefined ? {} : { box }),
    ...(sort === undefined ? {} : { sort }),
    ...filled({ code: /^[A-Z]$/.test(code) ? code : '', asset, account, importId, q }),
  };
}

type LinesPageResponse = DataOf<typeof api.tax.disposals.get>;
type FormLine = LinesPageResponse['data'][number];

/** Returns the dates of a year or a month. A month belongs to a year, as in `year=2024&month=03`. */
function toDateSpan({ year = '', month = '' }: AddressQuery): { year?: number; from?: string; to?: string } {
  if (!/^\d{4}$/.test(year)) return {};
  if (!/^(0[1-9]|1[0-2])$/.test(month)) return { year: Number(year) };
  const next =
    Number(month) === 12 ? `${Number(year) + 1}-01` : `${year}-${String(Number(month) + 1).padStart(2, '0')}`;
  return { year: Number(year), from: `${year}-${month}-01`, to: `${next}-01` };
}
