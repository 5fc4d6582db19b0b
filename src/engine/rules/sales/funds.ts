import { type Day, dayOf, formatDay } from '../../../base/day.ts';
import { proportion, roundToCents } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import type { Distribution } from '../../book/book.ts';
import type { Fold } from '../../book/fold.ts';
import type { IncomeEvent } from '../../events/event.ts';
import type { AssetClass } from '../../model.ts';
import { divideSlice, isLong, type SoldSlice, sum } from '../lots/holding-periods.ts';

/**
 * Records a capital gain distribution. A loss on shares of a fund or a REIT held six months or less is long-term up to
 * the capital gain distributions on them (IRC 852(b)(4)(A), 857(b)(8)(A); Pub. 550, "Mutual fund shares held 6 months
 * or less"). A row states the distribution to an account, and each share held that day received an equal part. The six
 * months start with the purchase of the shares, without the days that a wash sale adds (246(c)(3)(B)).
 */
export function rememberDistribution(fold: Fold, event: IncomeEvent): void {
  if (event.tx.type !== 'capital_gain_distribution' || !paysGains(event.assetClass) || event.amount === null) return;
  const pool = fold.pools.get(event.key)?.get(event.account);
  const quantity = sum([...(pool?.lots.values() ?? [])].filter((lot) => lot.acquired < event.on));
  const paid = roundToCents(event.amount);
  if (quantity <= 0n || paid <= 0n) return;
  fold.distributions.push({ key: event.key, account: event.account, on: event.on, quantity, paid });
}

/** Divides slices sold at a loss into shares whose loss is long-term and other shares, in proportion to the loss. */
export function markLongTermLosses(
  fold: Fold,
  slices: readonly SoldSlice[],
  proceeds: bigint,
  units: bigint,
  on: Day,
): readonly SoldSlice[] {
  if (fold.distributions.length === 0) return slices;
  return slices.flatMap((slice) => {
    const loss = slice.basis - proportion(proceeds, slice.quantity, units);
    const paid = loss <= 0n ? 0n : paidOn(fold.distributions, slice, on);
    if (paid === 0n) return [slice];
    const shares = (slice.quantity * least(paid, loss)) / loss;
    const [first, ...rest] = divideSlice(slice, shares);
    return first === undefined ? [] : [{ ...first, lossLongTerm: shares > 0n }, ...rest];
  });
}

function paidOn(distributions: readonly Distribution[], { lot, quantity, lossBasis }: SoldSlice, on: Day): bigint {
  if (!paysGains(lot.assetClass) || lossBasis !== null || isLong(lot, on) || on >= overSixMonthsOn(lot.acquired))
    return 0n;
  return distributions
    .filter((one) => one.key === lot.key && one.account === lot.account && one.on > lot.acquired && one.on <= on)
    .reduce((paid, one) => paid + proportion(one.paid, quantity, one.quantity), 0n);
}

/**
 * Returns whether an asset may pay capital gain distributions: funds, and REITs, which are stock. Other stock is not
 * affected, because it pays none.
 */
function paysGains(assetClass: AssetClass): boolean {
  return assetClass === 'fund' || assetClass === 'stock';
}

/** Returns the first day when property has been held for more than six calendar months. */
function overSixMonthsOn(acquired: Day): Day {
  const [year = 0, month = 0, day = 0] = formatDay((acquired + 1) as Day)
    .split('-')
    .map(Number);
  const months = month + 6;
  const [inYear, inMonth] = months > 12 ? [year + 1, months - 12] : [year, months];
  // If the target month is too short, this is the first day of the month after it.
  return dayOf(inYear, inMonth, day) ?? dayOf(inYear, inMonth + 1, 1) ?? acquired;
}
