import { formatQuantity, type Money, priceTimesQuantity, type Quantity } from '../../base/decimal.ts';
import { indexOfRoot } from '../../engine/events/index-options.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import type { Stated } from '../cells/drafts.ts';
import { formatOption, type OptionSymbol, sharesOfContract, stockOf, unitsOfPrice } from '../cells/option-symbol.ts';

/** What brokers' files share. */

/** The types of option trades. */
export type OptionTrade = Extract<TransactionType, 'buy_to_open' | 'sell_to_open' | 'buy_to_close' | 'sell_to_close'>;

/** The members that an option symbol states: symbol, class and underlying. */
export function optionStated(
  option: OptionSymbol,
): Pick<Stated, 'asset' | 'assetClass' | 'underlying' | 'right' | 'shares'> {
  const contract = sharesOfContract(option);
  const stated = {
    asset: formatOption(option),
    assetClass: 'option',
    underlying: stockOf(option),
    right: option.right,
  } as const;
  return contract === null || contract === 100n ? stated : { ...stated, shares: (contract * oneUnit) as Quantity };
}

/** The members of an option in a row that is no option trade: a transfer, or a sale already matched. */
export function optionAsset(option: OptionSymbol): Pick<Stated, 'asset' | 'assetClass'> {
  return { asset: formatOption(option), assetClass: 'option' };
}

/**
 * The expiry, exercise or assignment of contracts, the latter two at the strike. `cash`: what the row states as its
 * amount. An option on an index pays it in place of shares, and of no other is it dropped.
 */
export function optionEvent(
  cells: Cells,
  type: 'expire' | 'exercise' | 'assign',
  option: OptionSymbol,
  contracts: Quantity | null,
  { cash, fee = null }: { readonly cash: Money | null; readonly fee?: Money | null },
): Stated {
  const quantity = magnitude(contracts);
  const event: Stated = { ...optionStated(option), type, quantity, fee, shares: null };
  const isCash = type === 'expire' || indexOfRoot(option.underlying) !== undefined;
  if (isCash) return cash === null || cash === 0n ? event : { ...event, amount: magnitude(cash) };
  if (quantity === null) return event;
  const contract = sharesOfContract(option);
  if (contract === null) cells.reject(null, 'incomplete_action', ofAdjusted);
  const shares = (quantity * (contract ?? 0n)) as Quantity;
  const strike = priceTimesQuantity(option.strike, formatQuantity(shares)) ?? null;
  // Any other money is of another event: the row is asked about.
  return { ...event, shares, amount: cash === null || cash === 0n || magnitude(cash) === strike ? strike : null };
}

/** Warns where the file states another number of shares for a contract than its symbol means. */
export function checkMultiplier(cells: Cells, column: string, option: OptionSymbol): void {
  const stated = cells.roundedQuantity(column) ?? 0n;
  const meant = unitsOfPrice(option);
  if (stated === 0n || magnitude(stated as Quantity) === meant * oneUnit) return;
  const shares = formatQuantity(magnitude(stated as Quantity) ?? (0n as Quantity));
  cells.warn(`the ${column} is ${shares}, and a contract of ${option.underlying} is of ${meant} shares by its symbol`);
}

const oneUnit = 10n ** 18n;
const ofAdjusted =
  'an adjusted contract delivers something else than 100 shares, which the file does not hold: enter it by hand';

/** What was paid without the fees. The source states the net amount, negative for money out. */
export function grossPaid(net: Money | null, fee: Money | null): Money | null {
  return net === null ? null : ((0n - net - (fee ?? 0n)) as Money);
}

/** What was received before fees. */
export function grossReceived(net: Money | null, fee: Money | null): Money | null {
  return net === null ? null : ((net + (fee ?? 0n)) as Money);
}

/** Shares that came in or went out without money, by the sign of the quantity. */
export function sharesMoved(quantity: Quantity | null): Pick<Stated, 'type' | 'quantity'> {
  return { type: quantity !== null && quantity < 0n ? 'withdrawal' : 'deposit', quantity: magnitude(quantity) };
}

/** Rejects corporate actions whose rows lack what the books need. */
export function rejectIncomplete(cells: Cells, column: string, what: string): ReturnType<Cells['rejected']> {
  return cells.rejected(
    column,
    'incomplete_action',
    `${what}: the file does not hold what this needs; enter it by hand`,
  );
}

/** Asks for the allocation of a spin-off. `parent` is the stock that the shares came from, as far as the row names it. */
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
  const what = `a spin-off needs the issuer's allocation of basis (Form 8937), the share of ${from} that goes to ${shares}`;
  return rejectIncomplete(cells, column, what);
}
