import { type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../../format/amounts.ts';
import { HelpTerm } from '../help-term.tsx';
import { Scroll } from '../scroll.tsx';
import { SortHead } from '../sort-head.tsx';
import { type ColumnSpec, findSort, isDate, isNumber, renderCell, type SortValue } from './column.tsx';

interface TableProps<Row> {
  /** A description for screen readers. */
  readonly label: string;
  readonly class?: string;
  /** The first column names the row. */
  readonly columns: readonly ColumnSpec<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
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
  const { label, columns, keyOf, details, isCurrent = () => false } = props;
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
