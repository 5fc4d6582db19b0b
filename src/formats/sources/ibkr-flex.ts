import type { Money, Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude, sum } from '../cells/amounts.ts';
import { type OptionSymbol, readOption, unitsOfPrice } from '../cells/option-symbol.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, type StatedFields, type Time } from '../reader.ts';
import { computeWorth, readActivity } from '../tables/activity.ts';
import { checkMultiplier, optionEvent, optionStated } from '../tables/brokers.ts';
import { markDelivered } from '../tables/deliveries.ts';
import { cash, cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';
import { deliversStock, endOfOption, isEndOfOption, readCodes } from './ibkr-codes.ts';
import { FlexReader, type FlexSections } from './ibkr-flex-reader.ts';
import { ibkrCorporateAction, ibkrTransfer } from './ibkr-sections.ts';

/**
 * Reads Interactive Brokers Flex queries, with any sections and columns that the customer chose. Imports trades, cash
 * transactions and the income in the statement of funds. If a row has no symbol, the ISIN identifies the asset. Dates
 * are compact, and times are New York time.
 */
export const ibkrFlex = brokerFormat(
  { id: 'ibkr-flex', name: 'Interactive Brokers Flex query', source: 'Interactive Brokers' },
  [
    {
      id: 'trades',
      price: 'TradePrice',
      results: {
        rows: [
          {
            column: 'FifoPnlRealized',
            plus: ['Proceeds', 'IBCommission', 'CostBasis'],
            fees: ['Taxes'],
            unless: { column: 'Notes/Codes', says: /(?:^|;)\s*(?:A|Ex)\s*(?:;|$)/ },
            sameCurrency: ['CurrencyPrimary', 'IBCommissionCurrency'],
          },
        ],
      },
      header: 'Buy/Sell | TradeDate | Quantity | TradePrice | CurrencyPrimary | IBCommission',
    },
    { id: 'cash', header: 'Type | SettleDate | Description | Amount | CurrencyPrimary' },
    // In XML queries, these sections have the columns of an activity statement (`containers/flex.ts`).
    { id: 'actions', header: 'ClientAccountID | Asset Category | Currency | Date/Time | Description | Quantity' },
    { id: 'transfers', header: 'ClientAccountID | Asset Category | Date | Direction | Symbol | Quantity' },
    { id: 'funds', header: 'ActivityCode | ActivityDescription | Date | Amount | CurrencyPrimary | LevelOfDetail' },
  ],
  (_, header, context) => new FlexReader(sections, header, context),
);

const codesColumn = 'Notes/Codes';
const zone = 'America/New_York';

function readTrade(cells: Cells): Outcome {
  const quantity = magnitude(cells.quantity('Quantity'));
  const timeColumn = cells.has('DateTime') && cells.text('DateTime') !== '' ? 'DateTime' : 'TradeDate';
  const codes = readCodes(cells.text(codesColumn));
  const time = isEndOfOption(codes) ? cells.bookedTime(timeColumn, zone) : cells.time(timeColumn);
  const fee = readFee(cells);
  const currency = cells.text('CurrencyPrimary').toUpperCase();
  const assetClass = cells.text('AssetClass').toUpperCase();
  const symbol = cells.text('Symbol').toUpperCase() || cells.text('ISIN').toUpperCase();
  if (symbol === '' || assetClass === 'CASH') return cells.skip(skips.currencyExchanged);
  if (!/^(?:|STK|OPT|FUND|BOND|T?BILL|CRYPTO)$/.test(assetClass))
    return cells.rejected('AssetClass', rejections.assetClassManual);
  const side = cells.text('Buy/Sell').toUpperCase();
  if (!/^(?:BUY|SELL)$/.test(side)) return cells.rejected('Buy/Sell', rejections.neitherPurchaseNorSale);
  if (/cancel/i.test(cells.text('TransactionType'))) return cells.rejected('TransactionType', rejections.cancelsTrade);
  const common: Partial<StatedFields> = {
    currency,
    account: cells.text('AccountAlias') || cells.text('ClientAccountID'),
    externalId: cells.text('TradeID') || cells.text('TransactionID'),
    ...toAssetClass(assetClass),
  };
  const option = assetClass === 'OPT' ? readOption(symbol) : undefined;
  if (assetClass === 'OPT' && option === undefined) return cells.rejected('Symbol', rejections.noOptionNamed);
  if (option !== undefined) checkMultiplier(cells, 'Multiplier', option);
  const event = endOfOption(codes, side === 'BUY');
  const stated = magnitude(cells.roundedMoney('TradeMoney'));
  if (option !== undefined && event !== null)
    return cells.read(time, {
      ...common,
      ...optionEvent(cells, event, option, cells.need('Quantity', quantity), { cash: stated, fee }),
    });
  const columns = { asset: 'Symbol', quantity: 'Quantity', amount: 'TradeMoney' };
  const delivers = option === undefined && deliversStock(codes);
  const type = option === undefined ? stockTrade(cells, side, delivers) : optionTrade(cells, side);
  if (type === null) return cells.rejected('Open/CloseIndicator', rejections.tradeClosesAndOpens);
  const units = unitsPriced(cells, quantity, option);
  const gross = stated ?? (units === null ? null : computeWorth(cells, 'TradePrice', units));
  const net = gross === null ? cells.roundedMoney('NetCash') : null;
  const named = option === undefined ? common : { ...common, ...optionStated(option) };
  const asset = named.asset ?? symbol;
  // TradeMoney is a bond's price without accrued interest, which has its own column.
  const isDebt = /^(?:BOND|T?BILL)$/.test(assetClass);
  const accrued = isDebt && cells.has('AccruedInterest') ? magnitude(cells.roundedMoney('AccruedInterest')) : null;
  const value = gross === null || accrued === null ? gross : ((gross + accrued) as Money);
  const description = [cells.text('Description'), symbol].join(' ');
  const activity = { asset, quantity, gross: value, net, fee, description, accrued };
  return markDelivered(readActivity(cells, time, type, columns, activity, named), delivers);
}

/**
 * Returns the type of a stock trade: an opening sale is short, and a closing purchase covers. Null if the trade both
 * opens and closes, unless an option delivered the shares.
 */
function stockTrade(cells: Cells, side: string, delivers: boolean): TransactionType | null {
  const indicator = cells.text('Open/CloseIndicator').toUpperCase();
  const [opens, closes] = [indicator.includes('O'), indicator.includes('C')];
  if (opens && closes && !delivers) return null;
  if (side === 'BUY') return closes && !opens ? 'cover' : 'buy';
  return opens && !closes ? 'short_sell' : 'sell';
}

/**
 * Returns the units that the price applies to. For contracts, these are shares, by the multiplier. Null for a bond,
 * whose price is a percentage.
 */
function unitsPriced(cells: Cells, quantity: Quantity | null, option: OptionSymbol | undefined): Quantity | null {
  if (quantity === null || /^(?:BOND|T?BILL)$/.test(cells.text('AssetClass').toUpperCase())) return null;
  const multiplier = magnitude(cells.roundedQuantity('Multiplier')) ?? 0n;
  if (multiplier !== 0n) return ((quantity * multiplier) / oneUnit) as Quantity;
  return option === undefined ? quantity : ((quantity * unitsOfPrice(option)) as Quantity);
}

const oneUnit = 10n ** 18n;

function toAssetClass(assetClass: string): Partial<StatedFields> {
  if (/^T?BILL$/.test(assetClass)) return { assetClass: 'treasury_bill' };
  return assetClass === 'BOND' ? { assetClass: 'bond' } : assetClass === 'CRYPTO' ? { assetClass: 'crypto' } : {};
}

function optionTrade(cells: Cells, side: string): TransactionType {
  const closes = /C/i.test(cells.text('Open/CloseIndicator'));
  if (side === 'BUY') return closes ? 'buy_to_close' : 'buy_to_open';
  return closes ? 'sell_to_close' : 'sell_to_open';
}

/**
 * Adds up commission and taxes, which are negative in the file. Rejects a commission that is in a different currency
 * than the trade.
 */
function readFee(cells: Cells): Money | null {
  const commission = cells.roundedMoney('IBCommission');
  const foreign = cells.text('IBCommissionCurrency').toUpperCase();
  const traded = cells.text('ISIN') !== '' || cells.text('Symbol') !== '';
  if (commission !== null && commission !== 0n && foreign !== '' && traded) {
    if (foreign !== cells.text('CurrencyPrimary').toUpperCase() && cells.text('AssetClass') !== 'CASH')
      cells.reject('IBCommissionCurrency', rejections.feeNotInCurrencyOfTrade);
  }
  return sum(commission, cells.roundedMoney('Taxes'));
}

const kinds: Kinds = [
  ['dividends', 'dividend'],
  ['payment in lieu of dividends', 'other_income'],
  [/^withholding tax/, 'withholding'],
  [/interest received|^bond interest received/, 'interest'],
  [/interest paid|fees|commission/, cashFee],
  [/^deposits|withdrawals$/, cash],
];

function readCash(cells: Cells): Outcome {
  const net = cells.roundedMoney('Amount');
  const time = cells.bookedTime('SettleDate', zone);
  return readPaid(cells, time, net, { column: 'Type', kinds, description: cells.text('Description') });
}

/** Codes in the statement of funds. */
const fundsKinds: Kinds = [
  ['div', 'dividend'],
  ['pil', 'other_income'],
  ['frtax', 'withholding'],
  [/^(?:cint|intr)$/, 'interest'],
  [/^(?:dint|intp|ofee|stax)$/, cashFee],
  [/^(?:dep|with)$/, cash],
  ['forex', { skip: skips.currencyExchanged }],
  [/^(?:adj|corp)$/, { refuse: rejections.fundsWithoutDetail }],
];

function readFunds(cells: Cells): Outcome {
  const net = cells.roundedMoney('Amount');
  const time = cells.bookedTime('Date', zone);
  const stated = { column: 'ActivityCode', kinds: fundsKinds, description: cells.text('ActivityDescription') };
  return readPaid(cells, time, net, stated);
}

interface PaidRow {
  readonly column: string;
  readonly kinds: Kinds;
  readonly description: string;
}

/** Reads income, or tax withheld from it. */
function readPaid(
  cells: Cells,
  time: Time | null,
  net: Money | null,
  { column, kinds, description }: PaidRow,
): Outcome {
  const kind = readRowKind(cells, column, kinds);
  if (typeof kind !== 'string') return kind;
  const type = kind === 'dividend' && /\(return of capital\)/i.test(description) ? 'return_of_capital' : kind;
  const symbol = /^([A-Z0-9.]+) ?\(/.exec(description)?.[1] ?? '';
  const asset = (cells.text('Symbol') || symbol || cells.text('ISIN')).toUpperCase();
  const common = {
    currency: cells.text('CurrencyPrimary').toUpperCase(),
    account: cells.text('AccountAlias') || cells.text('ClientAccountID'),
    externalId: cells.text('TransactionID'),
    note: description,
  };
  const columns = { asset: 'Symbol', quantity: 'Quantity', amount: 'Amount' };
  return readActivity(cells, time, type, columns, { asset, quantity: null, net }, common);
}

const sections: FlexSections = {
  ...{ layouts: ibkrFlex.layouts, zone, codesColumn, readTrade, readCash, readFunds },
  readAction: ibkrCorporateAction,
  readTransfer: ibkrTransfer,
};
