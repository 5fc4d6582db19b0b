import { formatQuantity, type Money, priceTimesQuantity, type Quantity } from '../../base/decimal.ts';
import { indexOfRoot } from '../../engine/events/index-options.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { formatOption, type OptionSymbol, sharesOfContract, stockOf, unitsOfPrice } from '../cells/option-symbol.ts';
import { rejections } from '../cells/reasons.ts';

export type OptionTrade = Extract<TransactionType, 'buy_to_open' | 'sell_to_open' | 'buy_to_close' | 'sell_to_close'>;

/** Returns the fields that an option symbol implies: symbol, class and underlying. */
export function optionStated(
  option: OptionSymbol,
): Pick<StatedFields, 'asset' | 'assetClass' | 'underlying' | 'right' | 'shares'> {
  const contract = sharesOfContract(option);
  const stated = {
    asset: formatOption(option),
    assetClass: 'option',
    underlying: stockOf(option),
    right: option.right,
  } as const;
  return contract === null || contract === 100n ? stated : { ...stated, shares: (contract * oneUnit) as Quantity };
}

/**
 * Returns the fields for an option in a row that is not an option trade, such as a transfer or a sale that is already
 * matched.
 */
export function optionAsset(option: OptionSymbol): Pick<StatedFields, 'asset' | 'assetClass'> {
  return { asset: formatOption(option), assetClass: 'option' };
}

/**
 * Reads an expiration, exercise or assignment of contracts, the latter two at the strike. `cash` is the amount in the
 * row. An index option pays cash instead of shares. For other options, an amount that differs from the strike is left
 * out, and an issue asks for it.
 */
export function optionEvent(
  cells: Cells,
  type: 'expire' | 'exercise' | 'assign',
  option: OptionSymbol,
  contracts: Quantity | null,
  { cash, fee = null }: { readonly cash: Money | null; readonly fee?: Money | null },
): StatedFields {
  const quantity = magnitude(contracts);
  const event: StatedFields = { ...optionStated(option), type, quantity, fee, shares: null };
  const isCash = type === 'expire' || indexOfRoot(option.underlying) !== undefined;
  if (isCash) return cash === null || cash === 0n ? event : { ...event, amount: magnitude(cash) };
  if (quantity === null) return event;
  const contract = sharesOfContract(option);
  if (contract === null) cells.reject(null, rejections.adjustedContract);
  const shares = (quantity * (contract ?? 0n)) as Quantity;
  const strike = priceTimesQuantity(option.strike, formatQuantity(shares)) ?? null;
  // Any other amount belongs to a different event, so it is left out, and an issue asks for the amount.
  return { ...event, shares, amount: cash === null || cash === 0n || magnitude(cash) === strike ? strike : null };
}

/** Warns if the number of shares per contract in the file differs from what the symbol implies. */
export function checkMultiplier(cells: Cells, column: string, option: OptionSymbol): void {
  const stated = cells.roundedQuantity(column) ?? 0n;
  const meant = unitsOfPrice(option);
  if (stated === 0n || magnitude(stated as Quantity) === meant * oneUnit) return;
  const shares = formatQuantity(magnitude(stated as Quantity) ?? (0n as Quantity));
  cells.warn(`the ${column} is ${shares}, but the symbol means ${meant} shares of ${option.underlying} per contract`);
}

const oneUnit = 10n ** 18n;

/** Returns the amount paid before fees, from the net amount, which is negative if money was paid. */
export function grossPaid(net: Money | null, fee: Money | null): Money | null {
  return net === null ? null : ((0n - net - (fee ?? 0n)) as Money);
}

/** Returns the amount received before fees. */
export function grossReceived(net: Money | null, fee: Money | null): Money | null {
  return net === null ? null : ((net + (fee ?? 0n)) as Money);
}

/** Returns a deposit or withdrawal of shares without money, depending on the quantity's sign. */
export function sharesMoved(quantity: Quantity | null): Pick<StatedFields, 'type' | 'quantity'> {
  return { type: quantity !== null && quantity < 0n ? 'withdrawal' : 'deposit', quantity: magnitude(quantity) };
}

/**
 * Rejects a spin-off and asks for its allocation. `parent` is the stock that distributed the shares, if the row names
 * it.
 */
export function rejectSpinoff(
  cells: Cells,
  column: string,
  {
    asset,
    quantity,
    parent = '',
  }: { readonly asset: string; readonly quantity: Quantity | null; readonly parent?: string },
): ReturnType<Cells['rejected']> {
  const shares = [quantity === null ? '' : formatQuantity(quantity), asset].filter((part) => part !== '').join(' ');
  const from = parent === '' ? 'the stock they came from' : parent;
  return cells.rejected(column, rejections.allocationMissing(from, shares));
}
