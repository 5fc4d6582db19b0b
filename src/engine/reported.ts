import { formatDay } from '../base/day.ts';
import type { Cents, Quantity } from '../base/decimal.ts';
import { boxForTerm } from './box.ts';
import { type Act, dollars } from './event.ts';
import { type Fold, isRetirement, poolOf, raise, settle } from './fold.ts';
import { dispose, lineOf, termOf } from './sale.ts';
import { lotAccountOf } from './take.ts';

/**
 * A sale as a broker's form tells it. Where the account's own history holds the units they are sold like any others,
 * for these proceeds; where it does not, the broker's line stands with its basis, box and wash amount (i8949, code W).
 */
export function writeReported(fold: Fold, event: Act): void {
  const { tx } = event;
  const proceeds = dollars(tx, tx.amount);
  const quantity = tx.quantity ?? (0n as Quantity);
  if (proceeds === null)
    raise(fold, event, 'value_missing', `The proceeds of ${event.asset} are not stated in dollars.`);
  if (quantity > 0n && isHeld(fold, event, quantity)) {
    dispose(fold, { ...event, kind: 'dispose', quantity, proceeds, purpose: 'sale', fromReceived: false });
    return;
  }
  if (isRetirement(fold, event.account)) return;
  const basis = dollars(tx, tx.basis);
  const wash = dollars(tx, tx.wash);
  const acquired = tx.acquired ?? tx.on;
  const term = tx.term ?? termOf(false, acquired, tx.on);
  const line = lineOf(fold, event, 0, term, basis !== null, { sold: tx.on, expired: null });
  const stated = tx.box === null ? {} : { box: boxForTerm(tx.box, term), boxReason: `The form says box ${tx.box}.` };
  const adjustment = wash === null ? 0n : settle(fold, `wash ${event.key}`, wash);
  fold.facts.push({
    ...line,
    ...stated,
    lotId: `${tx.id}/reported`,
    asset: event.asset,
    assetClass: event.assetClass,
    quantity,
    acquired,
    heldSince: acquired,
    inherited: false,
    proceeds: settleOrZero(fold, `proceeds ${event.key}`, proceeds),
    basis: settleOrZero(fold, `basis ${event.key}`, basis),
    basisUnknown: basis === null,
    identified: 'default',
    code: adjustment === 0n ? '' : 'W',
    adjustment: adjustment as Cents,
    ...(tx.acquired === null ? { acquiredVarious: true as const } : {}),
  });
  if (basis !== null) return;
  const detail = `The form does not say the basis of ${event.asset} sold on ${formatDay(tx.on)}: it stands as zero.`;
  raise(fold, event, 'basis_missing', detail, { dollars: settleOrZero(fold, '', proceeds) });
}

function isHeld(fold: Fold, event: Act, quantity: bigint): boolean {
  const pool = poolOf(fold, event.key, lotAccountOf(fold.rules, event.assetClass, event.account, event.on));
  let held = 0n;
  for (const lot of pool.lots.values()) {
    held += lot.quantity;
    if (held >= quantity) return true;
  }
  return false;
}

function settleOrZero(fold: Fold, name: string, amount: ReturnType<typeof dollars>): Cents {
  return amount === null ? (0n as Cents) : settle(fold, name, amount);
}
