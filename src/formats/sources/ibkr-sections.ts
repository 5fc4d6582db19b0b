import type { Money, Quantity } from '../../base/decimal.ts';
import type { AssetClass, TransactionType } from '../../engine/model.ts';
import { magnitude, negateAmount, noneIfZero, toFee } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { formatOption, readOption } from '../cells/option-symbol.ts';
import { rejections, skips } from '../cells/reasons.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome, Row } from '../format.ts';
import { readRatio } from '../lotbook/lotbook-values.ts';
import { computeWorth } from '../tables/activity.ts';
import { asDebt } from '../tables/bonds.ts';
import { optionAsset, optionEvent, optionStated, rejectSpinoff, sharesMoved } from '../tables/brokers.ts';
import type { ActionKind, ActionRow, CorporateActions } from '../tables/corporate-actions.ts';
import { markDelivered } from '../tables/deliveries.ts';
import { checkPrice } from '../tables/stated-money.ts';
import { deliversStock, endOfOption, isEndOfOption, readCodes } from './ibkr-codes.ts';

/** The state while reading a statement. */
export interface IbkrStatement {
  account: string;
  /** The base currency, used for all money in "Transaction History". '' until it is known. */
  currency: string;
  /** Splits already read. The file has one row for the old and one for the new shares. */
  readonly splits: Set<string>;
  /** Mergers and CUSIP changes. The file has one row for the old and one for the new shares. */
  readonly actions: CorporateActions;
}

type SectionReader = (cells: Cells, statement: IbkrStatement) => Outcome | readonly Outcome[];

/**
 * IBKR times are US Eastern time. The taxpayer's zone determines the day of a trade. Bookings after the close, at 4:20
 * or 8:25 PM, count on the statement's day.
 */
const zone = 'America/New_York';

export const ibkrSections: ReadonlyMap<string, SectionReader> = new Map<string, SectionReader>([
  ['Trades', trade],
  ['Dividends', dividend],
  ['Payment In Lieu Of Dividends', (cells, statement) => income(cells, statement, 'other_income')],
  ['Withholding Tax', readWithholding],
  ['871(m) Withholding', readWithholding],
  ['Interest', interest],
  ['Bond Interest Received', (cells, statement) => income(cells, statement, 'interest')],
  ['Corporate Actions', ibkrCorporateAction],
  ['Transfers', ibkrTransfer],
  ['Transaction History', history],
  ['Summary', summary],
  ['Account Information', accountInformation],
  ['Deposits & Withdrawals', (cells) => cells.skip(skips.cashMoved)],
  ['Fees', (cells) => cells.skip(skips.cashFeePaid)],
  ['Transaction Fees', (cells) => cells.skip(skips.cashFeePaid)],
  ['Sales Tax', (cells) => cells.skip(skips.cashFeePaid)],
  ['Commission Adjustments', (cells) => cells.skip(skips.cashFeePaid)],
]);

function summary(cells: Cells, statement: IbkrStatement): Outcome {
  statement.currency ||= readBaseCurrency(cells.row) ?? '';
  return cells.skip(skips.sectionEmpty('Summary'));
}

/**
 * Finds the base currency in a summary row, in any language. No other value there consists of three capital letters.
 */
export function readBaseCurrency({ cells }: Row): string | undefined {
  const [section, kind, , value = ''] = cells.map((cell) => cell.trim());
  return section === 'Summary' && kind === 'Data' && /^[A-Z]{3}$/.test(value) ? value : undefined;
}

function accountInformation(cells: Cells, statement: IbkrStatement): Outcome {
  if (/^account$/i.test(cells.text('Field Name'))) statement.account = cells.text('Field Value');
  return cells.skip(skips.sectionEmpty('Account Information'));
}

const classes: ReadonlyMap<string, AssetClass | null> = new Map([
  ['stocks', null],
  ['equity and index options', 'option'],
  ['bonds', 'bond'],
  ['treasury bills', 'treasury_bill'],
  ['bills', 'treasury_bill'],
  ['mutual funds', 'fund'],
  ['funds', 'fund'],
  ['crypto', 'crypto'],
  ['cryptocurrencies', 'crypto'],
  ['warrants', null],
]);

