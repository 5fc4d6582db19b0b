import type { Day } from '../../base/day.ts';
import type { Book, OpenLot, PoolState } from '../book/book.ts';
import { bookFromJson, bookToJson } from '../book/book-json.ts';
import type { AssetClass } from '../model.ts';

/**
 * The stored form of a book: one text for each lot, so that a lot unchanged by a replay is not written again, and one
 * text for the rest of the book.
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
  givenOn: Day | null,
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
  /** The fields from here on are present only if they apply. */
  leavesLast?: true | 0,
  notOnForm?: readonly [stepUp: Integer, heldSince: Day] | 0,
  markedOn?: Day | 0,
  purchaseUnknown?: true | 0,
  marriedTo?: string | 0,
  debt?: readonly [maturity: Day | null, accrued: Integer, isAccruing?: true] | 0,
  plan?: readonly [offered: Day | null, paid: Integer, spread: Integer | null, discount: Integer | null],
];

/**
 * Converts a lot to JSON. Equal lots have equal texts. Zero means that a field is derived from the id or the quantity.
 */
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
    lot.givenOn,
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
  const { leavesLast = 0, notOnForm, markedOn = 0, purchaseUnknown = 0, marriedTo = 0, debt, plan } = lot;
  const hasTerms = debt !== undefined || plan !== undefined;
  if (!leavesLast && notOnForm === undefined && !markedOn && !purchaseUnknown && !marriedTo && !hasTerms)
    return JSON.stringify(packed);
  const shown = notOnForm === undefined ? 0 : [notOnForm.stepUp.toString(), notOnForm.heldSince];
  const terms = debt === undefined ? 0 : [debt.maturity, debt.accrued.toString(), ...(debt.isAccruing ? [true] : [])];
  const [paid, spread, discount] = [plan?.paid, plan?.spread, plan?.discount].map((cents) => cents?.toString() ?? null);
  const planned = plan === undefined ? 0 : [plan.offered, paid, spread, discount];
  const rare = [leavesLast, shown, markedOn, purchaseUnknown, marriedTo, terms, planned];
  return JSON.stringify([...packed, ...rare.slice(0, rare.findLastIndex((member) => member !== 0) + 1)]);
}

/** Returns whether two lots with the same id have the same text. */
export function isSameLot(a: OpenLot, b: OpenLot): boolean {
  return (
    a.quantity === b.quantity &&
    a.used === b.used &&
    a.wholeQuantity === b.wholeQuantity &&
    a.wholeBasis === b.wholeBasis &&
    a.basisTaken === b.basisTaken &&
    a.unitBasis === b.unitBasis &&
    a.unitQuantity === b.unitQuantity &&
    a.lossBasis === b.lossBasis &&
    a.lossTaken === b.lossTaken &&
    a.heldSince === b.heldSince &&
    a.children === b.children &&
    a.notOnForm?.stepUp === b.notOnForm?.stepUp &&
    a.notOnForm?.heldSince === b.notOnForm?.heldSince &&
    a.debt?.accrued === b.debt?.accrued &&
    a.debt?.maturity === b.debt?.maturity &&
    a.debt?.isAccruing === b.debt?.isAccruing &&
    a.plan?.offered === b.plan?.offered &&
    a.plan?.paid === b.plan?.paid &&
    a.plan?.spread === b.plan?.spread &&
    a.plan?.discount === b.plan?.discount &&
    isOfSameKind(a, b)
  );
}

/** Compares the fields that rarely or never change. */
function isOfSameKind(a: OpenLot, b: OpenLot): boolean {
  return (
    a.sequence === b.sequence &&
    a.acquired === b.acquired &&
    a.purchasedOn === b.purchasedOn &&
    a.restartedOn === b.restartedOn &&
    a.givenOn === b.givenOn &&
    a.adjusted === b.adjusted &&
    a.basisUnknown === b.basisUnknown &&
    a.covered === b.covered &&
    a.inherited === b.inherited &&
    a.leavesLast === b.leavesLast &&
    a.markedOn === b.markedOn &&
    a.purchaseUnknown === b.purchaseUnknown &&
    a.marriedTo === b.marriedTo &&
    a.account === b.account &&
    a.key === b.key &&
    a.asset === b.asset &&
    a.assetClass === b.assetClass &&
    a.shares === b.shares &&
    a.underlyingKey === b.underlyingKey &&
    a.right === b.right &&
    a.label === b.label &&
    a.origin === b.origin &&
    a.openedBy === b.openedBy
  );
}

