import { formNamesIn, typesOfHistory } from '../../engine/events/form-names.ts';
import { isFormRow } from '../../engine/events/form-rows.ts';
import { assetKeysOf } from '../../engine/events/keys.ts';
import type { FormAssetNames, Rules, Transaction } from '../../engine/model.ts';
import { type FileHistory, transactionOf } from './history.ts';
import { repeated } from './row-order.ts';

/** Finds the transactions' names of assets that Forms 1099 name differently. `ranks`: see `ranksOf`. */
export function readFormNames(
  history: FileHistory,
  ranks: Int32Array,
  assets: Rules['assets'] | undefined,
): FormAssetNames | undefined {
  const rows = othersIn(history, ranks);
  const forms = rows.filter(isFormRow);
  if (forms.length === 0) return undefined;
  // Nearly all histories name their assets as the forms do. Then no trade is read.
  const known = new Set(history.trades.flatMap(({ ledger }) => ledger.places.map(placeOf)));
  for (const row of rows)
    if (typesOfHistory.has(row.type)) for (const key of assetKeysOf(row)) known.add(placeOf({ ...row, key }));
  const isKnown = (row: Transaction): boolean => {
    const [key = ''] = assetKeysOf(row);
    return assets?.[row.asset]?.formNameOf === undefined && known.has(placeOf({ ...row, key }));
  };
  return forms.every(isKnown) ? undefined : formNamesIn(joined(rows, tradesIn(history, ranks)), assets);
}

function* joined(...lists: readonly Iterable<Transaction>[]): Generator<Transaction> {
  for (const list of lists) yield* list;
}

function placeOf({ account, key }: { readonly account: string; readonly key: string }): string {
  return `${key} ${account}`;
}

function othersIn({ others }: FileHistory, ranks: Int32Array): Transaction[] {
  return others.filter(({ row }) => ranks[row] !== repeated).map((other) => transactionOf(other, '', 0));
}

function* tradesIn({ trades }: FileHistory, ranks: Int32Array): Generator<Transaction> {
  for (const { ledger, rows } of trades)
    for (const [trade, row] of rows.entries()) if (ranks[row] !== repeated) yield ledger.trade(trade);
}
