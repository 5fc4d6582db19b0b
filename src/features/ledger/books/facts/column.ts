import { type Day, formatDay } from '../../../../base/day.ts';
import {
  type Cents,
  formatCents,
  formatMoney,
  formatQuantity,
  type Money,
  type Quantity,
} from '../../../../base/decimal.ts';
import { toArrayText } from '../../../../db/array.ts';
import type { Fact } from '../../../../engine/model.ts';
import {
  parseCentsColumn,
  parseDayColumn,
  parseMoneyColumn,
  parseQuantityColumn,
} from '../../transactions/rows/columns.ts';

/** A column of a fact table: its SQL name and type, and how a field is written and read. */
export interface Column<Value, Stored = unknown> {
  readonly name: string;
  readonly type: 'text' | 'date' | 'numeric' | 'boolean' | 'text[]';
  write(value: Value): string | null;
  read(stored: Stored): Value;
}

export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>;

/** One column for each field. The type requires a column for every field. */
export type ColumnsOf<Own extends Fact> = {
  readonly [Member in Exclude<keyof Own, 'kind'>]: Column<Own[Member]>;
};

export function text(name: string): Column<string, string> {
  return word<string>(name);
}

/** Returns a column for null or one of a few words. */
export function word<Value extends string | null>(name: string): Column<Value, Value> {
  return { name, type: 'text', write: (value) => value, read: (stored) => stored };
}

export function day(name: string): Column<Day, string> {
  return { name, type: 'date', write: formatDay, read: parseDayColumn };
}

export function cents(name: string): Column<Cents, string> {
  return { name, type: 'numeric', write: formatCents, read: parseCentsColumn };
}

/** Returns a column for an amount in cents. Null if unknown. */
export function centsOrNull(name: string): Column<Cents | null, string | null> {
  return {
    name,
    type: 'numeric',
    write: (value) => (value === null ? null : formatCents(value)),
    read: (stored) => (stored === null ? null : parseCentsColumn(stored)),
  };
}

/** Returns a column for an amount in cents. The field is omitted if unknown. */
export function centsIfAny(name: string): Column<Cents | undefined, string | null> {
  return {
    name,
    type: 'numeric',
    write: (value) => (value === undefined ? null : formatCents(value)),
    read: (stored) => (stored === null ? undefined : parseCentsColumn(stored)),
  };
}

export function money(name: string): Column<Money, string> {
  return { name, type: 'numeric', write: formatMoney, read: parseMoneyColumn };
}

export function quantity(name: string): Column<Quantity, string> {
  return { name, type: 'numeric', write: formatQuantity, read: parseQuantityColumn };
}

/** Returns a column for a quantity. The field is omitted if there is none. */
export function quantityIfAny(name: string): Column<Quantity | undefined, string | null> {
  return {
    name,
    type: 'numeric',
    write: (value) => (value === undefined ? null : formatQuantity(value)),
    read: (stored) => (stored === null ? undefined : (parseQuantityColumn(stored) ?? undefined)),
  };
}

/** Returns a column for a day. The field is omitted if there is none. */
export function dayIfAny(name: string): Column<Day | undefined, string | null> {
  return {
    name,
    type: 'date',
    write: (value) => (value === undefined ? null : formatDay(value)),
    read: (stored) => (stored === null ? undefined : parseDayColumn(stored)),
  };
}

export function flag(name: string): Column<boolean, boolean> {
  return { name, type: 'boolean', write: String, read: (stored) => stored };
}

/** Returns a column for a field that is omitted unless it is true. */
export function mark(name: string): Column<true | undefined, boolean> {
  return { name, type: 'boolean', write: (value) => String(value === true), read: (stored) => stored || undefined };
}

/** Returns a column for a list of texts. The field is omitted if the list is empty. */
export function textsIfAny(name: string): Column<readonly string[] | undefined, readonly string[]> {
  return {
    name,
    type: 'text[]',
    write: (value) => toArrayText(value ?? [], (one) => one),
    read: (stored) => (stored.length === 0 ? undefined : stored),
  };
}

/** Returns a column for a list of years. The field is omitted if the list is empty. */
export function yearsIfAny(name: string): Column<readonly number[] | undefined, readonly string[]> {
  return {
    name,
    type: 'text[]',
    write: (value) => toArrayText(value ?? [], String),
    read: (stored) => (stored.length === 0 ? undefined : stored.map(Number)),
  };
}

export function texts(name: string): Column<readonly string[], readonly string[]> {
  return {
    name,
    type: 'text[]',
    write: (value) => toArrayText(value, (one) => one),
    read: (stored) => stored,
  };
}
