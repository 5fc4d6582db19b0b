import { useMemo } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { formatCount, quantity } from '../../format/amounts.ts';
import { day, longDay } from '../../format/dates.ts';
import { typeName, words } from '../../format/words.ts';
import { Money } from '../../parts/amount.tsx';
import { type DayGroup, type DayLayout, pageRows, pageStart } from './days.ts';
import { isByDate, type ListedTransaction, type ListFilter, type ListSort, readRows } from './filter.ts';

/** The list's handlers for a row. */
export interface RowActions {
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
export function PageOfRows({ layout, filter, sort, page, items, isPassing, acts }: PageOfRowsProps) {
  const start = pageStart(layout, page);
  const pageRequest = start === null ? null : { filter, sort, ...start, limit: pageRows };
  const key = pageRequest === null || isPassing ? null : `transactions ${JSON.stringify(pageRequest)}`;
  const reading = useResource(key, () => readRows(pageRequest ?? { filter, sort, date: null, offset: 0, limit: 1 }));
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

export function DayHead({ item, start, size, date, count }: PositionedItem & DayGroup) {
  return (
    <tr class="list-item day-head" aria-rowindex={item + 2} style={toRowStyle({ start, size })}>
      <td colSpan={columnCount}>
        <strong>{date === null ? 'All days' : longDay(date)}</strong>{' '}
        {count > 1 && <span class="fine">{formatCount(count, 'transaction')}</span>}
      </td>
    </tr>
  );
}

export const columnCount = 7;

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

/** An amount in the row's own currency. */
export function StatedAmount({ amount, currency }: { readonly amount: string | null; readonly currency: string }) {
  if (amount === null) return null;
  return currency === 'USD' ? (
    <Money amount={amount} />
  ) : (
    <span class="amount">
      {quantity(amount)} {currency}
    </span>
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
