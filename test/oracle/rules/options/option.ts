import type { Transaction } from '../../../../src/engine/model.ts';
import { Exact, units } from '../../numbers.ts';

/** An option's symbol reads `AAPL 2025-01-17 C 150`; `underlying` and `right` of the row come first. */
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

/** Shares per contract of an opening or closing trade: 100 where the row does not say. */
export function sharesPerContract(transaction: Transaction): Exact {
  return transaction.shares === null ? new Exact(100) : units(transaction.shares);
}
