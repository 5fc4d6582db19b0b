import type { ComponentChildren } from 'preact';
import { scaled } from '../../format/amounts.ts';
import { day, localDay, moment } from '../../format/dates.ts';
import { MoneyOrUnknown, Quantity } from '../amount.tsx';

export interface ColumnSpec<Row> {
  readonly head: string;
  /** The help entry that explains the heading. */
  readonly help?: string;
  /** What the cell shows. A text is formatted by the column's kind. */
  readonly cell: (row: Row) => ComponentChildren;
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
export type ColumnKind = 'text' | 'money' | 'gain' | 'quantity' | 'number' | 'day' | 'local day' | 'minute' | 'buttons';

export type SortValue = string | number | bigint | null;

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
export function isNumber({ kind = 'text' }: Pick<ColumnSpec<never>, 'kind'>): boolean {
  return ['money', 'gain', 'quantity', 'number'].includes(kind);
}

export function isDate({ kind = 'text' }: Pick<ColumnSpec<never>, 'kind'>): boolean {
  return ['day', 'local day', 'minute'].includes(kind);
}

export function renderCell<Row>({ kind = 'text', cell }: ColumnSpec<Row>, row: Row): ComponentChildren {
  const value = cell(row);
  const formatted = formattedKinds[kind];
  return formatted !== undefined && (typeof value === 'string' || value === null) ? formatted.format(value) : value;
}

/** Returns the function by which the browser sorts a column, or undefined if it does not. */
export function findSort<Row>({ kind = 'text', cell, sort }: ColumnSpec<Row>): ((row: Row) => SortValue) | undefined {
  const formatted = formattedKinds[kind];
  if (typeof sort === 'string' || (sort === undefined && formatted === undefined)) return undefined;
  return (row) => {
    const value = (sort ?? cell)(row);
    if (typeof value === 'string') return formatted === undefined ? value : formatted.toSortValue(value);
    return typeof value === 'number' || typeof value === 'bigint' ? value : null;
  };
}
