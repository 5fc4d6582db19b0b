import { formatDay } from '../../../../base/day.ts';
import { formatCents, formatQuantity } from '../../../../base/decimal.ts';
import { toArrayText } from '../../../../db/array.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { OpenLot } from '../../../../engine/book/book.ts';
import { isByCost, type LotMethodRow, lotMethods, lotMethodTable } from '../../../../engine/lot-methods.ts';
import type { Lot, Rules } from '../../../../engine/model.ts';
import { type Book, openLots } from '../../../../engine/replay.ts';
import { computeUnitCost, isSameLot, packLot } from '../../../../engine/resume/packed.ts';
import {
  deleteLots,
  deleteVersions,
  insertVersions,
  type LotColumns,
  type LotVersion,
  type PackedLots,
  type PackedVersions,
  type StoredLotRow,
  upsertLots,
} from './state.queries.ts';

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

/** A lot in a checkpoint. */
export interface VersionedLot {
  readonly id: string;
  /** The last checkpoint before the lot got its current value. Null if the lot had it in the first checkpoint. */
  readonly validFrom: string | null;
  /** The lot as packed text. */
  readonly state: string;
  readonly lot: OpenLot;
  /** The row that the lot was read from. Null if the replay created it. */
  readonly row: StoredLotRow | LotVersion | null;
  /** The number of the last checkpoint that contains the lot. */
  seen: number;
}

/**
 * The lots of a book across its checkpoints, with one version for each period in which a lot stays the same. A value
 * that exists only between two checkpoints leaves no version, so the rows do not depend on how the history was split
 * into imports.
 */
export class VersionedLots {
  /** The lots of the latest checkpoint so far. */
  readonly current: Map<string, VersionedLot>;
  /** Previous values of lots in earlier checkpoints. */
  readonly versions: LotVersion[] = [];
  #checkpoints = 0;
  #previous: string | null;

  /** Starts with `base`, the stored lots of a checkpoint. `previous` is the last checkpoint before the new ones. */
  constructor(base: readonly VersionedLot[], previous: string | null) {
    this.current = new Map(base.map((lot) => [lot.id, lot]));
    this.#previous = previous;
  }

  /** Adds the next checkpoint. */
  add(day: string, book: Book): void {
    this.#checkpoints += 1;
    const [seen, validFrom] = [this.#checkpoints, this.#previous];
    for (const pool of book.pools) {
      for (const lot of pool.lots) {
        const before = this.current.get(lot.id);
        if (before !== undefined) before.seen = seen;
        // Most lots are unchanged. Comparing fields takes a tenth of the time of creating the text.
        if (before !== undefined && isSameLot(before.lot, lot)) continue;
        if (before !== undefined) this.#end(before);
        this.current.set(lot.id, { id: lot.id, validFrom, state: packLot(lot), lot, row: null, seen });
      }
    }
    for (const [id, before] of this.current) {
      if (before.seen === seen) continue;
      this.#end(before);
      this.current.delete(id);
    }
    this.#previous = day;
  }

  #end({ id, validFrom, state }: VersionedLot): void {
    const validTo = this.#previous;
    if (validTo === null || (validFrom !== null && validFrom >= validTo)) return;
    this.versions.push({ id, validFrom, validTo, state });
  }
}

/** The changes that turn the stored rows into the new ones. */
interface LotChanges {
  readonly deleted: readonly string[];
  /** Ids of new or changed lots. */
  readonly written: readonly string[];
  readonly versionsDeleted: readonly LotVersion[];
  readonly versionsInserted: readonly LotVersion[];
}

/** The rows of a book that a replay may change. */
export interface StoredLots {
  readonly lots: readonly StoredLotRow[];
  readonly versions: readonly LotVersion[];
}

function computeLotChanges(
  { current, versions }: VersionedLots,
  stored: StoredLots,
  /** `basisOf` is set if a lot's basis can change although the lot does not, as in an averaged pool. */
  wanted: { readonly basisOf: ((id: string) => string) | null; readonly costed: boolean },
): LotChanges {
  const rows = new Map(stored.lots.map((lot) => [lot.id, lot]));
  const written: string[] = [];
  for (const [id, lot] of current) {
    const row = rows.get(id);
    // Skips a lot whose row has not changed since it was read, so thousands of unchanged lots need no comparison.
    if (row !== undefined && row === lot.row && wanted.basisOf === null) continue;
    const isSame =
      row !== undefined &&
      row.validFrom === lot.validFrom &&
      row.state === lot.state &&
      row.costed === wanted.costed &&
      (wanted.basisOf === null || row.basis === wanted.basisOf(id));
    if (!isSame) written.push(id);
  }
  const [before, after] = [byName(stored.versions), byName(versions)];
  return {
    deleted: stored.lots.filter(({ id }) => !current.has(id)).map(({ id }) => id),
    written,
    versionsDeleted: stored.versions.filter((version) => !isSameVersion(version, after.get(nameOf(version)))),
    versionsInserted: versions.filter((version) => !isSameVersion(version, before.get(nameOf(version)))),
  };
}

function byName(versions: readonly LotVersion[]): ReadonlyMap<string, LotVersion> {
  return new Map(versions.map((version) => [nameOf(version), version]));
}

function nameOf({ validTo, id }: LotVersion): string {
  return `${validTo}/${id}`;
}

function isSameVersion(a: LotVersion, b: LotVersion | undefined): boolean {
  return b !== undefined && a.validFrom === b.validFrom && a.state === b.state;
}

/** Unpacks lots from one text. A lot's text is JSON, so it contains no separators for lots or fields. */
export function unpackLots({ packed }: PackedLots): StoredLotRow[] {
  return packed.split(betweenLots).map((text) => {
    const basisAt = text.indexOf(betweenFields) + 1;
    const costedAt = text.indexOf(betweenFields, basisAt) + 1;
    const stateAt = text.indexOf(betweenFields, costedAt) + 1;
    const state = text.slice(stateAt);
    return {
      id: parseLotId(state),
      validFrom: basisAt === 1 ? null : text.slice(0, basisAt - 1),
      state,
      basis: text.slice(basisAt, costedAt - 1),
      costed: text.charAt(costedAt) === 't',
    };
  });
}

export function unpackVersions({ packed, validTo }: PackedVersions): LotVersion[] {
  return packed.split(betweenLots).map((text) => {
    const stateAt = text.indexOf(betweenFields) + 1;
    const state = text.slice(stateAt);
    return { id: parseLotId(state), validFrom: stateAt === 1 ? null : text.slice(0, stateAt - 1), validTo, state };
  });
}

/** Returns the id at the beginning of a lot's text. */
function parseLotId(state: string): string {
  const end = state.indexOf('"', 2);
  const id = state.slice(2, end);
  return id.includes('\\') ? (JSON.parse(state) as [string])[0] : id;
}

const [betweenFields, betweenLots] = ['\u001f', '\u001e'];
