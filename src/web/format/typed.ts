import { parseTypedDay, parseTypedMoney, parseTypedQuantity, parseTypedTime } from '../../base/typed.ts';

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

export type TypedKind = 'money' | 'quantity' | 'date' | 'time';

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
  time: {
    parse: parseTypedTime,
    format: formatTime,
    isComplete: (text) => /m\.?$|^\d\d:\d\d:\d\d$/i.test(text.trim()),
    problem: 'Enter a time like 2:30 PM.',
    inputMode: 'text',
    placeholder: '2:30 PM',
  },
};

/** Formats `14:30:00` as `2:30 PM`, with seconds if it has any. */
function formatTime(value: string): string {
  const [, hours = '', minutes = '', seconds = ''] = /^(\d\d):(\d\d):(\d\d)$/.exec(value) ?? [];
  if (hours === '') return value;
  const hour = Number(hours);
  return `${hour % 12 || 12}:${minutes}${seconds === '00' ? '' : `:${seconds}`} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** Formats `30246.04` as `30,246.04`, without changing a digit. */
function groupDigits(value: string): string {
  const [whole = '', decimals] = value.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
