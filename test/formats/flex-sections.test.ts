import { describe, expect, test } from 'bun:test';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/** A Flex query has several sections, each with its own header, and may report a row at several levels of detail. */

const trades =
  'CurrencyPrimary,Symbol,DateTime,TradeDate,Quantity,TradePrice,Buy/Sell,TradeID,TradeMoney,IBCommission,FifoPnlRealized,LevelOfDetail';
const cash = 'CurrencyPrimary,Symbol,Description,SettleDate,Amount,Type,TransactionID,LevelOfDetail';
const funds = 'CurrencyPrimary,Symbol,Date,ActivityCode,ActivityDescription,Amount,LevelOfDetail,TransactionID';
const actions = 'CurrencyPrimary,Symbol,Report Date,ActionDescription,Quantity,Type,Amount,Description';

const bought = 'USD,ACME,20240102;100000,20240102,10,5,BUY,1,50,-1,0,EXECUTION';
const paid = 'USD,ACME,ACME(US0000000001) Cash Dividend,20240301,12.50,Dividends,7,DETAIL';
const paidFunds = 'USD,ACME,20240301,DIV,ACME(US0000000001) Cash Dividend,12.50,Currency,7';
const paidInBase = 'EUR,ACME,20240301,DIV,ACME(US0000000001) Cash Dividend,11.50,BaseCurrency,7';
const boughtFunds = 'USD,ACME,20240102,BUY,Buy 10 ACME,-51,Currency,1';

const readLines = async (...rows: readonly string[]): Promise<string[]> =>
  outcomeLines(await readWhole(`${rows.join('\n')}\n`, { format: 'ibkr-flex' }), 'Interactive Brokers');
const coded = (code: string, header: string, ...rows: readonly string[]): string[] => [
  `HEADER,${code},${header}`,
  ...rows.map((row) => `DATA,${code},${row}`),
];
const dividend = 'dividend ACME amount=12.50 id=7';
const purchase = '2024-01-02T15:00:00Z buy ACME quantity=10 amount=50.00 fee=1.00 id=1';

describe('the sections of a Flex query', () => {
  test('a dividend in both currencies of the statement of funds is read once', async () => {
    expect(await readLines(funds, paidInBase, paidFunds)).toEqual([`3 2024-03-01 ${dividend}`]);
    expect(await readLines(funds, paidFunds, paidInBase)).toEqual([`2 2024-03-01 ${dividend}`]);
  });

  test('a statement of funds only in the base currency is read', async () => {
    expect(await readLines(funds, paidInBase)).toEqual(['2 2024-03-01 dividend ACME amount=11.50 currency=EUR id=7']);
  });

  test('income in a statement of funds above the trades is not lost', async () => {
    const rows = [...coded('STFU', funds, paidInBase, paidFunds, boughtFunds), ...coded('TRNT', trades, bought)];
    expect(await readLines(...rows)).toEqual([`3 2024-03-01 ${dividend}`, `6 ${purchase}`]);
  });

  test('cash transactions count, and a statement of funds with the same rows does not', async () => {
    const sections = [coded('STFU', funds, paidFunds), coded('CTRN', cash, paid), coded('TRNT', trades, bought)];
    expect(await readLines(...sections.flat())).toEqual([`4 2024-03-01 ${dividend}`, `6 ${purchase}`]);
    expect(await readLines(...sections.toReversed().flat())).toEqual([`2 ${purchase}`, `4 2024-03-01 ${dividend}`]);
  });

  test('sections without codes are detected by their headers', async () => {
    expect(await readLines(trades, bought, cash, paid)).toEqual([`2 ${purchase}`, `4 2024-03-01 ${dividend}`]);
    expect(await readLines(cash, paid, trades, bought)).toEqual([`2 2024-03-01 ${dividend}`, `4 ${purchase}`]);
  });

  test('rows in a section that is not read are rejected, and positions are skipped', async () => {
    const action = 'USD,ACME,20240501,ACME SPLIT 2 FOR 1,10,FS,0,ACME';
    expect(await readLines(trades, bought, actions, action)).toEqual([
      `2 ${purchase}`,
      '4 REJECTED null: unread_section',
    ]);
    const positions = ['CurrencyPrimary,Symbol,Quantity,MarkPrice,PositionValue', 'USD,ACME,10,6,60'];
    expect(await readLines(trades, bought, ...positions)).toEqual([`2 ${purchase}`]);
    expect(await readLines(...coded('TRNT', trades, bought), ...coded('ZZZZ', 'Rate,FromDate', '1,20240101'))).toEqual([
      `2 ${purchase}`,
      '4 REJECTED null: unread_section',
    ]);
  });

  test('trades in a statement of funds without the section of trades are rejected', async () => {
    expect(await readLines(funds, boughtFunds, paidFunds)).toEqual([
      '2 REJECTED null: unread_section',
      `3 2024-03-01 ${dividend}`,
    ]);
  });

  test('prices and gains are compared under the first header only', async () => {
    const { end } = await readWhole([trades, bought, cash, paid, ''].join('\n'));
    expect(end.compared.map(({ result, compared, differing }) => [result, compared, differing])).toEqual([
      ['price', 1, 0],
    ]);
  });
});

test('a row that cancels a trade is rejected, not read as another trade', async () => {
  const header = trades.replace('TradeID', 'TransactionType');
  const cancels = bought.replace(',1,50,', ',TradeCancel,-50,').replace(',10,5,', ',-10,5,');
  expect(await readLines(header, cancels)).toEqual(['2 REJECTED TransactionType: canceled']);
});

describe('the levels of detail of a Flex query', () => {
  const order = bought.replace('EXECUTION', 'ORDER');
  const summary = bought.replace('EXECUTION', 'SYMBOL_SUMMARY');

  test('an order counts if the query contains no executions', async () => {
    expect(await readLines(trades, summary, order)).toEqual([`3 ${purchase}`]);
    expect(await readLines(trades, summary, order, bought)).toEqual([`4 ${purchase}`]);
  });

  test('a query with summaries alone is rejected', async () => {
    expect(await readLines(trades, summary)).toEqual(['2 REJECTED null: unread_section']);
  });

  test('a summary of cash transactions counts if the query contains no details', async () => {
    const total = paid.replace('DETAIL', 'SUMMARY');
    expect(await readLines(cash, total)).toEqual([`2 2024-03-01 ${dividend}`]);
    expect(await readLines(cash, total, paid)).toEqual([`3 2024-03-01 ${dividend}`]);
  });
});
