import { type Cents, formatCents, type Money, roundToCents } from '../../../base/decimal.ts';
import type { Line, Totals, TransactionType } from '../../../engine/model.ts';
import { rowOf } from '../../../engine/transaction-types.ts';
import { groupDigits } from '../../../forms/figures.ts';
import type { HelpEntry } from '../help/entries.ts';
import type { Citation } from './view.ts';

/** Formats an amount like `$1,234.50` or `-$0.07`. */
export function dollars(cents: Cents): string {
  const [whole = '', fraction = ''] = formatCents(cents).replace('-', '').split('.');
  return `${cents < 0n ? '-' : ''}$${groupDigits(whole)}.${fraction}`;
}

export function formatRoundedDollars(money: Money): string {
  return dollars(roundToCents(money));
}

/** Returns `a gain of $5.00`, `a loss of $5.00` or `neither gain nor loss`. */
export function gainOrLoss(cents: Cents): string {
  if (cents === 0n) return 'neither gain nor loss';
  return cents > 0n ? `a gain of ${dollars(cents)}` : `a loss of ${dollars(-cents as Cents)}`;
}

/** Returns `1 lot`, `2 lots` or `1,000 lots`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? noun : plural}`;
}

/** Returns `A`, `A and B` or `A, B and C`. */
export function formatList(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** Returns `proceeds $10.00, basis $8.00, adjustments $0.00`. */
export function columns(totals: Totals): string {
  const adjustment = totals.adjustment === 0n ? '' : `, adjustments ${dollars(totals.adjustment)}`;
  return `proceeds ${dollars(totals.proceeds)}, basis ${dollars(totals.basis)}${adjustment}`;
}

/** Returns the name of a kind of income, as used in the middle of a sentence. */
export function incomeName(type: TransactionType): string {
  return rowOf(type).income?.name ?? type.replaceAll('_', ' ');
}

/** Cites an entry of the help center. It is the same for all books, so its URL names no client. */
export function helpCitation({ id, title }: HelpEntry): Citation {
  return { title: `Help: ${title}`, href: `/v1/help/${id}` };
}

export function totalsOfLines(lines: readonly Line[]): Totals {
  const sum = (read: (line: Line) => Cents) => lines.reduce((all, line) => all + read(line), 0n) as Cents;
  return {
    proceeds: sum((line) => line.disposal.proceeds),
    basis: sum((line) => line.disposal.basis),
    adjustment: sum((line) => line.adjustment),
    gain: sum((line) => line.gain),
    count: lines.length,
  };
}
