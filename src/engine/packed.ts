import type { Day } from '../base/day.ts';
import type { Book, OpenLot, PoolState } from './book.ts';
import { bookFromJson, bookToJson } from './book-json.ts';
import type { AssetClass } from './model.ts';

/**
 * A book as it is stored: its lots apart, one text each, so that one that a replay left as it was is left alone in the
 * database too; and the rest of it.
 */

type Integer = string;
type Packed = readonly [
  id: string,
  origin: string | 0,
  openedBy: string | 0,
  label: string,
  key: string,
  asset: string,
  assetClass: AssetClass,
  account: string,
  quantity: Integer,
  used: Integer,
  wholeQuantity: Integer | 0,
  wholeBasis: Integer,
  basisTaken: Integer,
  unitBasis: Integer,
  unitQuantity: Integer | 0,
  lossBasis: Integer | null,
  lossTaken: Integer,
  lossHeldSince: Day | null,
  acquired: Day,
  heldSince: Day,
  inherited: boolean,
  restartedOn: Day | null,
  purchasedOn: Day | null,
  sequence: number,
  children: number,
  adjusted: boolean,
  basisUnknown: boolean,
  covered: boolean,
  shares: Integer | null,
  underlyingKey: string | null,
  right: OpenLot['right'],
];

/** A lot as one text: equal lots, equal texts. Zero where a member says what the id or the quantity says already. */
export function packLot(lot: OpenLot): string {
  const { id, quantity } = lot;
  const packed: Packed = [
    id,
    lot.origin === id ? 0 : lot.origin,
    id.startsWith(lot.openedBy) && id.indexOf('/') === lot.openedBy.length ? 0 : lot.openedBy,
    lot.label,
    lot.key,
    lot.asset,
    lot.assetClass,
    lot.account,
    quantity.toString(),
    lot.used.toString(),
    lot.wholeQuantity === quantity ? 0 : lot.wholeQuantity.toString(),
    lot.wholeBasis.toString(),
    lot.basisTaken.toString(),
    lot.unitBasis.toString(),
    lot.unitQuantity === quantity ? 0 : lot.unitQuantity.toString(),
    lot.lossBasis?.toString() ?? null,
    lot.lossTaken.toString(),
    lot.lossHeldSince,
    lot.acquired,
    lot.heldSince,
    lot.inherited,
    lot.restartedOn,
    lot.purchasedOn,
    lot.sequence,
    lot.children,
    lot.adjusted,
    lot.basisUnknown,
    lot.covered,
    lot.shares?.toString() ?? null,
    lot.underlyingKey,
    lot.right,
  ];
  return JSON.stringify(packed);
}

export function unpackLot(text: string): OpenLot {
  const packed = JSON.parse(text) as Packed;
  const [id, origin, openedBy, label, key, asset, assetClass, account, units, used, wholeQuantity] = packed;
  const quantity = BigInt(units);
  return {
    id,
    origin: origin === 0 ? id : origin,
    openedBy: openedBy === 0 ? id.slice(0, id.indexOf('/')) : openedBy,
    label,
    key,
    asset,
    assetClass,
    account,
    quantity,
    used: BigInt(used),
    wholeQuantity: wholeQuantity === 0 ? quantity : BigInt(wholeQuantity),
    wholeBasis: BigInt(packed[11]),
    basisTaken: BigInt(packed[12]),
    unitBasis: BigInt(packed[13]),
    unitQuantity: packed[14] === 0 ? quantity : BigInt(packed[14]),
    lossBasis: packed[15] === null ? null : BigInt(packed[15]),
    lossTaken: BigInt(packed[16]),
    lossHeldSince: packed[17],
    acquired: packed[18],
    heldSince: packed[19],
    inherited: packed[20],
    restartedOn: packed[21],
    purchasedOn: packed[22],
    sequence: packed[23],
    children: packed[24],
    adjusted: packed[25],
    basisUnknown: packed[26],
    covered: packed[27],
    shares: packed[28] === null ? null : BigInt(packed[28]),
    underlyingKey: packed[29],
    right: packed[30],
  };
}

/** All of a book but its lots, as JSON. */
export function packRest(book: Book): string {
  return JSON.stringify(bookToJson({ ...book, pools: book.pools.map((pool) => ({ ...pool, lots: [] })) }));
}

export function unpackRest(text: string): Book {
  return bookFromJson(JSON.parse(text));
}

/** A rest with lots in its pools again. */
export function withLots(rest: Book, lots: readonly OpenLot[]): Book {
  const byPool = Map.groupBy(lots, poolName);
  return { ...rest, pools: rest.pools.map((pool) => ({ ...pool, lots: byPool.get(poolName(pool)) ?? [] })) };
}

export function poolName({ key, account }: Pick<PoolState, 'key' | 'account'>): string {
  return `${key}\u0000${account}`;
}

/** What a unit cost, rounded down: as lots are ordered by it, so they are by cost. */
export function unitCostOf(lot: OpenLot): bigint {
  const scaled = lot.unitBasis * unit;
  const cost = scaled / lot.unitQuantity;
  return scaled < 0n && cost * lot.unitQuantity !== scaled ? cost - 1n : cost;
}

const unit = 10n ** 18n;
