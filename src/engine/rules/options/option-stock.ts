import { addDays, type Day } from '../../../base/day.ts';
import { type Cents, centsToMoney, type Money, type Quantity, zeroMoney } from '../../../base/decimal.ts';
import { createAllocator, least } from '../../book/amounts.ts';
import type { NotOnForm1099, OpenLot } from '../../book/book.ts';
import { type Fold, roundCarrying } from '../../book/fold.ts';
import type { Slice } from '../../book/lots.ts';
import { withNotOnForm } from '../../book/not-on-form-1099.ts';
import {
  type AcquireEvent,
  daysCoveredFrom,
  dollars,
  optionPurchase,
  sharesPerContract,
  type TransactionEvent,
  tradeFee,
} from '../../events/event.ts';
import { toAssetKey, underlyingOf } from '../../events/keys.ts';
import { raiseUnreadable } from '../lots/sale-issues.ts';
import { take } from '../lots/take.ts';
import { acquire } from '../sales/acquire.ts';
import { writeSale } from '../sales/sale.ts';
import { leavingMark } from '../wash-sales/fragments.ts';
import { coverWithStock, type PriceOfStock, shortWhatIsMissing } from './stock-not-held.ts';

const unit = 10n ** 18n;

/**
 * Opens the lot of stock bought by an option. It is held from the day after the exercise (Pub. 550, "Holding Period").
 */
export function receiveStock(
  fold: Fold,
  event: TransactionEvent,
  perContract: bigint,
  premium: Money,
  calls: readonly Slice[] = [],
): void {
  const stock = findStockOfOption(event, perContract);
  if (stock === null) {
    raiseUnreadable(fold, event, 'underlying');
    return;
  }
  const amount = dollars(event.tx, event.tx.amount);
  const strike = amount === null ? null : ((amount + tradeFee(event.tx)) as Money);
  const against = coverWithStock(fold, { ...event, ...stock }, { strike, premium, calls });
  if (against !== null) {
    if (against.quantity === 0n) return;
    receive(fold, event, { ...stock, quantity: against.quantity }, against);
    return;
  }
  receive(fold, event, stock, { strike, premium, calls });
}

function receive(
  fold: Fold,
  event: TransactionEvent,
  stock: StockOfOption,
  { strike, premium, calls }: PriceOfStock,
): void {
  const bought: AcquireEvent = {
    ...optionPurchase(event, stock.quantity, strike === null ? null : ((strike + premium) as Money)),
    ...stock,
    shares: null,
    underlyingKey: null,
    right: null,
    coveredFrom: daysCoveredFrom.stock,
  };
  if (calls.some(({ lot }) => lot.adjusted)) receiveWashed(fold, event, bought, strike, calls);
  else acquire(fold, { ...bought, used: computeUsedShares(calls, stock.quantity) });
}

/**
 * Opens the shares of a call that replaced a loss. The loss remains in their basis, and their holding period still
 * includes that of the sold shares, even if the call itself was the replacement ("the contract or option to acquire
 * which", IRC 1223(3)). They are separate lots and do not replace another loss.
 */
