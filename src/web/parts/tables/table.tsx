import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { queryNow, to } from '../../api/page-url.ts';
import { count, type DecimalText, formatCount, scaled } from '../../format/amounts.ts';
import { day, localDay, moment } from '../../format/dates.ts';
import { MoneyOrUnknown, Quantity } from '../amount.tsx';
import { HelpTerm } from '../help-term.tsx';

interface TableProps<Row> {
  /** A description for screen readers. */
  readonly label: string;
  readonly class?: string;
  /** The first column names the row. */
  readonly columns: readonly ColumnSpec<Row>[];
  readonly rows: readonly Row[];
  /** By default, the key of a row is its id. */
  readonly keyOf?: (row: Row) => string | number;
  /** Shown instead of a table without rows. */
  readonly empty?: ComponentChildren;
  /** The page with the details of a row, to which its name links. */
  readonly hrefOf?: (row: Row) => string;
  readonly isCurrent?: (row: Row) => boolean;
  /** Shown below a row at its full width. */
  readonly details?: (row: Row) => ComponentChildren;
  /** The number of rows shown at first. */
  readonly most?: number;
  /** Where the server sorts: the page, and its order without `sort` in the URL. */
  readonly sorted?: { readonly path: string; readonly usual: string };
}

/** A table, from the declaration of its columns. Its head stays in view while the page scrolls. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, keyOf = getId, details, isCurrent = () => false } = props;
  const [order, setOrder] = useState<Order>({ at: -1, sign: 1 });
  const [isWhole, setWhole] = useState(false);
  const chosen = columns[order.at];
  const rows = sortRows(props.rows, chosen && findSort(chosen), order.sign);
  const shown = isWhole ? rows : rows.slice(0, props.most);
  const look = [props.class, !columns.some(({ isSpare }) => isSpare) && 'stacked'].filter(Boolean).join(' ');
  if (rows.length === 0 && props.empty !== undefined) return <>{props.empty}</>;
  return (
    <>
      <Scroll label={label}>
        <table class={look}>
          <thead>
            <tr>
              {columns.map((column, at) =>
                typeof column.sort === 'string' && props.sorted !== undefined ? (
                  <SortHead
                    key={at}
                    {...props.sorted}
                    name={column.sort}
                    isNumber={isNumber(column)}
                    isSpare={column.isSpare === true}
                  >
                    {column.head}
                  </SortHead>
                ) : (
                  <Head key={at} {...{ column, at, order, setOrder }} />
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => {
              const more = details?.(row) ?? null;
              return (
                <Fragment key={keyOf(row)}>
                  <tr aria-current={isCurrent(row) ? 'true' : undefined}>
                    {columns.map((column, at) => (
                      <Cell key={at} {...{ column, at }} href={at === 0 ? props.hrefOf?.(row) : undefined}>
                        {renderCell(column, row)}
                      </Cell>
                    ))}
                  </tr>
                  {more !== null && (
                    <tr>
                      <td colSpan={columns.length} class="opened">
                        {more}
                      </td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
          {columns.some(({ foot }) => foot !== undefined) && (
            <tfoot>
              <tr>
                {columns.map((column, at) => (
                  <Cell key={at} {...{ column, at }}>
                    {column.foot}
                  </Cell>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </Scroll>
      {shown.length < rows.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show {formatCount(rows.length - shown.length, 'more', 'more')}
        </button>
      )}
    </>
  );
}

const getId = (row: unknown): string => String((row as { readonly id?: string }).id);

interface Order {
  /** The index of the column, or -1 for the order of the rows. */
  readonly at: number;
  readonly sign: 1 | -1;
}

interface HeadProps<Row> {
  readonly column: ColumnSpec<Row>;
  readonly at: number;
  readonly order: Order;
  readonly setOrder: (order: Order) => void;
}

/** Clicking the sorted column reverses the order. Numbers start with the largest. */
function Head<Row>({ column, at, order, setOrder }: HeadProps<Row>) {
  const { head, help, kind } = column;
  const sign = order.at === at ? order.sign : null;
  const turned = sign === null ? (isNumber(column) ? -1 : 1) : sign === 1 ? -1 : 1;
  const label = kind === 'buttons' ? <span class="visually-hidden">{head}</span> : head;
  const isSortable = findSort(column) !== undefined;
  return (
    <th
      scope="col"
      class={nameClass(column)}
      aria-sort={sign === null ? undefined : sign === 1 ? 'ascending' : 'descending'}
    >
      {help !== undefined && <HelpTerm entry={help}>{head}</HelpTerm>}
      {isSortable && (
        <button
          type="button"
          class="plain sort"
          aria-label={help === undefined ? undefined : `Sort by ${head}`}
          onClick={() => setOrder({ at, sign: turned })}
        >
          {help === undefined && label}
          <span aria-hidden="true">{sign === null ? (help === undefined ? '' : ' ↕') : sign === 1 ? ' ↑' : ' ↓'}</span>
        </button>
      )}
      {help === undefined && !isSortable && label}
    </th>
  );
}