function trade(cells: Cells, statement: IbkrStatement): Outcome {
  const level = cells.text('DataDiscriminator').toLowerCase();
  if (level === '' || level === 'total') return cells.skip(skips.totalRow);
  if (level !== 'order') return cells.skip(skips.inOrder);
  const category = cells.text('Asset Category').toLowerCase();
  if (category === 'forex') return cells.skip(skips.currencyExchanged);
  const assetClass = classes.get(category);
  if (assetClass === undefined) {
    return cells.rejected('Asset Category', rejections.notImported(category));
  }
  const quantity = cells.need('Quantity', noneIfZero(cells.quantity('Quantity')));
  const proceeds = cells.need('Proceeds', cells.money('Proceeds'));
  const codes = readCodes(cells.text('Code'));
  const time = isEndOfOption(codes) ? cells.bookedTime('Date/Time', zone) : cells.time('Date/Time', zone);
  const symbol = cells.text('Symbol');
  if (symbol === '') cells.reject('Symbol', rejections.requiredHere);
  const bought = quantity !== null && quantity > 0n;
  const stated: StatedFields = {
    type: bought ? 'buy' : 'sell',
    account: statement.account,
    asset: symbol,
    assetClass,
    quantity: magnitude(quantity),
    amount: bought ? negateAmount(proceeds) : proceeds,
    fee: toFee(cells.money(cells.has('Comm/Fee') ? 'Comm/Fee' : 'Comm in USD')),
    currency: currencyOf(cells),
  };
  const side = bought ? 'buy' : 'sell';
  const isDebt = assetClass === 'bond' || assetClass === 'treasury_bill';
  const named = isDebt ? asDebt(cells, { stated, description: symbol, price: '' }) : stated;
  checkPrice(cells, 'T. Price', {
    side,
    units: stated.quantity ?? null,
    gross: stated.amount ?? null,
    fee: stated.fee ?? null,
  });
  // Shares delivered by an option may close a position and open the opposite one. The option's event divides them.
  const delivers = assetClass !== 'option' && deliversStock(codes);
  if (codes.includes('O') && codes.includes('C') && !delivers) {
    return cells.rejected('Code', rejections.orderClosesAndOpens);
  }
  if (assetClass === 'option') return cells.read(time, ...optionTrade(cells, stated, quantity, codes));
  const short = bought ? codes.includes('C') : codes.includes('O');
  const isShort = short && !(codes.includes('O') && codes.includes('C'));
  return markDelivered(
    cells.read(time, isShort ? { ...stated, type: bought ? 'cover' : 'short_sell' } : named),
    delivers,
  );
}

function optionTrade(
  cells: Cells,
  stated: StatedFields,
  quantity: Quantity | null,
  codes: readonly string[],
): StatedFields[] {
  const option = readOption(stated.asset ?? '');
  if (option === undefined) {
    cells.reject('Symbol', rejections.noOptionNamed);
    return [];
  }
  const ends = endOfOption(codes, quantity !== null && quantity > 0n);
  const { account, currency, fee: paid } = stated;
  if (ends !== null)
    return [
      {
        ...optionEvent(cells, ends, option, quantity, { cash: stated.amount ?? null, fee: paid ?? null }),
        account: account ?? '',
        currency: currency ?? 'USD',
      },
    ];
  const opens = codes.includes('O');
  if (!opens && !codes.includes('C')) cells.reject('Code', rejections.codeUnclear);
  const bought = quantity !== null && quantity > 0n;
  const type = `${bought ? 'buy' : 'sell'}_to_${opens ? 'open' : 'close'}` as const;
  return [{ ...stated, ...optionStated(option), type, fee: paid ?? null }];
}

function dividend(cells: Cells, statement: IbkrStatement): Outcome {
  const description = cells.text('Description');
  const type = /return of capital/i.test(description)
    ? 'return_of_capital'
    : /payment in lieu/i.test(description)
      ? 'other_income'
      : 'dividend';
  return income(cells, statement, type);
}

function income(cells: Cells, statement: IbkrStatement, type: TransactionType): Outcome {
  if (/^total/i.test(cells.text('Currency'))) return cells.skip(skips.totalRow);
  return cells.read(cells.time('Date'), cashStated(cells, statement, type, cells.money('Amount')));
}

function readWithholding(cells: Cells, statement: IbkrStatement): Outcome {
  if (/^total/i.test(cells.text('Currency'))) return cells.skip(skips.totalRow);
  return cells.read(
    cells.time('Date'),
    cashStated(cells, statement, 'withholding', negateAmount(cells.money('Amount'))),
  );
}

