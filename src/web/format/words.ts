import { type TransactionType, transactionTypes } from '../../engine/transaction-types.ts';

/** Converts an API name to words: `buy_to_open` → `buy to open`. */
export const words = (name: string): string => name.replaceAll('_', ' ');

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
  wages: 'Paid for work (RSU, crypto)',
  espp_purchase: 'ESPP purchase',
};

/** Types of transactions as people think of them. */
const typeGroups: readonly { readonly group: string; readonly types: readonly TransactionType[] }[] = [
  {
    group: 'Purchases and sales',
    types: ['buy', 'sell', 'trade', 'reinvest', 'espp_purchase', 'short_sell', 'cover', 'spend', 'fee'],
  },
  { group: 'Transfers', types: ['deposit', 'withdrawal', 'transfer'] },
  {
    group: 'Income',
    types: [
      ...(['dividend', 'capital_gain_distribution', 'interest', 'staking', 'mining', 'airdrop', 'reward'] as const),
      ...(['wages', 'other_income', 'withholding'] as const),
    ],
  },
  {
    group: 'Options',
    types: ['buy_to_open', 'sell_to_open', 'buy_to_close', 'sell_to_close', 'expire', 'exercise', 'assign'],
  },
  { group: 'Company events', types: ['split', 'merger', 'spinoff', 'rename', 'return_of_capital', 'worthless'] },
  { group: 'Gifts, inheritances and losses', types: ['gift_in', 'gift_out', 'donate', 'inherit', 'lost'] },
];

/** Returns the group of a type. */
function groupOf(type: TransactionType): string {
  return typeGroups.find(({ types }) => types.includes(type))?.group ?? 'Bonds, Form 1099 and other';
}

/** Every type of transaction for a choice, by group. */
export const typeOptions = [...new Set([...typeGroups.flatMap(({ types }) => types), ...transactionTypes])].map(
  (value) => ({ value: value as string, label: typeName(value), group: groupOf(value) }),
);

/** Returns the types of a group. */
export function typesOfGroup(group: string): readonly TransactionType[] {
  return typeGroups.find((each) => each.group === group)?.types ?? [];
}
