import type { Day } from '../base/day.ts';
import { type Cents, formatCents } from '../base/decimal.ts';
import { isDigital } from '../engine/events/classes.ts';
import type { AssetClass, Term, TransactionType } from '../engine/model.ts';
import { rowOf } from '../engine/transaction-types.ts';
import type { ReportBooks, ReportedGift } from './report.ts';

/** How property was acquired, in the words of Form 8283. The last one is Lotbook's own. */
export const acquisitionWords = {
  purchase: 'Purchase',
  gift: 'Gift',
  inheritance: 'Inheritance',
  exchange: 'Exchange',
  income: 'Income in kind',
} as const;
type AcquiredHow = keyof typeof acquisitionWords;

/** One lot or part of a lot for Form 8283, with its deductible amount. */
export interface PropertyGift {
  readonly gift: ReportedGift;
  /** Null if the books do not contain the acquisition. */
  readonly how: AcquiredHow | null;
  /** Null if the purchase is unknown. */
  readonly acquired: Day | null;
  readonly term: Term | null;
  /** Null if unknown. */
  readonly basis: Cents | null;
  /**
   * For a donation: the value if the property was held more than a year, or else the lesser of value and basis (IRC
   * 170(e)(1)(A)).
   */
  readonly deductible: Cents | null;
  /**
   * Whether a donation needs a qualified appraisal, because donations of this kind of property exceed $5,000 in the
   * year.
   */
  readonly appraisal: boolean;
}

/** Form 8283 is required if the year's noncash donations exceed this amount. */
const formFrom = 500_00n;
/**
 * Similar items that exceed this amount need a qualified appraisal, unless they are publicly traded securities (IRC
 * 170(f)(11)(C)).
 */
const appraisalFrom = 5_000_00n;

export function listPropertyGifts({ gifts }: Pick<ReportBooks, 'gifts'>): PropertyGift[] {
  const rows = gifts.map((gift) => ({ gift, deductible: computeDeductible(gift) }));
  const claimed = new Map<string, bigint>();
  for (const { gift, deductible } of rows) {
    const kind = kindOf(gift);
    // An unknown deductible amount may exceed the limit, so the value is used as the upper bound. Without a value,
    // nothing can be claimed yet.
    claimed.set(kind, (claimed.get(kind) ?? 0n) + (deductible ?? gift.value ?? 0n));
  }
  return rows.map(({ gift, deductible }) => ({
    gift,
    deductible,
    how: howAcquired(gift.acquiredBy),
    acquired: gift.basisUnknown ? null : gift.acquired,
    term: gift.basisUnknown ? null : gift.term,
    basis: gift.basisUnknown ? null : gift.basis,
    appraisal:
      gift.type === 'donate' && !isPubliclyTraded(gift.assetClass) && (claimed.get(kindOf(gift)) ?? 0n) > appraisalFrom,
  }));
}

/** Returns remarks about the year's donations. */
export function donationRemarks(gifts: readonly PropertyGift[]): readonly string[] {
  const donated = gifts.filter(({ gift }) => gift.type === 'donate');
  if (donated.length === 0) return [];
  const total = donated.reduce((sum, { deductible, gift }) => sum + (deductible ?? gift.value ?? 0n), 0n);
  const unvalued = donated.filter(({ gift }) => gift.value === null).length;
  const needAppraisal = [...new Set(donated.filter(({ appraisal }) => appraisal).map(({ gift }) => gift.asset))];
  return [
    ...(unvalued === 0
      ? []
      : [
          `${unvalued} donated ${unvalued === 1 ? 'lot has' : 'lots have'} no fair market value. Enter the value on the day of the gift in the row.`,
        ]),
    ...(total > formFrom
      ? [
          `Noncash donations total $${formatCents(total as Cents)}. Over $500, they need Form 8283. A gift of $250 or more needs a written acknowledgment from the charity (IRC 170(f)(8)).`,
        ]
      : []),
    ...(needAppraisal.length === 0
      ? []
      : [
          `${needAppraisal.join(', ')}: over $5,000 in the year, this needs a qualified appraisal and Section B of Form 8283 (IRC 170(f)(11)(C)). For digital assets, an exchange price is not a substitute (CCA 202302012).`,
        ]),
    'The deductible amount assumes a gift to a public charity, before the income limits. For coins given to a private foundation, it is limited to the basis (IRC 170(e)(1)(B)(ii)).',
  ];
}

function computeDeductible({ type, value, basis, basisUnknown, term }: ReportedGift): Cents | null {
  if (type !== 'donate' || value === null) return null;
  if (term === 'long' && !basisUnknown) return value;
  // An unknown basis may be zero, so the lesser of the two is unknown.
  return basisUnknown ? null : basis < value ? basis : value;
}

/** Returns the kind of similar items. All digital assets are one kind. Any other asset is its own kind. */
function kindOf({ type, asset, assetClass }: ReportedGift): string {
  return isDigital(assetClass) ? `${type} digital` : `${type} ${asset}`;
}

/** Assumes that stocks, funds and bonds are publicly traded. Digital assets are not (CCA 202302012). */
function isPubliclyTraded(assetClass: AssetClass): boolean {
  return publiclyTraded.has(assetClass);
}

const publiclyTraded: ReadonlySet<AssetClass> = new Set(['stock', 'fund', 'bond', 'option']);

function howAcquired(type: TransactionType | null): AcquiredHow | null {
  if (type === null) return null;
  if (type === 'gift_in') return 'gift';
  if (type === 'inherit') return 'inheritance';
  if (exchanges.has(type)) return 'exchange';
  if (unexplained.has(type)) return null;
  return rowOf(type).income === undefined || rowOf(type).tradeFee !== undefined ? 'purchase' : 'income';
}

const exchanges: ReadonlySet<TransactionType> = new Set([
  'trade',
  'merger',
  'spinoff',
  'split',
  'rename',
  'exercise',
  'assign',
]);
/** Types that add property but do not show how it was acquired. */
const unexplained: ReadonlySet<TransactionType> = new Set(['deposit', 'transfer', 'opening_lot']);