interface CellProps<Row> {
  readonly column: ColumnSpec<Row>;
  readonly at: number;
  readonly href?: string | undefined;
  readonly children: ComponentChildren;
}

function Cell<Row>({ column, at, href, children }: CellProps<Row>) {
  if (at === 0) return <th scope="row">{href === undefined ? children : <a href={href}>{children}</a>}</th>;
  const isEmpty = children === null || children === undefined;
  return (
    <td class={nameClass(column)} data-name={column.kind === 'buttons' ? undefined : column.head}>
      {isEmpty ? null : <div>{children}</div>}
    </td>
  );
}

function nameClass<Row>(column: ColumnSpec<Row>): string | undefined {
  const names = [isNumber(column) && 'number', isDate(column) && 'whole', column.isSpare && 'spare'].filter(Boolean);
  return names.length === 0 ? undefined : names.join(' ');
}

function sortRows<Row>(
  rows: readonly Row[],
  sort: ((row: Row) => SortValue) | undefined,
  sign: number,
): readonly Row[] {
  if (sort === undefined) return rows;
  return rows.toSorted((a, b) => {
    const [one, other] = [sort(a), sort(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return one === other ? 0 : one < other ? -sign : sign;
  });
}

export interface ColumnSpec<Row> {
  readonly head: string;
  /** The help entry that explains the heading. */
  readonly help?: string;
  /** What the cell shows. A text is formatted by the column's kind. */
  readonly cell: (row: Row) => ComponentChildren;
  /** A line in small print below the value. */
  readonly note?: (row: Row) => ComponentChildren;
  readonly kind?: ColumnKind | undefined;
  /**
   * Sorts the rows by this value, with null last. Columns of money, units and dates sort by their cells without it. If it
   * is a text, the server sorts, and the URL has it as `sort`.
   */
  readonly sort?: ((row: Row) => SortValue) | string;
  /** Hidden on a phone. The rows of a table with such a column stay rows there. The others become cards. */
  readonly isSpare?: boolean;
  /** Shown below the rows. */
  readonly foot?: ComponentChildren;
}

/**
 * Text, dollars (`gain` gives losses their own color, and null is unknown), units, other numbers, a calendar day such as
 * `2025-03-01`, the day or the minute of an instant in the user's own time zone, or buttons, whose heading only screen
 * readers announce.
 */
type ColumnKind = 'text' | 'money' | 'gain' | 'quantity' | 'number' | 'day' | 'local day' | 'minute' | 'buttons';

type SortValue = string | number | bigint | null;

interface FormattedKind {
  readonly format: (value: string | null) => ComponentChildren;
  readonly toSortValue: (value: string) => SortValue;
}

const asText = (value: string) => value;
const date = (format: (text: string) => string): FormattedKind => ({
  format: (value) => value && format(value),
  toSortValue: asText,
});

const formattedKinds: Readonly<Partial<Record<ColumnKind, FormattedKind>>> = {
  money: { format: (value) => <MoneyOrUnknown amount={value} />, toSortValue: scaled },
  gain: { format: (value) => <MoneyOrUnknown amount={value} signed />, toSortValue: scaled },
  quantity: { format: (value) => value && <Quantity amount={value} />, toSortValue: scaled },
  day: date(day),
  'local day': date(localDay),
  minute: date(moment),
};

/** Numbers are aligned to the right, and dates never wrap. */
function isNumber({ kind = 'text' }: Pick<ColumnSpec<never>, 'kind'>): boolean {
  return ['money', 'gain', 'quantity', 'number'].includes(kind);
}

function isDate({ kind = 'text' }: Pick<ColumnSpec<never>, 'kind'>): boolean {
  return ['day', 'local day', 'minute'].includes(kind);
}

function renderCell<Row>({ kind = 'text', cell, note }: ColumnSpec<Row>, row: Row): ComponentChildren {
  const value = cell(row);
  const formatted = formattedKinds[kind];
  const shown =
    formatted !== undefined && (typeof value === 'string' || value === null) ? formatted.format(value) : value;
  const text = note?.(row);
  if (!text) return shown;
  return (
    <>
      {shown}
      <p class="fine">{text}</p>
    </>
  );
}

/** Returns the function by which the browser sorts a column, or undefined if it does not. */
function findSort<Row>({ kind = 'text', cell, sort }: ColumnSpec<Row>): ((row: Row) => SortValue) | undefined {
  const formatted = formattedKinds[kind];
  if (typeof sort === 'string' || (sort === undefined && formatted === undefined)) return undefined;
  return (row) => {
    const value = (sort ?? cell)(row);
    if (typeof value === 'string') return formatted === undefined ? value : formatted.toSortValue(value);
    return typeof value === 'number' || typeof value === 'bigint' ? value : null;
  };
}

/** The money columns, in order. */
export const totalsColumns = ['proceeds', 'basis', 'adjustment', 'gain'] as const;

interface TotalsRow {
  readonly key: string;
  readonly name: ComponentChildren;
  /** Totals of entries, as in every API response. */
  readonly totals: Readonly<Record<(typeof totalsColumns)[number], DecimalText>> & { readonly count: number };
}

interface TotalsTableProps {
  readonly label: string;
  readonly rows: readonly TotalsRow[];
  /** The name and the money cells of a row below the others. */
  readonly foot?: readonly ComponentChildren[];
}

/** A table of totals. */
export function TotalsTable({ label, rows, foot = [] }: TotalsTableProps) {
  const columns: readonly ColumnSpec<TotalsRow>[] = [
    { head: 'Totals', cell: ({ name }) => name, foot: foot[0] },
    { head: 'Entries', kind: 'number', cell: ({ totals }) => count(totals.count) },
    { head: 'Proceeds', kind: 'money', cell: ({ totals }) => totals.proceeds, foot: foot[1] },
    { head: 'Cost basis', kind: 'money', cell: ({ totals }) => totals.basis, foot: foot[2] },
    { head: 'Adjustment', kind: 'money', cell: ({ totals }) => totals.adjustment, foot: foot[3] },
    { head: 'Gain', kind: 'gain', cell: ({ totals }) => totals.gain, foot: foot[4] },
  ];
  return <Table label={label} columns={columns} rows={rows} keyOf={({ key }) => key} />;
}

interface SortHeadProps {
  readonly path: string;
  /** The value of the URL's `sort`, which is preceded by `-` for the descending order. */
  readonly name: string;
  /** The order without `sort` in the URL. */
  readonly usual: string;
  readonly isNumber?: boolean;
  /** Hidden on a phone. */
  readonly isSpare?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** The heading of a sortable column. Clicking the sorted column reverses the order. Numbers start with the largest. */
export function SortHead({ path, name, usual, isNumber = false, isSpare = false, ...own }: SortHeadProps) {
  const { query } = useLocation();
  const sort = query.sort ?? usual;
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
  const turned = direction === 'ascending' || (direction === undefined && isNumber) ? `-${name}` : name;
  return (
    <th scope="col" class={own.class ?? `${isNumber ? 'number' : ''}${isSpare ? ' spare' : ''}`} aria-sort={direction}>
      <a
        class="sort"
        href={to(path, { ...queryNow(), line: null, open: null, sort: turned === usual ? null : turned })}
      >
        {own.children}
        <span aria-hidden="true">{direction === undefined ? '' : direction === 'ascending' ? ' ↑' : ' ↓'}</span>
      </a>
    </th>
  );
}

interface ScrollProps {
  /** A description for screen readers. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/**
 * A table. If it is too wide for the page, it scrolls separately, and can get the focus so that the keyboard can scroll
 * it (WCAG 2.1.1). Otherwise its head can stay in view while the page scrolls.
 */
function Scroll({ label, children }: ScrollProps) {
  const box = useRef<HTMLDivElement>(null);
  /** Null until the table is measured. */
  const [isWide, setWide] = useState<boolean | null>(null);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const observer = new ResizeObserver(() => setWide(current.scrollWidth > current.clientWidth));
    for (const each of [current, ...current.children]) observer.observe(each);
    return () => observer.disconnect();
  }, []);
  // A group rather than a landmark because a page has many.
  const group = { role: 'group', 'aria-label': label, ...(isWide ? { tabIndex: 0 } : {}) } as const;
  return (
    <div ref={box} class={isWide === false ? 'scroll fits' : 'scroll'} {...group}>
      {children}
    </div>
  );
}
