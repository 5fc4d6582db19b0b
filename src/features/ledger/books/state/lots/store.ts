import { formatDay } from '../../../../../base/day.ts';
import { formatCents, formatQuantity } from '../../../../../base/decimal.ts';
import { toArrayText } from '../../../../../db/array.ts';
import type { Sql } from '../../../../../db/connection.ts';
import { isByCost, type LotMethodRow, lotMethods, lotMethodTable } from '../../../../../engine/lot-methods.ts';
import type { Lot, Rules } from '../../../../../engine/model.ts';
import { type Book, openLots } from '../../../../../engine/replay.ts';
import { computeUnitCost } from '../../../../../engine/resume/packed.ts';
import {
  deleteLots,
  deleteVersions,
  insertVersions,
  type LotColumns,
  type LotVersion,
  upsertLots,
} from './lots.queries.ts';
import { computeLotChanges, type StoredLots, type VersionedLot, type VersionedLots } from './versioned-lots.ts';

/** The lots of a book after a replay, and the previously stored rows. `book` is the last state. */
interface ReplayedLots {
  readonly name: string;
  readonly lots: VersionedLots;
  readonly stored: StoredLots;
  readonly book: Book;
}

/** Updates the rows of lots and lot versions. Does not write rows that are already correct. */
export async function storeLots(
  sql: Sql,
  taxpayerId: string,
  books: readonly ReplayedLots[],
  rules: Rules,
): Promise<void> {
  const methods = listLotMethods(rules);
  const costed = methods.some(({ storedOrder }) => isByCost(storedOrder));
  const isAveraged = methods.some((method) => method.isAveraged);
  const changes = books.map((one) => toLotRowChanges(one, { costed, isAveraged }));
  const versionsDeleted = changes.flatMap((one) => one.versionsDeleted);
  if (versionsDeleted.length > 0) await deleteVersions(sql, taxpayerId, versionsDeleted);
  for (const part of splitBatches(changes.flatMap((one) => one.versionsInserted))) {
    await insertVersions(sql, taxpayerId, versionColumns(part));
  }
  const deleted = changes.flatMap((one) => one.deleted);
  if (deleted.length > 0) await deleteLots(sql, taxpayerId, deleted);
  for (const part of splitBatches(changes.flatMap((one) => one.written))) {
    const rows = part.map(({ id, book, lots, shown }) => ({ ...getLot(lots, id), shown: getLot(shown, id), book }));
    await upsertLots(sql, taxpayerId, lotColumns(rows, costed));
  }
}

/** A lot to write, with the values that users see. */
type WrittenLot = VersionedLot & { readonly book: string; readonly shown: Lot };

function toLotRowChanges(
  { name, lots, stored, book }: ReplayedLots,
  { costed, isAveraged }: { readonly costed: boolean; readonly isAveraged: boolean },
) {
  const all = isAveraged ? toLotsById(book) : null;
  const basisOf = all === null ? null : (id: string): string => formatCents(getLot(all, id).basis);
  const changes = computeLotChanges(lots, stored, { basisOf, costed });
  const shown = all ?? toLotsById(onlyLots(book, new Set(changes.written)));
  const inBook = <Row>(row: Row) => ({ ...row, book: name });
  return {
    versionsDeleted: changes.versionsDeleted.map(inBook),
    versionsInserted: changes.versionsInserted.map(inBook),
    deleted: changes.deleted.map((id) => ({ id, book: name })),
    written: changes.written.map((id) => ({ id, book: name, lots: lots.current, shown })),
  };
}

function toLotsById(book: Book): ReadonlyMap<string, Lot> {
  return new Map(openLots(book).map((lot) => [lot.id, lot]));
}

/** Returns the lot methods that the rules can apply. */
function listLotMethods(rules: Rules): LotMethodRow[] {
  const text = JSON.stringify(rules);
  return lotMethods.filter((method) => text.includes(`"${method}"`)).map((method) => lotMethodTable[method]);
}

/** Returns the book with only these lots. Usually, only a few of thousands of lots are written. */
function onlyLots(book: Book, ids: ReadonlySet<string>): Book {
  return { ...book, pools: book.pools.map((pool) => ({ ...pool, lots: pool.lots.filter((lot) => ids.has(lot.id)) })) };
}

/** A small number, so that preparing the text for the database does not delay other requests. */
const lotsPerStatement = 1_000;

function* splitBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += lotsPerStatement) yield items.slice(at, at + lotsPerStatement);
}

function getLot<T>(lots: ReadonlyMap<string, T>, id: string): T {
  const lot = lots.get(id);
  if (lot === undefined) throw new Error('The book does not contain a lot that should be stored.');
  return lot;
}

function lotColumns(rows: readonly WrittenLot[], costed: boolean): LotColumns {
  return {
    book: toArrayText(rows, ({ book }) => book),
    id: toArrayText(rows, ({ lot }) => lot.id),
    asset: toArrayText(rows, ({ shown }) => shown.asset),
    assetClass: toArrayText(rows, ({ shown }) => shown.assetClass),
    account: toArrayText(rows, ({ shown }) => shown.account),
    quantity: toArrayText(rows, ({ shown }) => formatQuantity(shown.quantity)),
    basis: toArrayText(rows, ({ shown }) => formatCents(shown.basis)),
    acquired: toArrayText(rows, ({ shown }) => formatDay(shown.acquired)),
    heldSince: toArrayText(rows, ({ shown }) => formatDay(shown.heldSince)),
    inherited: toArrayText(rows, ({ shown }) => String(shown.inherited)),
    purchaseUnknown: toArrayText(rows, ({ shown }) => String(shown.purchaseUnknown === true)),
    key: toArrayText(rows, ({ lot }) => lot.key),
    sequence: toArrayText(rows, ({ lot }) => lot.sequence),
    label: toArrayText(rows, ({ lot }) => lot.label),
    purchasedOn: toArrayText(rows, ({ lot }) => (lot.purchasedOn === null ? null : formatDay(lot.purchasedOn))),
    unitCost: toArrayText(rows, ({ lot }) => (costed ? computeUnitCost(lot).toString() : null)),
    validFrom: toArrayText(rows, ({ validFrom }) => validFrom),
    state: toArrayText(rows, ({ state }) => state),
  };
}

function versionColumns(
  rows: readonly (LotVersion & { readonly book: string })[],
): Parameters<typeof insertVersions>[2] {
  return {
    book: toArrayText(rows, (lot) => lot.book),
    id: toArrayText(rows, (lot) => lot.id),
    validFrom: toArrayText(rows, (lot) => lot.validFrom),
    validTo: toArrayText(rows, (lot) => lot.validTo),
    state: toArrayText(rows, (lot) => lot.state),
  };
}
