import { parseTypedDay, parseTypedMoney, parseTypedQuantity } from '../../base/typed.ts';

/** How an input reads and shows a kind of value. Every text that is no such value has a problem. */
interface TypedInput {
  /** Returns the exact text that the API accepts, or undefined. */
  readonly parse: (text: string) => string | undefined;
  readonly format: (value: string) => string;
  /** Returns whether a text counts before the user leaves the field. The start of a date can be a different date. */
  readonly isComplete: (text: string) => boolean;
  readonly problem: string;
  readonly inputMode: 'decimal' | 'text';
  readonly placeholder?: string;
}

export type TypedKind = 'money' | 'quantity' | 'date';

export const typedKinds: Readonly<Record<TypedKind, TypedInput>> = {
  money: {
    parse: parseTypedMoney,
    format: groupDigits,
    isComplete: () => true,
    problem: 'Enter an amount like 7,500 or 7500.00.',
    inputMode: 'decimal',
  },
  quantity: {
    parse: parseTypedQuantity,
    format: groupDigits,
    isComplete: () => true,
    problem: 'Enter a number like 12.5 or 1,060.',
    inputMode: 'decimal',
  },
  date: {
    parse: parseTypedDay,
    format: (value) => value.replace(/^(\d{4})-0?(\d+)-0?(\d+)$/, '$2/$3/$1'),
    isComplete: (text) => /\d{4}$|^\d{4}-\d\d-\d\d$/.test(text.trim()),
    problem: 'Enter a date like 3/1/2025, with the month first.',
    inputMode: 'text',
    placeholder: 'm/d/yyyy',
  },
};

/** Formats `30246.04` as `30,246.04`, without changing a digit. */
function groupDigits(value: string): string {
  const [whole = '', decimals] = value.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
