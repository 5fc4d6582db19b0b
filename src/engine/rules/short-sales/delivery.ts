import { type Cents, centsToMoney, type Money, proportion, type Quantity } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import type { OpenLot } from '../../book/book.ts';
import { type Fold, getOrCreatePool, noteTransaction, raise, roundCarrying } from '../../book/fold.ts';
import { getOrCreateList } from '../../book/keyed.ts';
import { addLot, type Slice, takeByLabel, takeByMethod } from '../../book/lots.ts';
import { dollars, optionPurchase, type TransactionEvent, tradeFee } from '../../events/event.ts';
import { lotMethodTable } from '../../lot-methods.ts';
import type { Disposal } from '../../model.ts';
import { sum } from '../lots/holding-periods.ts';
import { howChosen, howNamed, resolveLotSelection } from '../lots/identification.ts';
import { raiseUnreadable } from '../lots/sale-issues.ts';
import { resolveLotAccount } from '../lots/take.ts';
import { matchPurchase } from '../wash-sales/wash.ts';
import type { ShortDelivery } from './closing.ts';

/**
 * Returns the units that close a short sale: owned lots that the row names, up to the units short, then the units
 * bought. If nothing was paid, nothing was bought, so other lots are delivered, and missing units have an unknown
 * basis.
 */
export function deliver(fold: Fold, event: TransactionEvent, quantity: bigint, excess: bigint): ShortDelivery[] {
  const { tx } = event;
  const pool = getOrCreatePool(
    fold,
    event.key,
    resolveLotAccount(fold.rules, event.assetClass, event.account, event.on),
  );
  noteTransaction(pool, tx.id);
  const chooser = resolveLotSelection(fold, event, event.account);
  const { method } = chooser;
  const shorts = new Set(getOrCreateList(fold.shorts, event.key).map((short) => short.label));
  const deliveries: ShortDelivery[] = [];
  let missing = quantity;
  const keep = (slices: Slice[], identified: Disposal['identified']): void => {
    for (const { lot, quantity: units, basis, lossBasis, notOnForm, plan } of slices) {
      const owned = { lot: { ...lot }, owned: true, plan, identified };
      deliveries.push({ quantity: units, basis, lossBasis, notOnForm, ...owned });
      missing -= units;
    }
  };
  const amount = dollars(tx, tx.amount);
  const isDelivery = amount === 0n;
  const names = tx.lots.filter(({ label }) => !shorts.has(label));
  const averaged = lotMethodTable[method].isAveraged;
  const byName = names.length === 0 || averaged ? 'identified' : howNamed(fold, event, chooser);
  // If lots were identified too late, or the shares are averaged (1.1012-1(e)(7)(ii)), the named lots only determine
  // the number of units delivered.
  const byMethod = averaged || byName === null ? least(sum(names), missing) : 0n;
  for (const choice of averaged || byName === null ? [] : names) {
    const units = least(choice.quantity, missing);
    if (units === 0n) break;
    const slices = takeByLabel(pool, choice.label, units, method);
    const detail = `The lot ${choice.label} named for delivery is not in ${event.account}.`;
    if (sum(slices) < units) raise(fold, event, 'lot_not_found', detail, { suffix: choice.label });
    keep(slices, byName ?? 'late');
  }
  const others = isDelivery ? missing : byMethod;
  if (others > 0n) keep(takeByMethod(pool, others, method), howChosen(fold, event, chooser, byName !== 'identified'));
  const bought = isDelivery ? missing : missing + excess;
  if (bought === 0n) return deliveries;
  const basisUnknown = amount === null || isDelivery;
  if (amount === null) raiseUnreadable(fold, event, 'amount');
  const basis = amount === null ? 0n : roundCarrying(fold, `basis ${event.key}`, (amount + tradeFee(tx)) as Money);
  const purchase = isDelivery ? { purchaseUnknown: true as const } : {};
  const lot = { ...boughtLot(event, bought, basis), account: pool.account, basisUnknown, ...purchase };
  const kept = isDelivery ? 0n : keepExcess(fold, event, lot, excess);
  if (missing === 0n) return deliveries;
  const rest = { quantity: missing, basis: basis - kept, lossBasis: null, notOnForm: undefined, lot, owned: false };
  return [...deliveries, { ...rest, identified: tx.lots.length > 0 ? 'identified' : 'default' }];
}

/** Keeps units bought in excess of the short as a lot. Returns their share of the cost, in cents. */
function keepExcess(fold: Fold, event: TransactionEvent, bought: OpenLot, excess: bigint): bigint {
  if (excess === 0n) return 0n;
  const basis = proportion(bought.wholeBasis, excess, bought.quantity);
  const kept: OpenLot = {
    ...bought,
    id: `${event.tx.id}/1:excess`,
    quantity: excess,
    wholeQuantity: excess,
    wholeBasis: basis,
    unitBasis: basis * 1_000_000n,
    unitQuantity: excess,
    sequence: fold.sequence++,
  };
  addLot(fold, getOrCreatePool(fold, kept.key, kept.account), kept);
  matchPurchase(fold, kept);
  return basis;
}

/** Returns a lot for units that are bought and delivered at once. */
export function boughtLot(event: TransactionEvent, quantity: bigint, basis: bigint): OpenLot {
  const purchase = optionPurchase(event, quantity as Quantity, centsToMoney(basis as Cents));
  const id = `${event.tx.id}/1`;
  return {
    ...{ id, origin: id, openedBy: event.tx.id, label: event.tx.externalId, key: event.key, asset: event.asset },
    ...{ assetClass: event.assetClass, account: event.account, quantity, used: 0n },
    ...{
      wholeQuantity: quantity,
      wholeBasis: basis,
      basisTaken: 0n,
      unitBasis: basis * 1_000_000n,
      unitQuantity: quantity,
    },
    ...{ lossBasis: null, lossTaken: 0n, givenOn: null, acquired: event.on, heldSince: event.on },
    ...{
      inherited: false,
      restartedOn: null,
      purchasedOn: event.on,
      sequence: 0,
      children: 0,
      adjusted: false,
      basisUnknown: false,
    },
    covered: purchase.coveredFrom !== null && event.on >= purchase.coveredFrom,
    ...{ shares: purchase.shares, underlyingKey: purchase.underlyingKey, right: purchase.right },
  };
}
