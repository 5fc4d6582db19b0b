import { type Cents, divideRounded, formatCents } from '../../../base/decimal.ts';
import { followsFirstRules } from '../../book/deferral.ts';
import { type Fold, raise } from '../../book/fold.ts';
import type { DisposeEvent } from '../../events/event.ts';
import type { TakenLots } from '../lots/take.ts';
import { isHeldFor } from './include.ts';

/**
 * Applies the election for an interest in an opportunity fund held for ten years: its basis is its value when sold, so
 * its growth is not taxed (IRC 1400Z-2(c)). An issue is raised if the taxpayer has not decided. For an investment in
 * 2027 or later, the value no longer increases after 30 years (1400Z-2(c)(2)). That value is not stored, so an issue is
 * raised then too.
 */
export function electBasisAtSale(fold: Fold, event: DisposeEvent, taken: TakenLots, proceeds: bigint): TakenLots {
  if (fold.fundInterests.size === 0) return taken;
  const isElected = fold.rules.assets?.[event.asset]?.basisAtSale;
  const total = taken.slices.reduce((units, slice) => units + slice.quantity, taken.missing);
  let [units, dealt, growth] = [0n, 0n, 0n];
  let isFixed = false;
  const slices = taken.slices.map((slice) => {
    units += slice.quantity;
    const upTo = divideRounded(proceeds * units, total);
    const gain = upTo - dealt - slice.basis;
    dealt = upTo;
    const invested = fold.fundInterests.get(slice.lot.origin);
    if (invested === undefined || gain <= 0n || !isHeldFor(invested, 10, event.on)) return slice;
    growth += gain;
    if (!followsFirstRules(invested) && isHeldFor(invested, 30, event.on)) {
      isFixed = isElected !== false;
      return slice;
    }
    return isElected === true ? { ...slice, basis: slice.basis + gain } : slice;
  });
  if (isFixed) raiseFixedValue(fold, event, growth as Cents);
  else if (growth > 0n && isElected === undefined) raiseElection(fold, event, growth as Cents);
  return { ...taken, slices };
}

function raiseElection(fold: Fold, event: DisposeEvent, growth: Cents): void {
  const detail =
    `${event.asset} was held for ten years. If you elect it, its basis is its value when sold, and its gain of $${formatCents(growth)} is ` +
    'not taxed (IRC 1400Z-2(c)). The gain counts until you select in the asset settings whether you elect it.';
  raise(fold, event, 'deferral_in_doubt', detail, { dollars: growth, suffix: 'ten' });
}

function raiseFixedValue(fold: Fold, event: DisposeEvent, growth: Cents): void {
  const detail =
    `${event.asset} was held for more than 30 years. If you elect it, its basis is its value 30 years after the investment (IRC 1400Z-2(c)(2)). ` +
    `That value is unknown here, so the gain of $${formatCents(growth)} counts in full.`;
  raise(fold, event, 'deferral_in_doubt', detail, { dollars: growth, suffix: 'thirty' });
}
