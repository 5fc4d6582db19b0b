import { formatDay } from '../../../base/day.ts';
import { type Cents, formatQuantity, type Quantity } from '../../../base/decimal.ts';
import { type Fold, getOrCreatePool, listRecentTransactions, raise } from '../../book/fold.ts';
import type { DisposeEvent, Event, TransactionEvent } from '../../events/event.ts';
import { resolveLotAccount } from './take.ts';

export const zeroBasis = 'A basis of zero is used.';

/** Raises the issue that more units were sold than held. Their lines are still written. */
export function raiseOversold(fold: Fold, event: Event, missing: bigint, proceeds: bigint): void {
  const detail =
    `${describeNotHeld(event, missing)} ` +
    'Add the missing purchase, transfer or opening lot. Until then, a basis of zero is used.';
  raise(fold, event, 'oversold', detail, {
    dollars: magnitude(proceeds),
    units: missing,
    transactions: recentTransactionsFor(fold, event),
  });
}

/** Raises the issue that more units left than were held, without a sale. */
export function raiseNotHeld(fold: Fold, event: Event, missing: bigint): void {
  const transactions = recentTransactionsFor(fold, event);
  raise(fold, event, 'oversold', describeNotHeld(event, missing), { units: missing, transactions });
}

function describeNotHeld({ asset, account, on }: Event, missing: bigint): string {
  return `${formatQuantity(missing as Quantity)} ${asset} left ${account} on ${formatDay(on)} but were not held there.`;
}

export function raiseUnknownBasis(fold: Fold, event: Event, proceeds: bigint, openedBy: string, row: number): void {
  const detail = `The basis of ${event.asset} sold on ${formatDay(event.on)} is unknown. ${zeroBasis}`;
  const issue = { dollars: magnitude(proceeds), transactions: [openedBy] };
  raise(fold, event, 'basis_missing', detail, { ...issue, suffix: row });
}

export function raiseUnknownProceeds(fold: Fold, event: Event): void {
  const detail = `The proceeds of ${event.asset} disposed of on ${formatDay(event.on)} are not stated in dollars. Proceeds of zero are used.`;
  raise(fold, event, 'value_missing', detail);
}

/** Raises the issue that the row of a short sale or an option lacks a value. */
export function raiseUnreadable(fold: Fold, event: TransactionEvent, part: keyof typeof parts): void {
  const { id, words, unit } = parts[part];
  raise(
    fold,
    event,
    'value_missing',
    `${words} of this ${event.tx.type.replaceAll('_', ' ')} of ${event.asset} is not stated${unit}.`,
    { suffix: id },
  );
}

/** The values that a row may lack. `id` is part of the ids of stored issues, so it must not change with the words. */
const parts = {
  quantity: { id: 'The quantity', words: 'The quantity', unit: '' },
  underlying: { id: 'The underlying', words: 'The underlying', unit: '' },
  amount: { id: 'The amount', words: 'The amount', unit: ' in dollars' },
  premium: { id: 'The premium', words: 'The premium', unit: ' in dollars' },
  price: { id: 'The price', words: 'The price', unit: ' in dollars' },
  strike: { id: 'The strike amount', words: 'The strike amount', unit: ' in dollars' },
  settlement: { id: 'The cash settlement', words: 'The cash settlement', unit: ' in dollars' },
} as const;

/**
 * Raises an issue about a loss, a theft or a worthless coin. Whether it is deductible depends on facts that no file
 * states (IRC 165(c), (h)(5), 67(g)).
 */
export function raiseLost(fold: Fold, event: DisposeEvent, basis: bigint): void {
  const happened = event.tx.type === 'worthless' ? 'became worthless' : 'were lost';
  const detail = `${formatQuantity(event.quantity)} ${event.asset} ${happened} on ${formatDay(event.on)}. No loss is claimed. Decide with your adviser whether it is deductible.`;
  raise(fold, event, 'loss_event', detail, { dollars: basis as Cents, units: event.quantity });
}

function recentTransactionsFor(fold: Fold, event: Event): readonly string[] {
  return listRecentTransactions(
    getOrCreatePool(fold, event.key, resolveLotAccount(fold.rules, event.assetClass, event.account, event.on)),
  );
}

function magnitude(cents: bigint): Cents {
  return (cents < 0n ? -cents : cents) as Cents;
}
