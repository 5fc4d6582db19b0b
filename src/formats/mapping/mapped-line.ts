import { formatDay } from '../../base/day.ts';
import { formatMoney, formatQuantity, type Money, type Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { membersOfKind } from '../../engine/statement-members.ts';
import { rowOf, typesWhere } from '../../engine/transaction-types.ts';
import { magnitude } from '../cells/amounts.ts';
import { outgoingIncome } from '../cells/drafts.ts';
import type { Outcome } from '../format.ts';
import { chargedInterest } from '../tables/activity.ts';
import { moneyOf, readExchange, type Side } from '../tables/legs.ts';
import { checkedMoney } from '../tables/stated-money.ts';
import { currencyExchange } from './instruments.ts';
import { feeIn } from './mapped-sides.ts';
import { type Counted, isMoney, type MappedValues } from './mapped-values.ts';
import { type MappedField, mappedFields } from './mapping.ts';
import { agrees, meaningOf } from './measures.ts';

/** A row by member, as texts of the Lotbook CSV. */
export type LotbookTexts = Partial<Record<MappedField, string>>;

/** What names a row, whatever it is. */
interface CommonTexts {
  readonly account: string;
  readonly externalId: string;
  readonly note: string;
}

/** Members with a quantity or with money, beside those that follow from other columns. */
const quantities = membersOfKind('quantity').filter((name) => name !== 'quantity');
const moneys = membersOfKind('money').filter((name) => name !== 'amount' && name !== 'fee' && name !== 'statedGain');

/** Types whose amount has a sign: income that is taken back is negative. */
const signedTypes = typesWhere(
  ({ income, side, lots }) => side === undefined && (income !== undefined || lots === 'none'),
);

/** A row of one asset as a line of the Lotbook CSV, or the outcome why there is none. */
export function lineOf(
  values: MappedValues,
  type: TransactionType,
  counted: Counted | null,
  money: Counted | null,
  common: CommonTexts,
): LotbookTexts | Outcome {
  const { cells } = values;
  const row = rowOf(type);
  const asset = values.has('pair') ? '' : values.asset() || meaningOf(counted?.unit ?? '');
  const units = counted === null ? null : magnitude(counted.value);
  const inMoney = isMoney(asset);
  const isMove = row.lots === 'moves';
  if (isMove && (inMoney || isCash(values, asset, units, money)))
    return cells.skip('a move of currency is not kept here');
  if (type === 'fee' && (units ?? 0n) === 0n && isCash(values, asset, null, money))
    return cells.skip('a fee in cash is no part of a gain');
  if (inMoney && !signedTypes.has(type)) {
    if (row.side !== undefined && isForeign(values, asset))
      return cells.rejected(values.column('asset'), 'currency_exchange', currencyExchange);
    return cells.skip('an exchange of currencies is not kept here');
  }
  const cash = inMoney ? (money ?? counted) : money;
  if (type === 'interest' && (cash?.value ?? 0n) < 0n) return cells.skip(chargedInterest);
  if (!inMoney && row.income !== undefined && (counted?.value ?? 0n) < 0n)
    return cells.rejected(values.column('quantity'), 'negative', outgoingIncome);
  if (type === 'trade') return trade(values, asset, units, common);
  const isHeld = type === 'dividend' && (money?.value ?? 0n) !== 0n;
  if (asset === '' && (units ?? 0n) !== 0n && !isHeld)
    cells.reject(
      values.column(values.has('asset') ? 'asset' : 'quantity'),
      'missing',
      'the asset of these units is missing',
    );
  const currency = currencyOfRow(values, inMoney ? asset.toUpperCase() : (money?.unit ?? ''));
  const fee = feeOf(values, type, asset, currency);
  checkStated(values, type, units, cash);
  const sums = settled(values, type, units, cash, fee);
  const line: LotbookTexts = {
    ...membersOf(values),
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

/** Whether a trade of a currency is one for another currency: dollars for dollars move cash. */
function isForeign(values: MappedValues, asset: string): boolean {
  return asset.toUpperCase() !== (values.currency() || 'USD');
}

/** Whether a row moves money alone, in a file that names the assets of its other rows. */
function isCash(values: MappedValues, asset: string, units: Quantity | null, money: Counted | null): boolean {
  if (asset !== '' || units !== null || money === null) return false;
  return values.has('asset') || isMoney(values.currency() || meaningOf(money.unit));
}

/** An exchange of two assets that the row names beside each other. */
function trade(values: MappedValues, asset: string, units: Quantity | null, common: CommonTexts): Outcome {
  const { cells } = values;
  const received = values.side('receivedQuantity', values.text('receivedAsset'));
  if (received === null) cells.reject(values.column('receivedQuantity'), 'missing', 'this kind of row needs it');
  if (asset === '') cells.reject(values.column('asset'), 'missing', 'the asset is missing');
  const quantity = cells.need(values.column('quantity'), units);
  const value = values.counted('amount');
  const fee = feeIn(values, asset.toUpperCase());
  const currency = currencyOfRow(values, value?.unit ?? '') || 'USD';
  if (cells.flawed || received === null || quantity === null) return cells.refused();
  const given = { asset: asset.toUpperCase(), quantity };
  const worth = value === null ? null : moneyOf(magnitude(value.value) ?? value.value);
  return readExchange(cells, values.time(), { given, received, fee, value: worth, currency, feeValue: null }, common);
}

/** The members that stand in columns of their own. */
function membersOf(values: MappedValues): LotbookTexts {
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
    // What matures is a debt, whatever its name.
    if (day !== null && (members.assetClass ?? '') === '') members.assetClass = 'bond';
  }
  for (const field of [...quantities, ...moneys]) {
    if (!values.has(field)) continue;
    const size = magnitude(values.counted(field)?.value ?? null);
    const isUnits = quantities.some((one) => one === field);
    members[field] = size === null ? '' : isUnits ? formatQuantity(size) : formatMoney(moneyOf(size));
  }
  return members;
}

/** The currency of the row, by its column and by what stands beside its amount. */
function currencyOfRow(values: MappedValues, beside: string): string {
  const stated = values.currency();
  if (beside === '') return stated;
  const meant = stated === '' ? meaningOf(beside) : agrees(beside, stated) ? stated : '';
  if (meant === '') values.cells.reject(values.moneyColumn(), 'bad_currency', otherCurrency);
  return meant;
}

const otherCurrency = 'the sign beside the amount is of another currency than the row says, or of one we do not know';

/** A trade for nothing and income of nothing say nothing: the amount stands elsewhere. */
function checkStated(values: MappedValues, type: TransactionType, units: Quantity | null, money: Counted | null): void {
  const { side, income } = rowOf(type);
  if (side !== undefined && money !== null && money.value === 0n)
    values.cells.reject(values.moneyColumn(), 'missing', 'units cost nothing here, which says nothing');
  if (income !== undefined && (units ?? 0n) === 0n && (money?.value ?? 0n) === 0n)
    values.cells.reject(values.moneyColumn(), 'missing', 'this row states neither units nor money');
}

/** The fee of the row. Units leave for it where the row states no money. */
function feeOf(values: MappedValues, type: TransactionType, asset: string, currency: string): Side | null {
  const stated = values.fee();
  const isMove = rowOf(type).lots === 'moves';
  if (stated?.asset === '' && isMove && pricedFields.some((field) => values.text(field) !== ''))
    values.cells.reject(values.column('fee'), 'fee_currency', 'nothing says what the fee is counted in');
  const fee = feeIn(values, isMove && stated?.asset === '' ? asset.toUpperCase() : currency || 'USD');
  if (fee !== null && isMoney(fee.asset) && fee.asset !== (currency || 'USD') && !isMove)
    values.cells.reject(values.column('fee'), 'fee_currency', 'the fee is in another currency than the row');
  return fee;
}

const pricedFields = ['amount', 'total', 'price', 'debit', 'credit', 'currency'] as const;

/** The tax that was withheld of a row, without its sign. */
export function taxOf(values: MappedValues): Money {
  const stated = values.has('tax') ? (values.counted('tax')?.value ?? null) : null;
  return stated === null ? (0n as Money) : moneyOf(magnitude(stated) ?? stated);
}

/** The proceeds of a sale whose stated money is what was left after fee and tax. Null if it is not. */
function grossBeforeTax(values: MappedValues, units: Quantity | null, money: Money, fee: Money | null): Money | null {
  const tax = taxOf(values);
  if (tax === 0n) return null;
  const { amount, total, computed, tolerance } = values.statedMoney(units, money);
  const gross = ((amount ?? total ?? 0n) + (fee ?? 0n) + tax) as Money;
  if (computed === null) return amount === null && total !== null ? gross : null;
  const apart = gross > computed ? gross - computed : computed - gross;
  return (amount ?? total) !== null && apart <= tolerance ? gross : null;
}

/** The amount before the fee, and the fee. Where what the row states of its money does not agree, it says so. */
function settled(
  values: MappedValues,
  type: TransactionType,
  units: Quantity | null,
  money: Counted | null,
  fee: Side | null,
): { readonly amount: string; readonly fee: string } {
  const isCoinFee = fee !== null && !isMoney(fee.asset);
  const ofFee = fee === null || isCoinFee ? null : moneyOf(fee.quantity);
  const unsettled = { fee: ofFee === null ? '' : formatMoney(ofFee) };
  if (money === null) return { ...unsettled, amount: '' };
  const size = moneyOf(magnitude(money.value) ?? money.value);
  const { side, income } = rowOf(type);
  const beforeTax = side === 'sell' ? grossBeforeTax(values, units, size, ofFee) : null;
  if (beforeTax !== null) return { ...unsettled, amount: formatMoney(beforeTax) };
  if (signedTypes.has(type) || side === undefined) {
    // Units earned for nothing: their value is not known, and is asked.
    const isUnknown = size === 0n && side === undefined && (income === undefined || (units ?? 0n) !== 0n);
    // Of income a minus takes back what was paid. What is reinvested leaves the account.
    const isNegative = signedTypes.has(type) && type !== 'reinvest' && money.value < 0n;
    return { ...unsettled, amount: isUnknown ? '' : `${isNegative ? '-' : ''}${formatMoney(size)}` };
  }
  const checked = checkedMoney({
    side,
    ...values.statedMoney(units, size),
    fee: ofFee,
  });
  if (checked.disagreement !== null) values.cells.warn(checked.disagreement);
  if ((checked.gross ?? 0n) < 0n)
    values.cells.reject(values.moneyColumn(), 'negative', 'the fee is more than the total');
  return {
    amount: checked.gross === null ? '' : formatMoney(checked.gross),
    fee: checked.fee === null ? '' : formatMoney(checked.fee),
  };
}
