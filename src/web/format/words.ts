import type { TransactionType } from '../../engine/transaction-types.ts';

/** Converts an API name to words: `buy_to_open` → `buy to open`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Converts an API name to a label: `buy_to_open` → `Buy to open`. */
export function formatSentenceCase(name: string): string {
  const text = words(name);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the display name of a transaction type: its code in words, unless brokers use another name. */
export function typeName(type: string): string {
  return brokerNames[type as TransactionType] ?? formatSentenceCase(type);
}

const brokerNames: Partial<Readonly<Record<TransactionType, string>>> = {
  reported_sale: '1099 sale',
  mark: 'Mark to market',
  gift_in: 'Gift received',
  gift_out: 'Gift given',
  lost: 'Lost or stolen',
  cover: 'Buy to cover',
  wages: 'Paid in crypto',
};
