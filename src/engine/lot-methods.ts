import type { OpenLot } from './book/book.ts';
import type { AssetClass } from './statement.ts';

/**
 * A lot method is the order in which lots leave. Everything that depends on the method of an account stands in its row
 * here: the engine, the queries, the settings, the documents and the tests read it from this table.
 *
 * FIFO is the rule unless lots are identified (26 CFR 1.1012-1(c)(1), (j)(3)(i)); the others are standing orders, that
 * is specific identification (1.1012-1(c)(8)). AVERAGE takes shares in the order of FIFO and their basis from the pool
 * (1.1012-1(e)(7)).
 */
export interface LotMethodRow {
  /** What leaves first, in words. */
  readonly words: string;
  /**
   * Total: no two lots of a pool are equal, so that the choice never depends on how the lots came to lie in memory.
   */
  readonly order: LotOrder;
  /**
   * A number near what the order asks first, the same to 15 digits: it decides nearly every comparison, and where two are
   * too close to call the order does (`heap.ts`).
   */
  readonly rank: (lot: OpenLot) => number;
  /** The order of stored lots in SQL that agrees with `order`; null where none does, so that a pool is read whole. */
  readonly storedOrder: StoredOrder | null;
  /** Whether the order depends on how many units lots have left, so that each part sold of one changes its place. */
  readonly dependsOnUnits: boolean;
  /** Whether the pool says the basis of what leaves, and not the lot; then no row can name lots. */
  readonly isAveraged: boolean;
  /** Asset classes for which it may be elected; null for all. */
  readonly assetClasses: readonly AssetClass[] | null;
  /** Whether a standing order, or an allocation of the universal pool, can name it. */
  readonly identifiesLots: boolean;
}

export type LotOrder = (a: OpenLot, b: OpenLot) => number;
/** By the columns of the table `lots`: acquired and sequence, or unit_cost. */
export type StoredOrder = 'oldest' | 'newest' | 'highest_cost' | 'lowest_cost';

const table = {
  FIFO: {
    words: 'first in, first out',
    order: (a, b) => a.acquired - b.acquired || withinPurchase(a, b),
    rank: (lot) => lot.acquired,
    storedOrder: 'oldest',
    dependsOnUnits: false,
    isAveraged: false,
    assetClasses: null,
    identifiesLots: true,
  },
  LIFO: {
    words: 'last in, first out',
    order: (a, b) => b.acquired - a.acquired || b.sequence - a.sequence || fragments(a, b),
    rank: (lot) => -lot.acquired,
    storedOrder: 'newest',
    dependsOnUnits: false,
    isAveraged: false,
    assetClasses: null,
    identifiesLots: true,
  },
  HIFO: {
    words: 'highest cost first',
    order: (a, b) => compareUnitBasis(b, a) || a.acquired - b.acquired || withinPurchase(a, b),
    rank: (lot) => -unitBasisNear(lot),
    storedOrder: 'highest_cost',
    dependsOnUnits: false,
    isAveraged: false,
    assetClasses: null,
    identifiesLots: true,
  },
  LOFO: {
    words: 'lowest cost first',
    order: (a, b) => compareUnitBasis(a, b) || a.acquired - b.acquired || withinPurchase(a, b),
    rank: (lot) => unitBasisNear(lot),
    storedOrder: 'lowest_cost',
    dependsOnUnits: false,
    isAveraged: false,
    assetClasses: null,
    identifiesLots: true,
  },
  // For shares of funds only (IRC 1012(d); 26 CFR 1.1012-1(e)(1)), an election of its own (1.1012-1(e)(9)).
  AVERAGE: {
    words: 'average basis',
    order: (a, b) => a.acquired - b.acquired || withinPurchase(a, b),
    rank: (lot) => lot.acquired,
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

/** Whether stored lots are ordered by their unit cost, which is stored for such methods alone. */
export function isByCost(order: StoredOrder | null): boolean {
  return order === 'highest_cost' || order === 'lowest_cost';
}

/** Whether an asset of a class can be sold by a method. */
export function isAllowed(method: LotMethod, assetClass: AssetClass): boolean {
  return lotMethodTable[method].assetClasses?.includes(assetClass) ?? true;
}

/** No number where the integers are beyond what a double can be near. */
function unitBasisNear(lot: OpenLot): number {
  const [basis, quantity] = [Number(lot.unitBasis), Number(lot.unitQuantity)];
  return Math.abs(basis) < 1e300 && quantity < 1e300 ? basis / quantity : Number.NaN;
}

function withinPurchase(a: OpenLot, b: OpenLot): number {
  return a.sequence - b.sequence || fragments(a, b);
}

/**
 * Of one purchase the fragments that wash sales adjusted leave first, in the order in which they were cut off, then
 * other fragments, then the rest; or, where it was elected, the adjusted ones last (DOMAIN.md section 9, P6).
 */
function fragments(a: OpenLot, b: OpenLot): number {
  if (a.leavesLast !== b.leavesLast) return a.leavesLast ? 1 : -1;
  if (a.adjusted !== b.adjusted) return a.adjusted ? -1 : 1;
  if (a.id.length !== b.id.length && a.id.startsWith(b.id)) return -1;
  if (a.id.length !== b.id.length && b.id.startsWith(a.id)) return 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** By fractions: a cent-rounded quotient would flip ties. */
function compareUnitBasis(a: OpenLot, b: OpenLot): number {
  const left = a.unitBasis * b.unitQuantity;
  const right = b.unitBasis * a.unitQuantity;
  return left < right ? -1 : left > right ? 1 : 0;
}