export function unpackLot(text: string): OpenLot {
  const packed = JSON.parse(text) as Packed;
  // Read field by field, because destructuring an array goes through an iterator and takes twice as long as everything
  // else here.
  const id = packed[0];
  const quantity = BigInt(packed[8]);
  const lot: OpenLot = {
    id,
    origin: packed[1] === 0 ? id : packed[1],
    openedBy: packed[2] === 0 ? id.slice(0, id.indexOf('/')) : packed[2],
    label: packed[3],
    key: packed[4],
    asset: packed[5],
    assetClass: packed[6],
    account: packed[7],
    quantity,
    used: BigInt(packed[9]),
    wholeQuantity: packed[10] === 0 ? quantity : BigInt(packed[10]),
    wholeBasis: BigInt(packed[11]),
    basisTaken: BigInt(packed[12]),
    unitBasis: BigInt(packed[13]),
    unitQuantity: packed[14] === 0 ? quantity : BigInt(packed[14]),
    lossBasis: packed[15] === null ? null : BigInt(packed[15]),
    lossTaken: BigInt(packed[16]),
    givenOn: packed[17],
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
  if (packed[31]) Object.assign(lot, { leavesLast: true });
  const [notOnForm, markedOn] = [packed[32], packed[33]];
  if (notOnForm) lot.notOnForm = { stepUp: BigInt(notOnForm[0]), heldSince: notOnForm[1] };
  if (markedOn) Object.assign(lot, { markedOn });
  if (packed[34]) Object.assign(lot, { purchaseUnknown: true });
  if (packed[35]) lot.marriedTo = packed[35];
  const debt = packed[36];
  if (debt) lot.debt = { maturity: debt[0], accrued: BigInt(debt[1]), ...(debt[2] ? { isAccruing: true } : {}) };
  const plan = packed[37];
  if (plan !== undefined) {
    const [offered, paid, ...others] = plan;
    const [spread = null, discount = null] = others.map((cents) => (cents === null ? null : BigInt(cents)));
    lot.plan = { offered, paid: BigInt(paid), spread, discount };
  }
  return lot;
}

/** Converts a book without its lots to JSON. */
export function packWithoutLots(book: Book): string {
  return JSON.stringify(bookToJson({ ...book, pools: book.pools.map((pool) => ({ ...pool, lots: [] })) }));
}

export function unpackWithoutLots(text: string): Book {
  return bookFromJson(JSON.parse(text));
}

/** Returns a book with the lots put back into their pools. */
export function withLots(book: Book, lots: readonly OpenLot[]): Book {
  const byPool = Map.groupBy(lots, poolName);
  return { ...book, pools: book.pools.map((pool) => ({ ...pool, lots: byPool.get(poolName(pool)) ?? [] })) };
}

export function poolName({ key, account }: Pick<PoolState, 'key' | 'account'>): string {
  return `${key}\u0000${account}`;
}

/**
 * Returns the cost of a unit in 10⁻⁸ dollars, rounded down. Stored lots are sorted by it. Lots with equal cost are
 * compared exactly when they are read. A database index cannot contain numbers of arbitrary length, so costs above a
 * limit are all equal.
 */
export function computeUnitCost(lot: OpenLot): bigint {
  const scaled = lot.unitBasis * unit;
  const cost = scaled / lot.unitQuantity;
  if (cost > costMost) return costMost;
  return scaled < 0n && cost * lot.unitQuantity !== scaled ? cost - 1n : cost;
}

const unit = 10n ** 18n;
const costMost = 10n ** 400n;
