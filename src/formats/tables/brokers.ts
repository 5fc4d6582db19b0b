import { formatQuantity, type Money, priceTimesQuantity, type Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import type { Stated } from '../cells/drafts.ts';
import { formatOption, type OptionSymbol } from '../cells/option-symbol.ts';

/** What brokers' files have in common. */

/** The trades of options by what they do. */
export type OptionTrade = Extract<TransactionType, 'buy_to_open' | 'sell_to_open' | 'buy_to_close' | 'sell_to_close'>;

/** An option's own words: symbol, class, what it is on. */
export function optionStated(option: OptionSymbol): Pick<Stated, 'asset' | 'assetClass' | 'underlying' | 'right'> {
  return { asset: formatOption(option), assetClass: 'option', underlying: option.underlying, right: option.right };
}

/** An option in a row that is no trade of options: a transfer, a sale that was matched already. */
export function optionAsset(option: OptionSymbol): Pick<Stated, 'asset' | 'assetClass'> {
  return { asset: formatOption(option), assetClass: 'option' };
}

/** Expiry, exercise or assignment of so many contracts of 100 shares; the latter two at the strike. */
export function optionEvent(
  type: 'expire' | 'exercise' | 'assign',
  option: OptionSymbol,
  contracts: Quantity | null,
): Stated {
  const quantity = magnitude(contracts);
  const event: Stated = { ...optionStated(option), type, quantity };
  if (type === 'expire' || quantity === null) return event;
  const shares = (quantity * 100n) as Quantity;
  return { ...event, shares, amount: priceTimesQuantity(option.strike, formatQuantity(shares)) ?? null };
}

/** What was paid beside the fees: the source states the net, negative for money out. */
export function grossPaid(net: Money | null, fee: Money | null): Money | null {
  return net === null ? null : ((0n - net - (fee ?? 0n)) as Money);
}

/** What was received before the fees were taken. */
export function grossReceived(net: Money | null, fee: Money | null): Money | null {
  return net === null ? null : ((net + (fee ?? 0n)) as Money);
}

/** Shares that came in or went out without money: by the sign of the quantity. */
export function sharesMoved(quantity: Quantity | null): Pick<Stated, 'type' | 'quantity'> {
  return { type: quantity !== null && quantity < 0n ? 'withdrawal' : 'deposit', quantity: magnitude(quantity) };
}

/** Corporate actions whose rows leave out what the books need. */
export function rejectIncomplete(cells: Cells, column: string, what: string): ReturnType<Cells['rejected']> {
  return cells.rejected(
    column,
    'incomplete_action',
    `${what}: the file does not hold what this needs; enter it by hand`,
  );
}
