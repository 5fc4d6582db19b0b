import type { Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { rowOf } from '../../engine/transaction-types.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import type { Outcome } from '../format.ts';
import { readExchange, roundToMoney, type Side } from '../tables/legs.ts';
import { quoteRank, splitPair } from '../tables/pairs.ts';
import { type Counted, isMoney, type MappedValues } from './mapped-values.ts';
import { agrees, resolveUnit } from './measures.ts';
import type { StatedType } from './row-types.ts';

/** Reads a row with both a sent and a received side. */
export function readSides(values: MappedValues, statedType: StatedType, common: Partial<StatedFields>): Outcome {
  const { cells } = values;
  const asset = values.text('asset');
  const given = values.side('sentQuantity', values.text('sentAsset') || asset);
  const received = values.side('receivedQuantity', values.text('receivedAsset') || asset);
  const fee = readFeeSide(values, (given ?? received)?.asset ?? '');
  const value = values.has('amount') ? values.counted('amount') : null;
  if (cells.flawed) return cells.refused();
  if (given !== null && received !== null) {
    if (given.asset === received.asset) return cells.rejected(values.column('sentAsset'), rejections.sameOnBothSides);
    if (!exchanging.has(statedType)) return cells.rejected(values.column('type'), rejections.oneSideOnly);
    const worth =
      value === null || !isMoney(resolveUnit(value.unit) || 'USD') ? null : roundToMoney(absolute(value.value));
    const currency = resolveUnit(value?.unit ?? '') || values.currency() || 'USD';
    if (isMoney(given.asset) && isMoney(received.asset))
      return cells.rejected(values.column('sentAsset'), rejections.currencyExchange);
    return readExchange(cells, values.time(), { given, received, fee, value: worth, currency, feeValue: null }, common);
  }
  const side = given ?? received;
  if (side === null) return cells.rejected(values.column('sentQuantity'), rejections.nothingMoved);
  return readOneSide(values, statedType, side, received === null ? 'out' : 'in', fee, value, common);
}

/** Reads a trade of an asset for a currency or another coin. `type` is the direction of the asset. */
export function readPair(
  values: MappedValues,
  type: 'buy' | 'sell',
  units: Quantity | null,
  money: Counted | null,
  common: Partial<StatedFields>,
): Outcome {
  const { cells } = values;
  const [base, quote] = values.has('pair')
    ? readPairSides(values)
    : [values.text('asset'), values.text('quote') || values.currency() || resolveUnit(money?.unit ?? '')];
  const quantity = cells.need(values.column('quantity'), units === null ? null : absolute(units));
  const priced = values.column(values.has('price') ? 'price' : values.has('total') ? 'total' : 'amount');
  const worth = cells.need(priced, money === null ? null : absolute(money.value));
  if (base === '') cells.reject(values.column('asset'), rejections.assetMissing);
  const unit = money?.unit ?? '';
  if (unit !== '' && quote !== '' && !agrees(unit, quote.toUpperCase()))
    cells.reject(priced, rejections.inOtherCurrency(unit, quote));
  const fee = readFeeSide(values, quote.toUpperCase());
  if (base.toUpperCase() === quote.toUpperCase()) cells.reject(values.column('quote'), rejections.sameOnBothSides);
  if (cells.flawed || quantity === null || worth === null) return cells.refused();
  const inQuote = fee !== null && fee.asset === quote.toUpperCase() ? fee.quantity : 0n;
  const gross =
    !values.has('total') || values.has('amount') ? worth : type === 'sell' ? worth + inQuote : worth - inQuote;
  if (gross === 0n) return cells.rejected(priced, rejections.zeroAmount);
  if (gross < 0n) return cells.rejected(values.column('total'), rejections.feeAboveTotal);
  if (isMoney(base.toUpperCase()) && isMoney(quote.toUpperCase()))
    return cells.rejected(values.column(values.has('pair') ? 'pair' : 'asset'), rejections.currencyExchange);
  const coin = { asset: base.toUpperCase(), quantity };
  const other = { asset: quote.toUpperCase(), quantity: gross as Quantity };
  const sides = type === 'buy' ? { given: other, received: coin } : { given: coin, received: other };
  return readExchange(cells, values.time(), { ...sides, fee, value: null, feeValue: null }, common);
}

/** Returns the fee. Its unit is `asset` if the row does not name one. */
export function readFeeSide(values: MappedValues, asset: string): Side | null {
  const fee = values.fee();
  if (fee === null) return null;
  if (fee.asset === '' || (asset !== '' && agrees(fee.asset, asset))) return { ...fee, asset };
  const unit = resolveUnit(fee.asset);
  if (unit === '') values.cells.reject(values.column('fee'), rejections.signUnclear);
  return { ...fee, asset: unit };
}

function readOneSide(
  values: MappedValues,
  statedType: StatedType,
  side: Side,
  direction: 'in' | 'out',
  fee: Side | null,
  value: Counted | null,
  common: Partial<StatedFields>,
): Outcome {
  const { cells } = values;
  const type = oneSided(statedType, direction);
  if (type === undefined) return cells.rejected(values.column('type'), rejections.bothSidesNeeded);
  const isIncome = rowOf(type).income !== undefined;
  if (isMoney(side.asset)) {
    if (!isIncome) return cells.skip(skips.cashMoved);
    return cells.read(values.time(), { ...common, type, amount: roundToMoney(side.quantity), currency: side.asset });
  }
  const worth =
    isIncome && value !== null
      ? { amount: roundToMoney(absolute(value.value)), currency: resolveUnit(value.unit) || values.currency() || 'USD' }
      : {};
  return cells.read(values.time(), {
    ...common,
    ...worth,
    ...feeStated(fee),
    type,
    asset: side.asset,
    quantity: side.quantity,
  });
}

/** Converts a fee to statement fields. */
function feeStated(fee: Side | null): Partial<StatedFields> {
  if (fee === null) return {};
  return isMoney(fee.asset) ? { fee: roundToMoney(fee.quantity) } : { feeAsset: fee.asset, feeQuantity: fee.quantity };
}

function oneSided(statedType: StatedType, direction: 'in' | 'out'): TransactionType | undefined {
  if (statedType === 'sign' || statedType === 'transfer') return direction === 'in' ? 'deposit' : 'withdrawal';
  if (statedType === 'trade' || rowOf(statedType).side !== undefined) return undefined;
  const { lots } = rowOf(statedType);
  const lotDirection =
    lots === 'opens' || statedType === 'deposit'
      ? 'in'
      : lots === 'disposes' || statedType === 'withdrawal'
        ? 'out'
        : undefined;
  return lotDirection === direction ? statedType : undefined;
}

/** Returns the two sides of a pair. In `USD-BTC` they are reversed, and `BTC-ETH` is ambiguous. */
function readPairSides(values: MappedValues): readonly [string, string] {
  const { cells } = values;
  const column = values.column('pair');
  const [base = '', quote = ''] = splitPair(cells, column) ?? [];
  // In `XXBTZUSD`, X marks a coin and Z a currency, after the X that ISO 4217 uses for non-currencies.
  const prefixed = /^X([A-Z]{3})Z$/.exec(base)?.[1];
  if (prefixed !== undefined && isMoney(quote)) return [prefixed, quote];
  const [own, other] = [quoteRank(base), quoteRank(quote)];
  if (own <= other) return [base, quote];
  if (own >= surely) return [quote, base];
  cells.reject(column, rejections.quoteUnclear);
  return ['', ''];
}

/** From this rank on, an asset can be the quote: currencies and stablecoins. */
const surely = 3;
const exchanging: ReadonlySet<StatedType> = new Set<StatedType>([
  'sign',
  'trade',
  'buy',
  'sell',
  'transfer',
  'deposit',
  'withdrawal',
]);

function absolute(value: Quantity): Quantity {
  return (value < 0n ? 0n - value : value) as Quantity;
}
