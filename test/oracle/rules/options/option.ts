import { type Day, parseDay } from '../../../../src/base/day.ts';
import type { Transaction } from '../../../../src/engine/model.ts';
import { Exact, units } from '../../numbers.ts';

/** An option's symbol has the form `AAPL 2025-01-17 C 150`. `underlying` and `right` in the row take precedence. */
const symbol = /^(.+) \d{4}-\d{2}-\d{2} ([CP]) [\d.]+$/;

export interface OracleOption {
  readonly underlying: string;
  readonly right: 'call' | 'put' | null;
}

export function optionOf(transaction: Transaction): OracleOption {
  const match = symbol.exec(transaction.asset);
  const right = match === null ? null : match[2] === 'C' ? 'call' : 'put';
  return { underlying: transaction.underlying || (match?.[1] ?? ''), right: transaction.right ?? right };
}

/** Returns the shares per contract of an opening or closing trade: 100 unless the row states another number. */
export function sharesPerContract(transaction: Transaction): Exact {
  return transaction.shares === null ? new Exact(100) : units(transaction.shares);
}

/** A row may report the end of an option up to this many days after its expiration. */
export const graceDays = 7;

/**
 * Returns the expiration day if the row is within a week after it: the option ended on that day, because no option
 * outlives it.
 */
export function dayOfExpiry({ asset, on }: Transaction): Day {
  const expires = expiryOf(asset);
  if (expires === undefined) return on;
  const late = on - expires;
  return late > 0 && late <= graceDays ? expires : on;
}

export function expiryOf(asset: string): Day | undefined {
  const [, day = ''] = /^.+ (\d{4}-\d{2}-\d{2}) [CP] [\d.]+$/.exec(asset) ?? [];
  return parseDay(day);
}
