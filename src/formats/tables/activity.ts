import { exceedsMoney, formatQuantity, type Money, priceTimesQuantity, type Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { rowOf } from '../../engine/transaction-types.ts';
import { magnitude, negateAmount, toFee } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { type NumberStyle, saysNone } from '../cells/fields.ts';
import { rejections, skips } from '../cells/reasons.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import { asDebt } from './bonds.ts';
import { grossPaid, grossReceived } from './brokers.ts';
import { checkPrice } from './stated-money.ts';

/** The values in a broker's row whose type is not known yet. */
export interface Activity {
  readonly asset: string;
  readonly quantity: Quantity | null;
  /** The net change in cash, including the fee. Negative if money was paid. */
  readonly net?: Money | null;
  /** The value before the fee, if the row contains it. Its sign is ignored. */
  readonly gross?: Money | null;
  readonly fee?: Money | null;
  /** The security's description, which shows whether it is a debt, and its maturity. */
  readonly description?: string;
  /** Accrued interest in the row. The net amount includes it. */
  readonly accrued?: Money | null;
}

/** Column names for errors. */
export interface ActivityColumns {
  readonly asset: string;
  readonly quantity: string;
  readonly amount: string;
  /** The price column, if its currency is the amount's. */
  readonly price?: string;
}

const sharesOnly: ReadonlySet<TransactionType> = new Set(['deposit', 'withdrawal', 'split']);

/** Reads a purchase or sale, a transfer of shares, or income. Rejects the row if a required value is missing. */
export function readActivity(
  cells: Cells,
  time: Time | null,
  type: TransactionType,
  columns: ActivityColumns,
  activity: Activity,
  common: Partial<StatedFields> = {},
): Outcome {
  const { asset, net = null, gross = null } = activity;
  const { side } = rowOf(type);
  const [buys, sells] = [side === 'buy', side === 'sell'];
  if (buys || sells || sharesOnly.has(type)) {
    if (asset === '') cells.reject(columns.asset, rejections.requiredHere);
    const quantity = cells.need(columns.quantity, magnitude(activity.quantity));
    if (quantity === 0n) cells.reject(columns.quantity, rejections.requiredHere);
    if (!buys && !sells) return cells.read(time, { ...common, type, asset, quantity });
    const fee = toFee(activity.fee ?? null);
    const stated = magnitude(gross) ?? (buys ? grossPaid(net, fee) : grossReceived(net, fee));
    const trade: StatedFields = { ...common, type, asset, quantity, amount: cells.need(columns.amount, stated), fee };
    const { price = '' } = columns;
    if (type === 'buy' || type === 'sell') {
      const { description = '', accrued = null } = activity;
      return cells.read(time, asDebt(cells, { stated: trade, description, price, accrued }));
    }
    const side = buys ? ('buy' as const) : ('sell' as const);
    if (price !== '') checkPrice(cells, price, { side, units: quantity, gross: stated, fee });
    return cells.read(time, trade);
  }
  if (type === 'interest' && net !== null && net < 0n) return cells.skip(skips.chargedInterest);
  const amount = cells.need(columns.amount, net ?? gross);
  return cells.read(time, { ...common, type, asset, amount: type === 'withholding' ? negateAmount(amount) : amount });
}

/**
 * Returns the exact product of price and units, with their signs. Null if either is missing. A price may have more
 * digits than money.
 */
export function computeWorth(
  cells: Cells,
  priceColumn: string,
  units: Quantity | null,
  style?: NumberStyle,
  text = cells.text(priceColumn),
): Money | null {
  if (saysNone(text) || units === null) return null;
  const price = cells.parsePrice(priceColumn, text, style);
  if (price === null) {
    cells.reject(priceColumn, rejections.unreadablePrice);
    return null;
  }
  const amount = priceTimesQuantity(price, formatQuantity(units));
  if (amount === undefined || exceedsMoney(amount)) {
    cells.reject(priceColumn, rejections.valueTooLarge);
    return null;
  }
  return amount;
}

/** Reads money with its currency (`€10.00`, `50.00 SEK`). The currency is '' if the cell contains none. */
export function readMoneyWithCurrency(
  cells: Cells,
  column: string,
): { readonly amount: Money | null; readonly currency: string } {
  return { amount: cells.roundedMoney(column), currency: cells.currencyBeside(column) };
}
