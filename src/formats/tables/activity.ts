import { exceedsMoney, formatQuantity, type Money, priceTimesQuantity, type Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { rowOf } from '../../engine/transaction-types.ts';
import { feeOf, magnitude, negated } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import type { Stated } from '../cells/drafts.ts';
import { type NumberStyle, saysNone } from '../cells/fields.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import { asDebt } from './bonds.ts';
import { grossPaid, grossReceived } from './brokers.ts';
import { checkPrice } from './stated-money.ts';

/** The values of a broker's row, before its meaning is known. */
export interface Activity {
  readonly asset: string;
  readonly quantity: Quantity | null;
  /** The net amount in the account, fee included. Negative for money out. */
  readonly net?: Money | null;
  /** The value before the fee, where the row states it. Its sign has no meaning. */
  readonly gross?: Money | null;
  readonly fee?: Money | null;
  /** What the row says of the security: whether it is a debt, and when it is due. */
  readonly description?: string;
  /** Accrued interest that the row states, within the net amount. */
  readonly accrued?: Money | null;
}

/** The columns that errors name. */
export interface ActivityColumns {
  readonly asset: string;
  readonly quantity: string;
  readonly amount: string;
  /** Where the row states its price in the currency of the amount. */
  readonly price?: string;
}

/** Why interest with a minus is no income. */
export const chargedInterest = 'interest that was charged is no part of a gain';

const sharesOnly: ReadonlySet<TransactionType> = new Set(['deposit', 'withdrawal', 'split']);

/** Reads a purchase or sale, shares in or out, or income. Rejected where a needed value is missing. */
export function readActivity(
  cells: Cells,
  time: Time | null,
  type: TransactionType,
  columns: ActivityColumns,
  activity: Activity,
  common: Partial<Stated> = {},
): Outcome {
  const { asset, net = null, gross = null } = activity;
  const { side } = rowOf(type);
  const [buys, sells] = [side === 'buy', side === 'sell'];
  if (buys || sells || sharesOnly.has(type)) {
    if (asset === '') cells.reject(columns.asset, 'missing', 'this kind of row needs it');
    const quantity = cells.need(columns.quantity, magnitude(activity.quantity));
    if (quantity === 0n) cells.reject(columns.quantity, 'missing', 'this kind of row needs it');
    if (!buys && !sells) return cells.read(time, { ...common, type, asset, quantity });
    const fee = feeOf(activity.fee ?? null);
    const stated = magnitude(gross) ?? (buys ? grossPaid(net, fee) : grossReceived(net, fee));
    const trade: Stated = { ...common, type, asset, quantity, amount: cells.need(columns.amount, stated), fee };
    const { price = '' } = columns;
    if (type === 'buy' || type === 'sell') {
      const { description = '', accrued = null } = activity;
      return cells.read(time, asDebt(cells, { stated: trade, description, price, accrued }));
    }
    const side = buys ? ('buy' as const) : ('sell' as const);
    if (price !== '') checkPrice(cells, price, { side, units: quantity, gross: stated, fee });
    return cells.read(time, trade);
  }
  if (type === 'interest' && net !== null && net < 0n) return cells.skip(chargedInterest);
  const amount = cells.need(columns.amount, net ?? gross);
  return cells.read(time, { ...common, type, asset, amount: type === 'withholding' ? negated(amount) : amount });
}

/**
 * Price times units, exact, with their signs. Null where one is not stated. A price may have more digits than money.
 */
export function worthOf(
  cells: Cells,
  priceColumn: string,
  units: Quantity | null,
  style?: NumberStyle,
  text = cells.text(priceColumn),
): Money | null {
  if (saysNone(text) || units === null) return null;
  const price = cells.priceOf(priceColumn, text, style);
  if (price === null) {
    cells.reject(priceColumn, 'bad_number', 'this is no price in a shape we know');
    return null;
  }
  const amount = priceTimesQuantity(price, formatQuantity(units));
  if (amount === undefined || exceedsMoney(amount)) {
    cells.reject(priceColumn, 'too_large', 'the value is too large');
    return null;
  }
  return amount;
}

/** Reads money with its currency (`€10.00`, `50.00 SEK`). The currency is '' where the cell has none. */
export function pricedIn(cells: Cells, column: string): { readonly amount: Money | null; readonly currency: string } {
  return { amount: cells.roundedMoney(column), currency: cells.currencyBeside(column) };
}
