import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Box } from '../../engine/model.ts';
import { boxNames } from '../../engine/statement-values.ts';
import type { LineOrder, LineSort } from '../../features/gains/years/years.queries.ts';
import { api, unwrapResponse } from '../api/api.ts';
import { useList } from '../api/list.ts';
import { to } from '../api/page-url.ts';
import { useListedYear } from '../api/tax-year.ts';
import { formTabs } from '../destinations.ts';
import { formatCount, isZero } from '../format/amounts.ts';
import { acquiredDay, month } from '../format/dates.ts';
import { termName } from '../format/methods.ts';
import { Money, Quantity } from '../parts/amount.tsx';
import { Button } from '../parts/button.tsx';
import { ExplainPanel } from '../parts/explanation/explain-panel.tsx';
import { Choice, SearchField } from '../parts/field.tsx';
import { HelpTerm } from '../parts/help-term.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty } from '../parts/notice.tsx';
import { Card, Page, Tabs } from '../parts/page.tsx';
import { ListView } from '../parts/resource-view.tsx';
import { type ColumnSpec, Table } from '../parts/tables/table.tsx';
import { YearsChoice } from '../parts/years-choice.tsx';

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
  const { query, route } = useLocation();
  const show = (change: Partial<Record<LineFilterName | 'years', string>>) =>
    route(to('/forms/8949', { ...query, line: null, ...change }), true);
  const isNarrowed = filterNames.some((name) => (query[name] ?? '') !== '');
  return (
    <div class="filters compact">
      <YearsChoice onChange={(years) => show({ years, month: '' })} />
      {useLinesAddress().year !== '' && (
        <Choice
          label="Month"
          value={query.month ?? ''}
          options={[anyOf('All months'), ...months]}
          onChange={(chosen) => show({ month: chosen })}
        />
      )}
      <Choice
        label="Term"
        value={query.term ?? ''}
        options={[anyOf('All'), { value: 'short', label: 'Short-term' }, { value: 'long', label: 'Long-term' }]}
        onChange={(term) => show({ term })}
      />
      <Choice
        label="Box"
        value={query.box ?? ''}
        options={[
          anyOf('All boxes'),
          ...Object.entries(boxNames).map(([box, name]) => ({ value: box, label: `Box ${box}: ${name}` })),
        ]}
        onChange={(box) => show({ box })}
      />
      <Choice
        label="Adjustment"
        value={query.code ?? ''}
        options={[anyOf('Any'), ...codes]}
        onChange={(code) => show({ code })}
      />
      <SearchField label="Find" value={query.q ?? ''} placeholder="AAPL" onSearch={(q) => show({ q })} />
      {(['asset', 'account', 'importId'] as const).map(
        (name) =>
          (query[name] ?? '') !== '' && (
            <button key={name} type="button" class="chip" onClick={() => show({ [name]: '' })}>
              {name === 'importId' ? 'From one import' : query[name]}
              <Icon name="close" />
              <span class="visually-hidden">, show all</span>
            </button>
          ),
      )}
      {isNarrowed && (
        <a class="button chip" href={to('/forms/8949', { sort: query.sort })}>
          Clear
        </a>
      )}
    </div>
  );
}

const anyOf = (label: string) => ({ value: '', label });

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
    cell: ({ adjustment, code }) => (
      <>
        {!isZero(adjustment) && <Money amount={adjustment} />}
        {code !== '' && (
          <p class="fine">
            <HelpTerm entry="adjustment-codes">code {code}</HelpTerm>
          </p>
        )}
      </>
    ),
  },
  {
    head: 'Gain',
    sort: 'gain',
    kind: 'gain',
    cell: ({ gain, shortSale, term, box }) => (
      <>
        <Money amount={gain} signed />
        <p class="fine">
          {shortSale && 'short sale, '}
          {termName(term)}, box {box}
        </p>
      </>
    ),
  },
];

/** The filters for Form 8949 entries in the URL, besides the year. */
const filterNames = ['month', 'term', 'box', 'code', 'asset', 'account', 'importId', 'q'] as const;
type LineFilterName = (typeof filterNames)[number];

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
  const { asset, account, importId, q } = address;
  const box = (Object.keys(boxNames) as Box[]).find((each) => each === address.box);
  const term = (['short', 'long'] as const).find((each) => each === address.term);
  const sort = orders.flatMap((order): LineSort[] => [order, `-${order}`]).find((each) => each === address.sort);
  return {
    ...toDateSpan(address),
    ...(term === undefined ? {} : { term }),
    ...(box === undefined ? {} : { box }),
    ...toParameter('code', /^[A-Z]$/.test(address.code ?? '') ? address.code : ''),
    ...toParameter('asset', asset),
    ...toParameter('account', account),
    ...toParameter('importId', importId),
    ...toParameter('q', q),
    ...(sort === undefined ? {} : { sort }),
  };
}

function readLinesPage(query: ReturnType<typeof buildLinesQuery> & { readonly cursor?: string }) {
  return unwrapResponse(api.tax.disposals.get({ query: { ...query, limit: 100 } }));
}

type LinesPageResponse = Awaited<ReturnType<typeof readLinesPage>>;
type FormLine = LinesPageResponse['data'][number];

/** Returns the dates of a year or a month. A month belongs to a year, as in `year=2024&month=03`. */
function toDateSpan({ year = '', month = '' }: AddressQuery): { year?: number; from?: string; to?: string } {
  if (!/^\d{4}$/.test(year)) return {};
  if (!/^(0[1-9]|1[0-2])$/.test(month)) return { year: Number(year) };
  const next =
    Number(month) === 12 ? `${Number(year) + 1}-01` : `${year}-${String(Number(month) + 1).padStart(2, '0')}`;
  return { year: Number(year), from: `${year}-${month}-01`, to: `${next}-01` };
}

function toParameter<Name extends string>(name: Name, text = ''): { [Own in Name]?: string } {
  return text === '' ? {} : ({ [name]: text } as { [Own in Name]: string });
}
