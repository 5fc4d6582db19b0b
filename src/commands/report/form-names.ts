import { findFormNames, typesOfHistory } from '../../engine/events/form-names.ts';
import { isFormRow } from '../../engine/events/form-rows.ts';
import { listAssetKeys } from '../../engine/events/keys.ts';
import type { FormAssetNames, Rules, Transaction } from '../../engine/model.ts';
import { type FileHistory, toTransaction } from './history.ts';
import { repeatedRank } from './row-order.ts';

/**
 * Finds the transactions' names for assets that Forms 1099 name differently. `ranks` is explained at `computeRanks`.
 */
export function readFormNames(
  history: FileHistory,
  ranks: Int32Array,
  assets: Rules['assets'] | undefined,
): FormAssetNames | undefined {
  const rows = listOtherTransactions(history, ranks);
  const forms = rows.filter(isFormRow);
  if (forms.length === 0) return undefined;
  // Nearly all histories name their assets as the forms do. In that case, no trade is read.
  const known = new Set(history.trades.flatMap(({ ledger }) => ledger.places.map(toAccountAssetKey)));
  for (const row of rows)
    if (typesOfHistory.has(row.type))
      for (const key of listAssetKeys(row)) known.add(toAccountAssetKey({ ...row, key }));
  const isKnown = (row: Transaction): boolean => {
    const [key = ''] = listAssetKeys(row);
    return assets?.[row.asset]?.formNameOf === undefined && known.has(toAccountAssetKey({ ...row, key }));
  };
  return forms.every(isKnown) ? undefined : findFormNames(concatenate(rows, iterateTrades(history, ranks)), assets);
}

function* concatenate(...lists: readonly Iterable<Transaction>[]): Generator<Transaction> {
  for (const list of lists) yield* list;
}

function toAccountAssetKey({ account, key }: { readonly account: string; readonly key: string }): string {
  return `${key} ${account}`;
}

function listOtherTransactions({ others }: FileHistory, ranks: Int32Array): Transaction[] {
  return others.filter(({ row }) => ranks[row] !== repeatedRank).map((other) => toTransaction(other, '', 0));
}

function* iterateTrades({ trades }: FileHistory, ranks: Int32Array): Generator<Transaction> {
  for (const { ledger, rows } of trades)
    for (const [trade, row] of rows.entries()) if (ranks[row] !== repeatedRank) yield ledger.trade(trade);
}
