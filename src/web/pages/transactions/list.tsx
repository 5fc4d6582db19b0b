import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useApi } from '../../api/api.ts';
import { formatCount, quantity } from '../../format/amounts.ts';
import { day, longDay } from '../../format/dates.ts';
import { typeName, words } from '../../format/words.ts';
import { StatedAmount } from '../../parts/amount.tsx';
import { SortHead } from '../../parts/tables/table.tsx';
import { useRowHeights, useWindowList } from '../../parts/window-list.ts';
import { type DayGroup, type DayLayout, getItemPosition, pageRows, pageStart, rowFrom } from './days.ts';
import { isByDate, type ListedTransaction, type ListFilter, type ListSort, readRows } from './filter.ts';

interface TransactionListProps {
  readonly layout: DayLayout;
  readonly filter: ListFilter;
  readonly sort: ListSort;
  readonly selected: ReadonlySet<string>;
  /** All rows that match the filter are selected. */
  readonly isAll: boolean;
  /** Takes the previous selection because keys can be pressed faster than rows are drawn. */
  readonly onSelect: (change: (ids: ReadonlySet<string>) => ReadonlySet<string>) => void;
  readonly onSelectAll: (isSelected: boolean) => void;
  readonly onOpen: (id: string) => void;
}

/** All transactions in one list. Loads and draws only the rows near the viewport. */
export function TransactionList(props: TransactionListProps) {
  const { layout, filter, sort, selected, isAll, onSelect, onOpen } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const top = useElementTop(body);
  const [active, setActive] = useState<number | null>(null);
  const heights = useRowHeights();
  const sizeOf = useMemo(
    () => (item: number) => (getItemPosition(layout, item).row === null ? heights.head : heights.row),
    [layout, heights],
  );
  const list = useWindowList({ count: layout.items, sizeOf, top, kept: active });
  const isPassing = useIsPassing(list.scrollOffset ?? 0, list.isScrolling);
  const { go, followFocus } = useMoves({ layout, active, setActive, list });
  useEffect(followFocus);
  const acts: RowActions = {
    layout,
    active: active ?? rowFrom(layout, 0, 1),
    isSelected: (id) => isAll || selected.has(id),
    select: (id, isSelected) => onSelect((ids) => withId(ids, id, isSelected ?? !ids.has(id))),
    open: (id, item) => {
      setActive(item);
      onOpen(id);
    },
    focus: setActive,
    key: (event, id, item) => {
      if (onKey(event, { item, id, acts, go, onClear: () => onSelect(() => new Set()) })) event.preventDefault();
    },
  };
  const drawn = list.getVirtualItems().map(({ index, start, size }) => ({
    item: index,
    start: start - top,
    size,
    ...getItemPosition(layout, index),
  }));
  const rows = drawn.flatMap(({ row, group: _, ...placed }) => (row === null ? [] : [{ ...placed, row }]));
  const pages = Map.groupBy(rows, ({ row }) => Math.floor(row / pageRows));
  return (
    <table
      {...grid}
      class="list card"
      aria-label="Transactions"
      aria-rowcount={layout.items + 1}
      aria-colcount={columnCount}
    >
      <ListHead isAll={isAll || (selected.size > 0 && selected.size >= layout.rows)} onSelectAll={props.onSelectAll} />
      <tbody ref={body} class="list-body" style={{ height: `${list.getTotalSize()}px` }}>
        {drawn.map(({ row, group, ...placed }) => {
          const day = layout.groups[group];
          return row !== null || day === undefined ? null : <DayHead key={day.date ?? 'all'} {...placed} {...day} />;
        })}
        {[...pages].map(([page, items]) => (
          <PageOfRows key={`page ${page}`} {...{ layout, filter, sort, page, items, isPassing, acts }} />
        ))}
      </tbody>
    </table>
  );
}

/** A table whose rows can be selected and respond to the arrow keys (ARIA Authoring Practices, "Grid"). */
const grid = { role: 'grid', 'aria-multiselectable': true } as const;

function ListHead({ isAll, onSelectAll }: Readonly<{ isAll: boolean; onSelectAll: (isSelected: boolean) => void }>) {
  return (
    <thead class="list-head">
      <tr aria-rowindex={1} class="list-row">
        <th scope="col" class="cell-select">
          <input
            type="checkbox"
            checked={isAll}
            aria-label="Select all"
            onChange={(event) => onSelectAll(event.currentTarget.checked)}
          />
        </th>
        {heads.map(({ name, text, sort }) =>
          sort === undefined ? (
            <th key={name} scope="col" class={`cell-${name}`}>
              {text}
            </th>
          ) : (
            <SortHead
              key={name}
              path="/transactions"
              name={sort}
              usual="-date"
              isNumber={name !== 'asset'}
              class={`cell-${name}`}
            >
              {text}
            </SortHead>
          ),
        )}
      </tr>
    </thead>
  );
}

