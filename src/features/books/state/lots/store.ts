import { formatDay } from '../../../../base/day.ts';
import { formatCents, formatQuantity } from '../../../../base/decimal.ts';
import { arrayOf } from '../../../../db/array.ts';
import type { Sql } from '../../../../db/connection.ts';
import { isByCost, type LotMethodRow, lotMethods, lotMethodTable } from '../../../../engine/lot-methods.ts';
import type { Lot, Rules } from '../../../../engine/model.ts';
import { type Book, openLots } from '../../../../engine/replay.ts';
import { unitCostOf } from '../../../../engine/resume/packed.ts';
import { deleteLots, deleteVersions, insertVersions, type LotColumns, type LotVersion, upsertLots } from './queries.ts';
import { changesOf, type StoredLots, type VersionedLot, type VersionedLots } from './versioned-lots.ts';

/** The lots of a book after a replay, and their previous rows. `book` is the last state. */
export interface ReplayedLots {
  readonly name: string;
  readonly lots: VersionedLots;
  readonly stored: StoredLots;
  readonly book: Book;
}

/** Replaces the rows of lots and versions of each book. Rows that are already correct are not written. */
export async function storeLots(
  sql: Sql,
  taxpayerId: string,
  books: readonly ReplayedLots[],
  rules: Rules,
): Promise<void> {
  const methods = methodsIn(rules);
  const costed = methods.some(({ storedOrder }) => isByCost(storedOrder));
  const isAveraged = methods.some((method) => method.isAveraged);
  const changes = books.map((one) => changesIn(one, { costed, isAveraged }));
  const versionsDeleted = changes.flatMap((one) => one.versionsDeleted);
  if (versionsDeleted.length > 0) await deleteVersions(sql, taxpayerId, versionsDeleted);
  for (const part of partsOf(changes.flatMap((one) => one.versionsInserted))) {
    await insertVersions(sql, taxpayerId, versionColumns(part));
  }
  const deleted = changes.flatMap((one) => one.deleted);
  if (deleted.length > 0) await deleteLots(sql, taxpayerId, deleted);
  for (const part of partsOf(changes.flatMap((one) => one.written))) {
    const rows = part.map(({ id, book, lots, shown }) => ({ ...lotIn(lots, id), shown: lotIn(shown, id), book }));
    await upsertLots(sql, taxpayerId, lotColumns(rows, costed));
  }
}

/** A lot to write, with the values that are shown for it. */
type WrittenLot = VersionedLot & { readonly book: string; readonly shown: Lot };

function changesIn(
  { name, lots, stored, book }: ReplayedLots,
  { costed, isAveraged }: { readonly costed: boolean; readonly isAveraged: boolean },
) {
  const all = isAveraged ? shownLots(book) : null;
  const basisOf = all === null ? null : (id: string): string => formatCents(lotIn(all, id).basis);
  const changes = changesOf(lots, stored, { basisOf, costed });
  const shown = all ?? shownLots(onlyLots(book, new Set(changes.written)));
  const inBook = <Row>(row: Row) => ({ ...row, book: name });
  return {
    versionsDeleted: changes.versionsDeleted.map(inBook),
    versionsInserted: changes.versionsInserted.map(inBook),
    deleted: changes.deleted.map((id) => ({ id, book: name })),
    written: changes.written.map((id) => ({ id, book: name, lots: lots.current, shown })),
  };
}

function shownLots(book: Book): ReadonlyMap<string, Lot> {
  return new Map(openLots(book).map((lot) => [lot.id, lot]));
}

/** Returns the methods that can select lots. */
function methodsIn(rules: Rules): LotMethodRow[] {
  const text = JSON.stringify(rules);
  return lotMethods.filter((method) => text.includes(`"${method}"`)).map((method) => lotMethodTable[method]);
}

/** Usually only a few of thousands are written. */
function onlyLots(book: Book, ids: ReadonlySet<string>): Book {
  return { ...book, pools: book.pools.map((pool) => ({ ...pool, lots: pool.lots.filter((lot) => ids.has(lot.id)) })) };
}

/** Small enough that preparing the text for the database does not delay other requests. */
const lotsPerStatement = 1_000;

function* partsOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += lotsPerStatement) yield items.slice(at, at + lotsPerStatement);
}

function lotIn<T>(lots: ReadonlyMap<string, T>, id: string): T {
  const lot = lots.get(id);
  if (lot === undefined) throw new Error('The book does not contain a lot that should be stored.');
  return lot;
}

function lotColumns(rows: readonly WrittenLot[], costed: boolean): LotColumns {
  return {
    book: arrayOf(rows, ({ book }) => book),
    id: arrayOf(rows, ({ lot }) => lot.id),
    asset: arrayOf(rows, ({ shown }) => shown.asset),
    assetClass: arrayOf(rows, ({ shown }) => shown.assetClass),
    account: arrayOf(rows, ({ shown }) => shown.account),
    quantity: arrayOf(rows, ({ shown }) => formatQuantity(shown.quantity)),
    basis: arrayOf(rows, ({ shown }) => formatCents(shown.basis)),
    acquired: arrayOf(rows, ({ shown }) => formatDay(shown.acquired)),
    heldSince: arrayOf(rows, ({ shown }) => formatDay(shown.heldSince)),
    inherited: arrayOf(rows, ({ shown }) => String(shown.inherited)),
    purchaseUnknown: arrayOf(rows, ({ shown }) => String(shown.purchaseUnknown === true)),
    key: arrayOf(rows, ({ lot }) => lot.key),
    sequence: arrayOf(rows, ({ lot }) => lot.sequence),
    label: arrayOf(rows, ({ lot }) => lot.label),
    purchasedOn: arrayOf(rows, ({ lot }) => (lot.purchasedOn === null ? null : formatDay(lot.purchasedOn))),
    unitCost: arrayOf(rows, ({ lot }) => (costed ? unitCostOf(lot).toString() : null)),
    validFrom: arrayOf(rows, ({ validFrom }) => validFrom),
    state: arrayOf(rows, ({ state }) => state),
  };
}

function versionColumns(
  rows: readonly (LotVersion & { readonly book: string })[],
): Parameters<typeof insertVersions>[2] {
  return {
    book: arrayOf(rows, (lot) => lot.book),
    id: arrayOf(rows, (lot) => lot.id),
    validFrom: arrayOf(rows, (lot) => lot.validFrom),
    validTo: arrayOf(rows, (lot) => lot.validTo),
    state: arrayOf(rows, (lot) => lot.state),
  };
}
