import { formatDay } from '../../../../base/day.ts';
import { formatCents, formatQuantity } from '../../../../base/decimal.ts';
import { arrayOf } from '../../../../db/array.ts';
import type { Sql } from '../../../../db/connection.ts';
import { isByCost, type LotMethodRow, lotMethods, lotMethodTable } from '../../../../engine/lot-methods.ts';
import type { Lot, Rules } from '../../../../engine/model.ts';
import { type Book, openLots } from '../../../../engine/replay.ts';
import { unitCostOf } from '../../../../engine/resume/packed.ts';
import type { BookScope } from '../../facts/queries.ts';
import { deleteLots, deleteVersions, insertVersions, type LotColumns, type LotVersion, upsertLots } from './queries.ts';
import { changesOf, type StoredLots, type VersionedLot, type VersionedLots } from './versioned-lots.ts';

/** The rows of lots and versions become these; `book` is the last state. Rows that are right stay as they are. */
export async function storeLots(
  sql: Sql,
  scope: BookScope,
  lots: VersionedLots,
  stored: StoredLots,
  book: Book,
  rules: Rules,
): Promise<void> {
  const methods = methodsIn(rules);
  const costed = methods.some(({ storedOrder }) => isByCost(storedOrder));
  const all = methods.some(({ isAveraged }) => isAveraged) ? shownLots(book) : null;
  const basisOf = all === null ? null : (id: string): string => formatCents(lotIn(all, id).basis);
  const changes = changesOf(lots, stored, { basisOf, costed });
  if (changes.versionsDeleted.length > 0) await deleteVersions(sql, scope, changes.versionsDeleted);
  for (const part of partsOf(changes.versionsInserted)) await insertVersions(sql, scope, versionColumns(part));
  if (changes.deleted.length > 0) await deleteLots(sql, scope, changes.deleted);
  if (changes.written.length === 0) return;
  const shown = all ?? shownLots(onlyLots(book, new Set(changes.written)));
  for (const part of partsOf(changes.written)) {
    const rows = part.map((id) => ({ ...lotIn(lots.current, id), shown: lotIn(shown, id) }));
    await upsertLots(sql, scope, lotColumns(rows, costed));
  }
}

function shownLots(book: Book): ReadonlyMap<string, Lot> {
  return new Map(openLots(book).map((lot) => [lot.id, lot]));
}

/** The methods by which lots may leave. */
function methodsIn(rules: Rules): LotMethodRow[] {
  const text = JSON.stringify(rules);
  return lotMethods.filter((method) => text.includes(`"${method}"`)).map((method) => lotMethodTable[method]);
}

/** Of thousands few are written, mostly. */
function onlyLots(book: Book, ids: ReadonlySet<string>): Book {
  return { ...book, pools: book.pools.map((pool) => ({ ...pool, lots: pool.lots.filter((lot) => ids.has(lot.id)) })) };
}

/** Few enough that writing them down for the database does not hold up other requests. */
const lotsPerStatement = 1_000;

function* partsOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += lotsPerStatement) yield items.slice(at, at + lotsPerStatement);
}

function lotIn<T>(lots: ReadonlyMap<string, T>, id: string): T {
  const lot = lots.get(id);
  if (lot === undefined) throw new Error('A lot to be stored that the book does not have.');
  return lot;
}

function lotColumns(rows: readonly (VersionedLot & { readonly shown: Lot })[], costed: boolean): LotColumns {
  return {
    id: arrayOf(rows, ({ lot }) => lot.id),
    asset: arrayOf(rows, ({ shown }) => shown.asset),
    assetClass: arrayOf(rows, ({ shown }) => shown.assetClass),
    account: arrayOf(rows, ({ shown }) => shown.account),
    quantity: arrayOf(rows, ({ shown }) => formatQuantity(shown.quantity)),
    basis: arrayOf(rows, ({ shown }) => formatCents(shown.basis)),
    acquired: arrayOf(rows, ({ shown }) => formatDay(shown.acquired)),
    heldSince: arrayOf(rows, ({ shown }) => formatDay(shown.heldSince)),
    inherited: arrayOf(rows, ({ shown }) => String(shown.inherited)),
    key: arrayOf(rows, ({ lot }) => lot.key),
    sequence: arrayOf(rows, ({ lot }) => lot.sequence),
    label: arrayOf(rows, ({ lot }) => lot.label),
    purchasedOn: arrayOf(rows, ({ lot }) => (lot.purchasedOn === null ? null : formatDay(lot.purchasedOn))),
    unitCost: arrayOf(rows, ({ lot }) => (costed ? unitCostOf(lot).toString() : null)),
    validFrom: arrayOf(rows, ({ validFrom }) => validFrom),
    state: arrayOf(rows, ({ state }) => state),
  };
}

function versionColumns(rows: readonly LotVersion[]): Parameters<typeof insertVersions>[2] {
  return {
    id: arrayOf(rows, (lot) => lot.id),
    validFrom: arrayOf(rows, (lot) => lot.validFrom),
    validTo: arrayOf(rows, (lot) => lot.validTo),
    state: arrayOf(rows, (lot) => lot.state),
  };
}