/** The columns, with the orders that the list can page through. */
const heads: readonly { readonly name: string; readonly text: string; readonly sort?: string }[] = [
  { name: 'type', text: 'Date, type', sort: 'date' },
  { name: 'asset', text: 'Asset', sort: 'asset' },
  { name: 'account', text: 'Account' },
  { name: 'amount', text: 'Amount', sort: 'amount' },
  { name: 'fee', text: 'Fee' },
  { name: 'review', text: 'Status' },
];

interface KeyOnRow {
  readonly item: number;
  readonly id: string;
  readonly acts: RowActions;
  readonly go: (item: number, direction: 1 | -1) => void;
  readonly onClear: () => void;
}

/** Returns whether the list handled the key. */
function onKey(event: KeyboardEvent, { item, id, acts, go, onClear }: KeyOnRow): boolean {
  const extend = () => {
    if (event.shiftKey) acts.select(id, true);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => {
      extend();
      go(item + 1, 1);
    },
    ArrowUp: () => {
      extend();
      go(item - 1, -1);
    },
    PageDown: () => go(item + rowsOfWindow, 1),
    PageUp: () => go(item - rowsOfWindow, -1),
    Home: () => go(0, 1),
    End: () => go(Number.POSITIVE_INFINITY, -1),
    Enter: () => acts.open(id, item),
    ' ': () => acts.select(id),
    Escape: onClear,
  };
  const act = keys[event.key];
  act?.();
  return act !== undefined;
}

/** The number of rows that PageDown moves. */
const rowsOfWindow = 12;

interface MovesProps {
  readonly layout: DayLayout;
  readonly active: number | null;
  readonly setActive: (item: number) => void;
  readonly list: ReturnType<typeof useWindowList>;
}

/** Moves to a row by keyboard: scrolls to it and focuses it as soon as it is drawn. */
function useMoves({ layout, active, setActive, list }: MovesProps) {
  const wanted = useRef<number | null>(null);
  return {
    go: (item: number, direction: 1 | -1) => {
      const inList = Math.max(0, Math.min(layout.items - 1, item));
      const next = rowFrom(layout, inList, direction) ?? rowFrom(layout, inList, direction === 1 ? -1 : 1);
      if (next === null) return;
      list.scrollToIndex(next, { align: 'auto' });
      // Focuses the next row now if it is already drawn, so that it also gets the next key.
      if (focusRow(next)) return;
      wanted.current = next;
      setActive(next);
    },
    followFocus: () => {
      if (wanted.current !== null && wanted.current === active && focusRow(active)) wanted.current = null;
    },
  };
}

function focusRow(item: number): boolean {
  const row = document.querySelector<HTMLElement>(`[data-item="${item}"]`);
  row?.focus({ preventScroll: true });
  return row !== null;
}

/** Whether the user is dragging the scroll bar faster than rows can load. */
function useIsPassing(offset: number, isScrolling: boolean): boolean {
  const last = useRef({ offset, at: 0 });
  const now = performance.now();
  const speed = Math.abs(offset - last.current.offset) / Math.max(1, now - last.current.at);
  last.current = { offset, at: now };
  return isScrolling && speed > passingSpeed;
}

/** Pixels per millisecond. */
const passingSpeed = 12;

/** The height of the page above an element in pixels, updated when the content above it grows. */
function useElementTop(element: { readonly current: HTMLElement | null }): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current !== null) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    for (const above of element.current?.closest('main')?.children ?? []) observer.observe(above);
    return () => observer.disconnect();
  }, []);
  return top;
}

function withId(ids: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const changed = new Set(ids);
  if (isIn) changed.add(id);
  else changed.delete(id);
  return changed;
}

/** The list's handlers for a row. */
interface RowActions {
  readonly layout: DayLayout;
  /** The item with the keyboard focus. */
  readonly active: number | null;
  isSelected(id: string): boolean;
  /** Undefined toggles the selection. */
  select(id: string, isSelected?: boolean): void;
  open(id: string, item: number): void;
  focus(item: number): void;
  key(event: KeyboardEvent, id: string, item: number): void;
}

interface PositionedItem {
  readonly item: number;
  /** Pixels from the top of the list, and the page's height. */
  readonly start: number;
  readonly size: number;
}

interface PageOfRowsProps {
  readonly layout: DayLayout;
  readonly filter: ListFilter;
  readonly sort: ListSort;
  readonly page: number;
  /** The page's rows that are near the viewport. */
  readonly items: readonly (PositionedItem & { readonly row: number })[];
  /** Nothing is loaded while the user scrolls fast. */
  readonly isPassing: boolean;
  readonly acts: RowActions;
}

