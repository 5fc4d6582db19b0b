import { formatDay } from '../../base/day.ts';
import { formatMoney, formatQuantity, type Money, type Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { membersOfKind } from '../../engine/statement-members.ts';
import { rowOf, typesWhere } from '../../engine/transaction-types.ts';
import { magnitude } from '../cells/amounts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import type { Outcome } from '../format.ts';
import { readExchange, roundToMoney, type Side } from '../tables/legs.ts';
import { checkedMoney } from '../tables/stated-money.ts';
import { readFeeSide } from './mapped-sides.ts';
import { type Counted, isMoney, type MappedValues } from './mapped-values.ts';
import { type MappedField, mappedFields } from './mapping.ts';
import { agrees, resolveUnit } from './measures.ts';

/** A row by field, as Lotbook CSV cells. */
export type LotbookTexts = Partial<Record<MappedField, string>>;

/** Fields that identify a row of any type. */
interface CommonTexts {
  readonly account: string;
  readonly externalId: string;
  readonly note: string;
}

/** Quantity and money fields, except those derived from other columns. */
const quantities = membersOfKind('quantity').filter((name) => name !== 'quantity');
const moneys = membersOfKind('money').filter((name) => name !== 'amount' && name !== 'fee' && name !== 'statedGain');

/** Types whose amount can be negative, because income can be reversed. */
const signedTypes = typesWhere(
  ({ income, side, lots }) => side === undefined && (income !== undefined || lots === 'none'),
);

/** Writes a row with one asset as a Lotbook CSV line, or returns an outcome if the row becomes no transaction. */
export function buildLotbookLine(
  values: MappedValues,
  type: TransactionType,
  counted: Counted | null,
  money: Counted | null,
  common: CommonTexts,
): LotbookTexts | Outcome {
  const { cells } = values;
  const row = rowOf(type);
  const asset = values.has('pair') ? '' : values.asset() || resolveUnit(counted?.unit ?? '');
  const units = counted === null ? null : magnitude(counted.value);
  const inMoney = isMoney(asset);
  const isMove = row.lots === 'moves';
  if (isMove && (inMoney || isCash(values, asset, units, money))) return cells.skip(skips.cashMoved);
  if (type === 'fee' && (units ?? 0n) === 0n && isCash(values, asset, null, money))
    return cells.skip(skips.cashFeePaid);
  if (inMoney && !signedTypes.has(type)) {
    if (row.side !== undefined && isForeign(values, asset))
      return cells.rejected(values.column('asset'), rejections.currencyExchange);
    return cells.skip(skips.currencyExchanged);
  }
  const cash = inMoney ? (money ?? counted) : money;
  if (type === 'interest' && (cash?.value ?? 0n) < 0n) return cells.skip(skips.chargedInterest);
  if (!inMoney && row.income !== undefined && (counted?.value ?? 0n) < 0n)
    return cells.rejected(values.column('quantity'), rejections.negativeIncome);
  if (type === 'trade') return trade(values, asset, units, common);
  const isHeld = type === 'dividend' && (money?.value ?? 0n) !== 0n;
  if (asset === '' && (units ?? 0n) !== 0n && !isHeld)
    cells.reject(values.column(values.has('asset') ? 'asset' : 'quantity'), rejections.quantityWithoutAsset);
  const currency = currencyOfRow(values, inMoney ? asset.toUpperCase() : (money?.unit ?? ''));
  const fee = readRowFee(values, type, asset, currency);
  checkStated(values, type, units, cash);
  const sums = settleAmount(values, type, units, cash, fee);
  const line: LotbookTexts = {
    ...readMemberTexts(values),
    ...common,
    type,
    asset: inMoney ? '' : asset,
    currency: isMove && (fee === null || !isMoney(fee.asset)) ? '' : currency,
    quantity: units === null || inMoney || isHeld ? '' : formatQuantity(units),
    ...sums,
    ...(isMove ? { amount: '' } : {}),
    feeAsset: fee === null || isMoney(fee.asset) ? '' : fee.asset,
    feeQuantity: fee === null || isMoney(fee.asset) ? '' : formatQuantity(fee.quantity),
  };
  return cells.flawed ? cells.refused() : line;
}

/** Returns whether a currency was traded for a different one. Dollars for dollars only move cash. */
function isForeign(values: MappedValues, asset: string): boolean {
  return asset.toUpperCase() !== (values.currency() || 'USD');
}

/** Returns whether a row only moves money, in a file whose other rows name assets. */
function isCash(values: MappedValues, asset: string, units: Quantity | null, money: Counted | null): boolean {
  if (asset !== '' || units !== null || money === null) return false;
  return values.has('asset') || isMoney(values.currency() || resolveUnit(money.unit));
}

/** Reads a trade of two assets that the row names. */
function trade(values: MappedValues, asset: string, units: Quantity | null, common: CommonTexts): Outcome {
  const { cells } = values;
  const received = values.side('receivedQuantity', values.text('receivedAsset'));
  if (received === null) cells.reject(values.column('receivedQuantity'), rejections.requiredHere);
  if (asset === '') cells.reject(values.column('asset'), rejections.assetMissing);
  const quantity = cells.need(values.column('quantity'), units);
  const value = values.counted('amount');
  const fee = readFeeSide(values, asset.toUpperCase());
  const currency = currencyOfRow(values, value?.unit ?? '') || 'USD';
  if (cells.flawed || received === null || quantity === null) return cells.refused();
  const given = { asset: asset.toUpperCase(), quantity };
  const worth = value === null ? null : roundToMoney(magnitude(value.value) ?? value.value);
  return readExchange(cells, values.time(), { given, received, fee, value: worth, currency, feeValue: null }, common);
}

/** Returns the values of fields that have their own columns. */
function readMemberTexts(values: MappedValues): LotbookTexts {
  const members: LotbookTexts = {};
  for (const field of mappedFields) if (values.has(field)) members[field] = values.text(field);
  members.date = values.date();
  if (members.acquired !== undefined && !/^(?:various|inherited)$/i.test(members.acquired)) {
    const day = values.cells.day(values.column('acquired'));
    members.acquired = day === null ? '' : formatDay(day);
  }
  if (members.maturity !== undefined && members.maturity !== '') {
    const day = values.instrument().kind === 'asset' ? values.cells.day(values.column('maturity')) : null;
    members.maturity = day === null ? '' : formatDay(day);
    // An asset that matures is a bond, even if its name does not show it.
    if (day !== null && (members.assetClass ?? '') === '') members.assetClass = 'bond';
  }
  for (const field of [...quantities, ...moneys]) {
    if (!values.has(field)) continue;
    const size = magnitude(values.counted(field)?.value ?? null);
    const isUnits = quantities.some((one) => one === field);
    members[field] = size === null ? '' : isUnits ? formatQuantity(size) : formatMoney(roundToMoney(size));
  }
  return members;
}

/** Returns the row's currency, from its column and from the signs next to its amount. */
function currencyOfRow(values: MappedValues, unit: string): string {
  const stated = values.currency();
  if (unit === '') return stated;
  const meant = stated === '' ? resolveUnit(unit) : agrees(unit, stated) ? stated : '';
  if (meant === '') values.cells.reject(values.moneyColumn(), rejections.signOfOtherCurrency);
  return meant;
}

/** Rejects trades and income without an amount, because the amount must be somewhere else. */
function checkStated(values: MappedValues, type: TransactionType, units: Quantity | null, money: Counted | null): void {
  const { side, income } = rowOf(type);
  if (side !== undefined && money !== null && money.value === 0n)
    values.cells.reject(values.moneyColumn(), rejections.zeroAmount);
  if (income !== undefined && (units ?? 0n) === 0n && (money?.value ?? 0n) === 0n)
    values.cells.reject(values.moneyColumn(), rejections.quantityAndAmountMissing);
}

/** Returns the row's fee. If the row contains no money, the fee is in units. */
function readRowFee(values: MappedValues, type: TransactionType, asset: string, currency: string): Side | null {
  const stated = values.fee();
  const isMove = rowOf(type).lots === 'moves';
  if (stated?.asset === '' && isMove && pricedFields.some((field) => values.text(field) !== ''))
    values.cells.reject(values.column('fee'), rejections.feeCurrencyMissing);
  const fee = readFeeSide(values, isMove && stated?.asset === '' ? asset.toUpperCase() : currency || 'USD');
  if (fee !== null && isMoney(fee.asset) && fee.asset !== (currency || 'USD') && !isMove)
    values.cells.reject(values.column('fee'), rejections.feeNotInCurrencyOfRow);
  return fee;
}

const pricedFields = ['amount', 'total', 'price', 'debit', 'credit', 'currency'] as const;

/** Returns the tax withheld in a row, as an absolute value. */
export function readWithheldTax(values: MappedValues): Money {
  const stated = values.has('tax') ? (values.counted('tax')?.value ?? null) : null;
  return stated === null ? (0n as Money) : roundToMoney(magnitude(stated) ?? stated);
}

/** Returns a sale's gross proceeds if the row's money is net of fee and tax. Null otherwise. */
function grossBeforeTax(values: MappedValues, units: Quantity | null, money: Money, fee: Money | null): Money | null {
  const tax = readWithheldTax(values);
  if (tax === 0n) return null;
  const { amount, total, computed, tolerance } = values.statedMoney(units, money);
  const gross = ((amount ?? total ?? 0n) + (fee ?? 0n) + tax) as Money;
  if (computed === null) return amount === null && total !== null ? gross : null;
  const apart = gross > computed ? gross - computed : computed - gross;
  return (amount ?? total) !== null && apart <= tolerance ? gross : null;
}

/** Returns the amount before the fee, and the fee. Warns if the row's amounts do not agree. */
function settleAmount(
  values: MappedValues,
  type: TransactionType,
  units: Quantity | null,
  money: Counted | null,
  fee: Side | null,
): { readonly amount: string; readonly fee: string } {
  const isCoinFee = fee !== null && !isMoney(fee.asset);
  const ofFee = fee === null || isCoinFee ? null : roundToMoney(fee.quantity);
  const unsettled = { fee: ofFee === null ? '' : formatMoney(ofFee) };
  if (money === null) return { ...unsettled, amount: '' };
  const size = roundToMoney(magnitude(money.value) ?? money.value);
  const { side, income } = rowOf(type);
  const beforeTax = side === 'sell' ? grossBeforeTax(values, units, size, ofFee) : null;
  if (beforeTax !== null) return { ...unsettled, amount: formatMoney(beforeTax) };
  if (signedTypes.has(type) || side === undefined) {
    // Income in units with a value of zero has an unknown value, so Lotbook asks the user.
    const isUnknown = size === 0n && side === undefined && (income === undefined || (units ?? 0n) !== 0n);
    // Negative income is a reversed payment. A negative reinvestment is not, because that money leaves the account.
    const isNegative = signedTypes.has(type) && type !== 'reinvest' && money.value < 0n;
    return { ...unsettled, amount: isUnknown ? '' : `${isNegative ? '-' : ''}${formatMoney(size)}` };
  }
  const checked = checkedMoney({
    side,
    ...values.statedMoney(units, size),
    fee: ofFee,
  });
  if (checked.disagreement !== null) values.cells.warn(checked.disagreement);
  if ((checked.gross ?? 0n) < 0n) values.cells.reject(values.moneyColumn(), rejections.feeAboveTotal);
  return {
    amount: checked.gross === null ? '' : formatMoney(checked.gross),
    fee: checked.fee === null ? '' : formatMoney(checked.fee),
  };
}