function interest(cells: Cells, statement: IbkrStatement): Outcome {
  if (/^total/i.test(cells.text('Currency'))) return cells.skip(skips.totalRow);
  if (/debit interest|borrow fee|margin/i.test(cells.text('Description'))) return cells.skip(skips.cashFeePaid);
  const stated = cashStated(cells, statement, 'interest', cells.money('Amount'));
  return cells.read(cells.time('Date'), { ...stated, asset: '' });
}

function cashStated(cells: Cells, statement: IbkrStatement, type: TransactionType, amount: Money | null): StatedFields {
  return {
    type,
    account: statement.account,
    asset: readPayer(cells.text('Description')),
    amount: cells.need('Amount', amount),
    currency: currencyOf(cells),
    note: cells.text('Description'),
  };
}

/** Returns the payer in "AAPL(US0378331005) Cash Dividend USD 0.24 per Share". */
function readPayer(description: string): string {
  return /^([^()]+)\([A-Z0-9]{6,12}\)/.exec(description)?.[1]?.trimEnd() ?? '';
}

/** Matches the description after the symbol: `ACME(US0000000001) Merged(Acquisition) for USD 67.00 per Share (…)`. */
const actionKinds: readonly (readonly [RegExp, ActionKind])[] = [
  [/^merged\((?:acquisition|liquidation)\) +for [a-z]{3} [\d.,]+ per share\b/i, 'payout'],
  [
    /^(?:full call \/ early redemption|(?:bond|t-?bill|treasury bill) maturity) +for [a-z]{3} [\d.,]+ per bond\b/i,
    'payout',
  ],
  [/^merged\(acquisition\) +with \w+ \d+ for \d+\b/i, 'exchange'],
  [/^(?:cusip\/isin|symbol|name) change\b/i, 'rename'],
];

export function ibkrCorporateAction(cells: Cells, statement: IbkrStatement): Outcome | readonly Outcome[] {
  if (/^total/i.test(cells.text('Asset Category'))) return cells.skip(skips.totalRow);
  if (/^closed lot\b/i.test(cells.text('Report Date'))) return cells.skip(skips.inAction);
  const description = cells.text('Description');
  const [, symbol = '', what = ''] = /^([^()]+)\([^()]*\) (.*)$/.exec(description) ?? [];
  const kind = actionKinds.find(([shape]) => shape.test(what))?.[1];
  if (kind !== undefined) return statement.actions.add(actionRow(cells, statement, kind, symbol));
  if (/^spin-?off\b/i.test(what)) {
    const terms = { asset: ownSymbol(description), quantity: cells.quantity('Quantity'), parent: symbol };
    return rejectSpinoff(cells, 'Description', terms);
  }
  const split = /^([^()]+)\([^()]*\) Split (\d+) for (\d+)/i.exec(description);
  if (split === null) return cells.rejected('Description', rejections.actionTermsMissing);
  const [, asset = '', newUnits = '', oldUnits = ''] = split;
  const time = cells.bookedTime('Date/Time', zone);
  if ((cells.roundedMoney('Proceeds') ?? 0n) !== 0n) return cells.rejected('Proceeds', rejections.moneyLeft);
  const ratio = readRatio(`${newUnits}:${oldUnits}`);
  const key = `${asset} ${newUnits}:${oldUnits} ${time?.at ?? time?.on}`;
  if (statement.splits.has(key)) return cells.skip(skips.inOtherSplitRow);
  statement.splits.add(key);
  return cells.read(time, {
    type: 'split',
    account: statement.account,
    asset,
    ratio: ratio ?? null,
    note: description,
  });
}

function actionRow(cells: Cells, statement: IbkrStatement, kind: ActionKind, symbol: string): ActionRow {
  const quantity = cells.need('Quantity', noneIfZero(cells.quantity('Quantity')));
  const written = (ownSymbol(cells.text('Description')) || symbol).replace(/\.OLD$/, '');
  const option = readOption(written);
  const asset = option === undefined ? written : formatOption(option);
  const category = classes.get(cells.text('Asset Category').toLowerCase());
  if (category === undefined) cells.reject('Asset Category', rejections.assetClassNotImported);
  // The time is when the broker booked it, after the exchange closed, so only the day counts.
  const time = kind === 'payout' ? readTradeDay(cells) : cells.bookedTime('Date/Time', zone);
  return {
    cells,
    column: 'Description',
    time,
    kind,
    asset,
    quantity,
    amount: noneIfZero(cells.roundedMoney('Proceeds')),
    common: { account: statement.account, assetClass: category ?? null, currency: currencyOf(cells) },
  };
}

