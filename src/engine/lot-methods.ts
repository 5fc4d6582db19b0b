import type { AssetClass } from './statement-values.ts';

/**
 * A lot method: the order in which lots are sold. Everything that depends on the lot method is in its row here. The
 * engine, the queries, the settings, the documents and the tests read this table.
 *
 * FIFO applies unless lots are identified (26 CFR 1.1012-1(c)(1), (j)(3)(i)). The other orders are standing orders,
 * which are a form of specific identification (1.1012-1(c)(8)). AVERAGE takes shares in FIFO order and their basis from
 * the pool (1.1012-1(e)(7)).
 */
export interface LotMethodRow {
  /** The name that brokers use for it. */
  readonly words: string;
  /** A total order. No two lots of a pool are equal, so the result does not depend on their order in memory. */
  readonly order: LotOrder;
  /**
   * A double near the first key of `order`, accurate to 15 digits. Nearly every comparison uses it. If two ranks are
   * too close, `order` decides (`heap.ts`).
   */
  readonly rank: (lot: OrderedLot) => number;
  /** The SQL order of stored lots that matches `order`. If it is null, the whole pool is read. */
  readonly storedOrder: StoredOrder | null;
  /** Whether the order depends on the units left in a lot, so that each partial sale changes the lot's position. */
  readonly dependsOnUnits: boolean;
  /** Whether the basis of a slice comes from the pool instead of the lot. If so, no row can identify lots. */
  readonly isAveraged: boolean;
  /** The asset classes that may elect it, or null for all. */
  readonly assetClasses: readonly AssetClass[] | null;
  /** Whether a standing order can name it. Allocations of the universal pool follow separate rules. */
  readonly identifiesLots: boolean;
}

export type LotOrder = (a: OrderedLot, b: OrderedLot) => number;
/** The fields that the order of lots can depend on. `OpenLot` (book/book.ts) has them. */
export interface OrderedLot {
  readonly id: string;
  readonly acquired: number;
  /** The position of its purchase in the order of events. */
  readonly sequence: number;
  readonly quantity: bigint;
  /** `unitBasis` divided by `unitQuantity` is the unrounded unit basis. */
  readonly unitBasis: bigint;
  readonly unitQuantity: bigint;
  /**
   * Whether it is a fragment adjusted by a wash sale. `leavesLast` means that it is sold after the other units of its
   * purchase (P6).
   */
  readonly adjusted: boolean;
  readonly leavesLast?: boolean | undefined;
}

/** An order of the rows in the table `lots`: by acquired and sequence, or by unit_cost. */
export type StoredOrder = 'oldest' | 'newest' | 'highest_cost' | 'lowest_cost';

const table = {
  FIFO: {
    words: 'First in, first out',
    order: (a, b) => a.acquired - b.acquired || withinPurchase(a, b),
    rank: acquiredNear,
    storedOrder: 'oldest',
    dependsOnUnits: false,
    isAveraged: false,
    assetClasses: null,
    identifiesLots: true,
  },
  LIFO: {
    words: 'Last in, first out',
    order: (a, b) => b.acquired - a.acquired || b.sequence - a.sequence || fragments(a, b),
    rank: (lot) => -acquiredNear(lot),
    storedOrder: 'newest',
    dependsOnUnits: false,
    isAveraged: false,
    assetClasses: null,
    identifiesLots: true,
  },
  HIFO: {
    words: 'Highest cost first',
    order: (a, b) => compareUnitBasis(b, a) || a.acquired - b.acquired || withinPurchase(a, b),
    rank: (lot) => -unitBasisNear(lot),
    storedOrder: 'highest_cost',
    dependsOnUnits: false,
    isAveraged: false,
    assetClasses: null,
    identifiesLots: true,
  },
  LOFO: {
    words: 'Lowest cost first',
    order: (a, b) => compareUnitBasis(a, b) || a.acquired - b.acquired || withinPurchase(a, b),
    rank: (lot) => unitBasisNear(lot),
    storedOrder: 'lowest_cost',
    dependsOnUnits: false,
    isAveraged: false,
    assetClasses: null,
    identifiesLots: true,
  },
  // Only for fund shares (IRC 1012(d); 26 CFR 1.1012-1(e)(1)), by a separate election (1.1012-1(e)(9)).
  AVERAGE: {
    words: 'Average basis',
    order: (a, b) => a.acquired - b.acquired || withinPurchase(a, b),
    rank: acquiredNear,
    storedOrder: null,
    dependsOnUnits: false,
    isAveraged: true,
    assetClasses: ['fund'],
    identifiesLots: false,
  },
} as const satisfies Readonly<Record<string, LotMethodRow>>;

export type LotMethod = keyof typeof table;
/** Methods that a standing order can name. */
export type OrderMethod = { [M in LotMethod]: (typeof table)[M]['identifiesLots'] extends true ? M : never }[LotMethod];

export const lotMethodTable: Readonly<Record<LotMethod, LotMethodRow>> = table;
export const lotMethods = Object.keys(table) as [LotMethod, ...LotMethod[]];
export const orderMethods = lotMethods.filter((method) => table[method].identifiesLots) as [
  OrderMethod,
  ...OrderMethod[],
];

/** Returns whether an order sorts stored lots by unit cost. The unit cost is stored only for such orders. */
export function isByCost(order: StoredOrder | null): boolean {
  return order === 'highest_cost' || order === 'lowest_cost';
}

/** Returns whether assets of a class may be sold by a method. */
export function isAllowed(method: LotMethod, assetClass: AssetClass): boolean {
  return lotMethodTable[method].assetClasses?.includes(assetClass) ?? true;
}

/** Returns the cost of a unit as a double, or NaN if the integers are too large for doubles. */
function unitBasisNear(lot: OrderedLot): number {
  const [basis, quantity] = [Number(lot.unitBasis), Number(lot.unitQuantity)];
  return Math.abs(basis) < 1e300 && quantity < 1e300 ? basis / quantity : Number.NaN;
}

/** Returns the day of acquisition, and the position of the purchase as a fraction of a day. */
function acquiredNear({ acquired, sequence }: OrderedLot): number {
  return acquired + Math.min(sequence, positionsMax - 1) / positionsMax;
}

/** From this position on, purchases of a day have the same rank. */
const positionsMax = 2 ** 24;

function withinPurchase(a: OrderedLot, b: OrderedLot): number {
  return a.sequence - b.sequence || fragments(a, b);
}

/**
 * Compares lots within one purchase. Fragments adjusted by wash sales come first, in the order in which they were split
 * off, then other fragments, then the remaining lot. If elected, the adjusted fragments come last (DECISIONS.md, P6).
 */
function fragments(a: OrderedLot, b: OrderedLot): number {
  if (a.leavesLast !== b.leavesLast) return a.leavesLast ? 1 : -1;
  if (a.adjusted !== b.adjusted) return a.adjusted ? -1 : 1;
  if (a.id.length > b.id.length && a.id.startsWith(b.id)) return -1;
  if (a.id.length < b.id.length && b.id.startsWith(a.id)) return 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Compares as fractions, because rounding a quotient to cents would create ties. */
function compareUnitBasis(a: OrderedLot, b: OrderedLot): number {
  const left = a.unitBasis * b.unitQuantity;
  const right = b.unitBasis * a.unitQuantity;
  return left < right ? -1 : left > right ? 1 : 0;
}
