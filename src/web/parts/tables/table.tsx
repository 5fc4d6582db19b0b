import { type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../../format/amounts.ts';
import { HelpTerm } from '../help-term.tsx';
import { Scroll } from '../scroll.tsx';
import { SortHead } from '../sort-head.tsx';

export interface Column<Row> {
  readonly head: string;
  /** The help entry that explains the heading. */
  readonly help?: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are aligned to the right, dates never wrap, and only screen readers announce the heading of buttons. */
  readonly kind?: 'number' | 'date' | 'buttons' | undefined;
  /** Sorts the rows by this value, with null last. If it is a text, the server sorts, and the URL has it as `sort`. */
  readonly sort?: ((row: Row) => SortValue) | string;
  /** Hidden on a phone. The rows of a table with such a column stay rows there. The others become cards. */
  readonly isSpare?: boolean;
  /** Shown below the rows. */
  readonly foot?: ComponentChildren;
}

type SortValue = string | number | bigint | null;

interface TableProps<Row> {
  /** A description for screen readers. */
  readonly label: string;
  /** The first column names the row. */
  readonly columns: readonly Column<Row>[];
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
  const rows = sortRows(props.rows, columns[order.at]?.sort, order.sign);
  const shown = isWhole ? rows : rows.slice(0, props.most);
  const isStacked = !columns.some(({ isSpare }) => isSpare);
  if (rows.length === 0 && props.empty !== undefined) return <>{props.empty}</>;
  return (
    <>
      <Scroll label={label}>
        <table class={isStacked ? 'stacked' : undefined}>
          <thead>
            <tr>
              {columns.map((column, at) =>
                typeof column.sort === 'string' && props.sorted !== undefined ? (
                  <SortHead
                    key={at}
                    {...props.sorted}
                    name={column.sort}
                    isNumber={column.kind === 'number'}
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
                        {column.cell(row)}
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
        <button type="button" class="plain" onClick={() => setWhole(true)}>
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
  readonly column: Column<Row>;
  readonly at: number;
  readonly order: Order;
  readonly setOrder: (order: Order) => void;
}

/** Clicking the sorted column reverses the order. Numbers start with the largest. */
function Head<Row>({ column, at, order, setOrder }: HeadProps<Row>) {
  const { head, help, kind, sort } = column;
  const sign = order.at === at ? order.sign : null;
  return (
    <th
      scope="col"
      class={nameClass(column)}
      aria-sort={sign === null ? undefined : sign === 1 ? 'ascending' : 'descending'}
    >
      {sort !== undefined ? (
        <button
          type="button"
          class="plain sort"
          onClick={() => setOrder({ at, sign: sign === null ? (kind === 'number' ? -1 : 1) : sign === 1 ? -1 : 1 })}
        >
          {head}
          <span aria-hidden="true">{sign === null ? '' : sign === 1 ? ' ↑' : ' ↓'}</span>
        </button>
      ) : help !== undefined ? (
        <HelpTerm entry={help}>{head}</HelpTerm>
      ) : kind === 'buttons' ? (
        <span class="visually-hidden">{head}</span>
      ) : (
        head
      )}
    </th>
  );
}

interface CellProps<Row> {
  readonly column: Column<Row>;
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

function nameClass<Row>({ kind, isSpare }: Column<Row>): string | undefined {
  const names = [kind === 'number' && 'number', kind === 'date' && 'whole', isSpare && 'spare'].filter(Boolean);
  return names.length === 0 ? undefined : names.join(' ');
}

function sortRows<Row>(rows: readonly Row[], sort: Column<Row>['sort'], sign: number): readonly Row[] {
  if (typeof sort !== 'function') return rows;
  return rows.toSorted((a, b) => {
    const [one, other] = [sort(a), sort(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return one === other ? 0 : one < other ? -sign : sign;
  });
}
