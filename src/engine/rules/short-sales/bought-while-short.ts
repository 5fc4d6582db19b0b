import { formatDay, lastDayOf, yearMax } from '../../../base/day.ts';
import { type Cents, formatCents, formatQuantity, proportion, type Quantity } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import type { OpenLot, OpenShort } from '../../book/book.ts';
import { type Fold, isRetirement } from '../../book/fold.ts';
import { remainingBasis } from '../../book/remaining.ts';

/**
 * Raises an issue for each account that is short an asset and holds units of it bought since. Many sources write `buy`
 * for the purchase that closes a short. Taken literally, it opens a lot, the short stays open, and its gain is never
 * realized (26 CFR 1.1233-1(a)(1)). This runs at the end of the history. The issues count as caused after every day, so
 * that a resumed replay drops them and decides again. It reads all lots of the account, so `findWorkingSet` loads the
 * whole book while a short is open.
 */
export function raiseBoughtWhileShort(fold: Fold): void {
  for (const [key, shorts] of fold.shorts) {
    for (const [account, own] of Map.groupBy(shorts, (short) => short.account)) {
      if (isRetirement(fold, account)) continue;
      const open = own.filter(({ quantity }) => quantity > 0n).sort((a, b) => a.sequence - b.sequence);
      const [first] = open;
      if (first === undefined) continue;
      const lots = [...(fold.pools.get(key)?.get(account)?.lots.values() ?? [])].filter(
        (lot) =>
          lot.quantity > 0n && lot.purchasedOn !== null && lot.purchasedOn >= first.on && lot.sequence > first.sequence,
      );
      const [bought] = lots.sort((a, b) => a.acquired - b.acquired || a.sequence - b.sequence);
      if (bought !== undefined) raiseFor(fold, open, lots, { first, bought });
    }
  }
}

/** The earliest open short, and the first lot bought since. */
interface Pair {
  readonly first: OpenShort;
  readonly bought: OpenLot;
}

function raiseFor(fold: Fold, shorts: readonly OpenShort[], lots: readonly OpenLot[], { first, bought }: Pair): void {
  const units = least(sumUnits(shorts), sumUnits(lots));
  const proceeds = amountFor(units, shorts, ({ wholeProceeds, proceedsTaken }) => wholeProceeds - proceedsTaken);
  const cost = amountFor(units, lots, remainingBasis);
  const gain = proceeds - cost;
  const [size, result] = gain < 0n ? [-gain, 'loss'] : [gain, 'gain'];
  const { account, asset } = first;
  const on = bought.purchasedOn ?? bought.acquired;
  fold.facts.push({
    kind: 'issue',
    causedOn: endOfDays,
    id: `${first.id}/unreconciled/${account}/bought`,
    issue: 'unreconciled',
    on,
    asset,
    account,
    transactions: [bought.openedBy, first.openedBy],
    dollars: size as Cents,
    detail:
      `${account} has been short ${asset} since ${formatDay(first.on)}, and bought it on ${formatDay(on)} in a row that is not a cover. ` +
      `Both count as open. If the purchase closed the short, change its type to cover: ${formatQuantity(units as Quantity)} units then make a ${result} of ` +
      `$${formatCents(size as Cents)}. If both positions are open, accept this issue.`,
  });
}

function sumUnits(positions: readonly { readonly quantity: bigint }[]): bigint {
  return positions.reduce((units, { quantity }) => units + quantity, 0n);
}

/** Returns the amount for the first `units` units. */
function amountFor<Position extends { readonly quantity: bigint }>(
  units: bigint,
  positions: readonly Position[],
  amountOf: (position: Position) => bigint,
): bigint {
  let [left, amount] = [units, 0n];
  for (const position of positions) {
    const part = least(left, position.quantity);
    amount += proportion(amountOf(position), part, position.quantity);
    left -= part;
  }
  return amount;
}

const endOfDays = lastDayOf(yearMax);