function receiveWashed(
  fold: Fold,
  event: TransactionEvent,
  bought: AcquireEvent,
  strike: Money | null,
  calls: readonly Slice[],
): void {
  if (strike === null) raiseUnreadable(fold, event, 'strike');
  const cents = roundCarrying(fold, `basis ${bought.key}`, strike ?? zeroMoney);
  const dealShares = createAllocator(bought.quantity, event.tx.quantity ?? 0n);
  const dealCents = createAllocator(cents, bought.quantity);
  const common = { sequence: fold.sequence, basisUnknown: strike === null };
  const open = (
    quantity: bigint,
    basis: bigint,
    terms: Partial<AcquireEvent>,
    changes: Partial<OpenLot> = {},
  ): void => {
    const cost = strike === null ? zeroMoney : centsToMoney(basis as Cents);
    acquire(fold, { ...bought, quantity: quantity as Quantity, cost, ...terms }, { ...common, ...changes });
  };
  let [units, basis] = [bought.quantity as bigint, cents as bigint];
  for (const call of calls) {
    if (!call.lot.adjusted) {
      basis += call.basis;
      continue;
    }
    const quantity = dealShares(call.quantity);
    const share = dealCents(quantity);
    const terms = {
      used: quantity as Quantity,
      heldSince: computePeriodStart(fold, event.on, call.lot, call.lot.heldSince),
    };
    const id = `${event.tx.id}/${bought.ordinal}:${call.lot.id}`;
    const notOnForm = notOnFormOfCall(fold, event.on, call, strike !== null);
    open(quantity, share + call.basis, terms, {
      id,
      adjusted: true,
      ...leavingMark(fold),
      ...withNotOnForm(notOnForm),
    });
    units -= quantity;
    basis -= share;
  }
  if (units > 0n) open(units, basis, { used: computeUsedShares(calls, units) });
}

/**
 * Returns the start of the shares' holding period. It is the given day, less the days that the call took over from the
 * sold shares. If elected, it is the start of the call's own holding period (P4).
 */
function computePeriodStart(fold: Fold, on: Day, call: OpenLot, heldSince: Day): Day {
  if (fold.rules.washPeriod === 'replacement') return heldSince;
  return addDays(on, heldSince - (call.purchasedOn ?? call.acquired));
}

/** Returns the part of the shares' basis that brokers do not know, which is the same as for the call. */
function notOnFormOfCall(fold: Fold, on: Day, call: Slice, isBasisKnown: boolean): NotOnForm1099 | undefined {
  if (call.notOnForm === undefined) return undefined;
  const { stepUp, heldSince } = call.notOnForm;
  return { stepUp: isBasisKnown ? stepUp : 0n, heldSince: computePeriodStart(fold, on, call.lot, heldSince) };
}

/**
 * Returns the number of shares from calls in an IRA that replaced a loss. Such calls have no adjusted basis, but cannot
 * replace another loss.
 */
function computeUsedShares(calls: readonly Slice[], quantity: bigint): Quantity {
  const used = calls
    .filter(({ lot }) => !lot.adjusted)
    .reduce((sum, call) => sum + (call.used * (call.lot.shares ?? sharesPerContract)) / unit, 0n);
  return least(used, quantity) as Quantity;
}

export function deliverStock(fold: Fold, event: TransactionEvent, perContract: bigint, premium: Money): void {
  const stock = findStockOfOption(event, perContract);
  if (stock === null) {
    raiseUnreadable(fold, event, 'underlying');
    return;
  }
  const amount = dollars(event.tx, event.tx.amount);
  if (amount === null) raiseUnreadable(fold, event, 'strike');
  const net = ((amount ?? 0n) - tradeFee(event.tx) + premium) as Money;
  const sold = { ...event, ...stock };
  const taken = take(fold, sold, event.account, stock.quantity, true);
  const proceeds = roundCarrying(fold, `proceeds ${stock.key}`, net);
  const held = shortWhatIsMissing(fold, sold, taken, proceeds);
  if (held.taken.slices.length === 0 && held.taken.missing === 0n) return;
  writeSale(fold, sold, held.taken, { proceeds: held.proceeds, sold: event.on, expired: null });
}

interface StockOfOption {
  readonly asset: string;
  readonly key: string;
  readonly assetClass: 'stock';
  readonly quantity: Quantity;
  readonly ordinal: number;
}

function findStockOfOption(event: TransactionEvent, perContract: bigint): StockOfOption | null {
  const { tx } = event;
  const asset = underlyingOf(tx);
  if (asset === '' || tx.quantity === null) return null;
  const quantity = (tx.shares ?? (tx.quantity * perContract) / unit) as Quantity;
  return { asset, key: toAssetKey(asset, 'stock'), assetClass: 'stock', quantity, ordinal: 1 };
}