function readTradeDay(cells: Cells): Time | null {
  return cells.parseTime('Date/Time', cells.text('Date/Time').replace(/[,; ].*$/, ''));
}

/** Returns the row's symbol, which is at the end of the description: `(ACME, ACME CORP, US0000000001)`. */
function ownSymbol(description: string): string {
  return /\(([^(),]+), [^()]*\)$/.exec(description.trim())?.[1]?.trim() ?? '';
}

export function ibkrTransfer(cells: Cells, statement: IbkrStatement): Outcome {
  const category = cells.text('Asset Category').toLowerCase();
  if (/^total/.test(category)) return cells.skip(skips.totalRow);
  const quantity = noneIfZero(cells.quantity(cells.has('Qty') ? 'Qty' : 'Quantity'));
  if (quantity === null || category === 'cash') return cells.skip(skips.cashMoved);
  const out = /out/i.test(cells.text('Direction'));
  const option = readOption(cells.text('Symbol'));
  const stated: StatedFields = {
    ...sharesMoved(quantity),
    account: statement.account,
    asset: cells.text('Symbol'),
    assetClass: classes.get(category) ?? null,
    ...(option === undefined ? {} : optionAsset(option)),
  };
  return cells.read(cells.bookedTime('Date', zone), out ? { ...stated, type: 'withdrawal' } : stated);
}

/** Reads "Transaction History", which contains all kinds in one table, gross and net in the base currency. */
function history(cells: Cells, statement: IbkrStatement): Outcome {
  const kind = cells.text('Transaction Type').toLowerCase();
  if (/^(?:deposit|withdrawal|cash transfer|electronic fund)/.test(kind)) return cells.skip(skips.cashMoved);
  if (/^(?:other fee|sales tax|debit interest|commission adjustment|transaction fee)/.test(kind))
    return cells.skip(skips.cashFeePaid);
  if (/^(?:adjustment|forex)/.test(kind)) return cells.skip(skips.currencyExchanged);
  const symbol = cells.text('Symbol');
  const net = cells.roundedMoney('Net Amount');
  const currency = statement.currency || 'USD';
  const common = {
    account: cells.text('Account') || statement.account,
    asset: symbol === '-' ? '' : symbol,
    currency,
    note: cells.text('Description'),
  };
  const type = historyIncome.get(kind);
  const time = cells.time('Date');
  if (type !== undefined) {
    const amount = cells.need('Net Amount', type === 'withholding' ? negateAmount(net) : net);
    return cells.read(time, { ...common, type, amount });
  }
  if (kind !== 'buy' && kind !== 'sell') {
    return cells.rejected('Transaction Type', rejections.notImported(kind));
  }
  if (readOption(symbol) !== undefined) {
    return cells.rejected('Symbol', rejections.contractsNotInTable);
  }
  const gross = cells.need('Gross Amount', cells.roundedMoney('Gross Amount'));
  const quantity = cells.need('Quantity', magnitude(cells.quantity('Quantity')));
  const priced = statement.currency === '' ? cells.text('Price Currency').toUpperCase() : '';
  if (priced !== '' && !isPriceTimesUnits(computeWorth(cells, 'Price', quantity), gross))
    return cells.rejected('Price Currency', rejections.baseCurrencyMissing);
  return cells.read(time, {
    ...common,
    currency: priced || currency,
    type: kind,
    quantity,
    amount: kind === 'buy' ? negateAmount(gross) : gross,
    fee: toFee(cells.roundedMoney('Commission')),
  });
}

/** Returns whether the money is within 1% of price × units, which means that both are in the same currency. */
function isPriceTimesUnits(worth: Money | null, gross: Money | null): boolean {
  if (worth === null || gross === null) return false;
  const difference = magnitude(((magnitude(gross) ?? 0n) - worth) as Money) ?? 0n;
  return difference * 100n <= worth;
}

const historyIncome: ReadonlyMap<string, TransactionType> = new Map([
  ['dividend', 'dividend'],
  ['payment in lieu', 'other_income'],
  ['credit interest', 'interest'],
  ['investment interest received', 'interest'],
  ['investment interest paid', 'interest'],
  ['foreign tax withholding', 'withholding'],
]);

function currencyOf(cells: Cells): string {
  return cells.text('Currency').toUpperCase() || 'USD';
}