/** The rows on one page of the list, loaded when they come near the viewport. */
function PageOfRows({ layout, filter, sort, page, items, isPassing, acts }: PageOfRowsProps) {
  const start = pageStart(layout, page);
  const pageRequest = start === null ? null : { filter, sort, ...start, limit: pageRows };
  const key = pageRequest === null || isPassing ? null : `transactions ${JSON.stringify(pageRequest)}`;
  const reading = useApi(key, () => readRows(pageRequest ?? { filter, sort, date: null, offset: 0, limit: 1 }));
  const rows = reading.data?.data ?? [];
  return (
    <>
      {items.map(({ row, ...placed }) => {
        const transaction = rows[row - page * pageRows];
        return transaction === undefined ? (
          <RowToCome key={placed.item} {...placed} isFailed={reading.problem !== null} />
        ) : (
          <Row key={placed.item} {...placed} transaction={transaction} acts={acts} isDated={!isByDate(sort)} />
        );
      })}
    </>
  );
}

function DayHead({ item, start, size, date, count }: PositionedItem & DayGroup) {
  return (
    <tr class="list-item day-head" aria-rowindex={item + 2} style={toRowStyle({ start, size })}>
      <td colSpan={columnCount}>
        <strong>{date === null ? 'All days' : longDay(date)}</strong>{' '}
        {count > 1 && <span class="fine">{formatCount(count, 'transaction')}</span>}
      </td>
    </tr>
  );
}

const columnCount = 7;

function RowToCome({ item, start, size, isFailed }: PositionedItem & { readonly isFailed: boolean }) {
  return (
    <tr class="list-item list-row" aria-rowindex={item + 2} style={toRowStyle({ start, size })}>
      <td colSpan={columnCount} class="row-to-come">
        {isFailed ? <span class="loss">This row could not be loaded.</span> : <span class="waiting-line" />}
      </td>
    </tr>
  );
}

interface RowProps extends PositionedItem {
  readonly transaction: ListedTransaction;
  readonly acts: RowActions;
  /** Shown if there are no day headings. */
  readonly isDated: boolean;
}

function Row({ item, start, size, transaction, acts, isDated }: RowProps) {
  const isSelected = acts.isSelected(transaction.id);
  const takesKeys = acts.active === item;
  // Rows that stay in view are not redrawn while scrolling.
  return useMemo(
    () => <DrawnRow {...{ item, start, size, transaction, acts, isDated, isSelected, takesKeys }} />,
    [item, start, size, transaction, acts.layout, isSelected, takesKeys],
  );
}

interface DrawnRowProps extends RowProps {
  readonly isSelected: boolean;
  readonly takesKeys: boolean;
}

function DrawnRow({ item, start, size, transaction, acts, isDated, isSelected, takesKeys }: DrawnRowProps) {
  const { id, type, account, toAccount, review, fee } = transaction;
  const units = formatUnits(transaction);
  return (
    <tr
      class="list-item list-row"
      tabIndex={takesKeys ? 0 : -1}
      aria-rowindex={item + 2}
      aria-selected={isSelected}
      data-item={item}
      data-id={id}
      style={toRowStyle({ start, size })}
      onFocus={() => acts.focus(item)}
      onClick={({ target }) => {
        if (!(target instanceof Element) || target.closest('.cell-select') === null) acts.open(id, item);
      }}
      onKeyDown={(event) => acts.key(event, id, item)}
    >
      <td class="cell-select">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          aria-label={`Select ${typeName(type)} ${units}`}
          onChange={(event) => acts.select(id, event.currentTarget.checked)}
        />
      </td>
      <td class="cell-type" title={typeName(type)}>
        {typeName(type)}
      </td>
      <td class="cell-asset">
        {units}
        {isDated && <span class="fine"> {day(transaction.day)}</span>}
        {transaction.assetName !== undefined && <span class="fine asset-name">{transaction.assetName}</span>}
      </td>
      <td class="cell-account muted">
        {account}
        {toAccount !== undefined && ` → ${toAccount}`}
      </td>
      <td class="cell-amount">
        <StatedAmount amount={transaction.amount} currency={transaction.currency} />
      </td>
      <td class="cell-fee muted">
        {fee !== null && !/^0*\.?0*$/.test(fee) && <StatedAmount amount={fee} currency={transaction.currency} />}
      </td>
      <td class="cell-review">
        {review.length > 0 && (
          <span class="badge" title={review.map(({ kind }) => words(kind)).join(', ')}>
            review
          </span>
        )}
      </td>
    </tr>
  );
}

/** `10 AAPL`, `1 BTC → 15 ETH`. */
export function formatUnits(transaction: ListedTransaction): string {
  const { asset, receivedAsset, receivedQuantity } = transaction;
  const words = [transaction.quantity === null ? '' : quantity(transaction.quantity), asset].filter(Boolean).join(' ');
  if (receivedAsset === undefined) return words;
  const received = [receivedQuantity === undefined ? '' : quantity(receivedQuantity), receivedAsset];
  return `${words} → ${received.filter(Boolean).join(' ')}`;
}

function toRowStyle({ start, size }: Pick<PositionedItem, 'start' | 'size'>) {
  return { transform: `translateY(${start}px)`, height: `${size}px` };
}
