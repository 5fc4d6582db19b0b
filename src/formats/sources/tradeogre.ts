import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { pricedSide, readPairTrade, readUnits } from '../tables/pairs.ts';
import { transfers } from '../tables/tables.ts';

/**
 * Reads files from TradeOgre, which closed in 2025: trades, deposits and withdrawals. A trade names its market with the
 * quote first (`BTC-XMR`), and its fee is added on top in the quote asset. The amount of a withdrawal includes its fee.
 * Times are UTC.
 */
export const tradeOgre = coinFormat({ id: 'tradeogre', name: 'TradeOgre trades and transfers', source: 'TradeOgre' }, [
  {
    id: 'trades',
    header: 'Type | Exchange | Date | Amount | Price | Fee',
    // No other source has pairs in a column called Exchange.
    evidence: { column: 'Exchange', says: /^[A-Z0-9]{2,10}-[A-Z0-9]{2,10}$/ },
    read: readTrade,
  },
  {
    id: 'withdrawals',
    header: 'Date | Coin | TXID | Amount | Fee | Address | Payment ID',
    read: transfers({ date: 'Date', moved: ['Coin', 'Amount'], way: 'out', fee: 'Fee', feeWithin: true, id: 'TXID' }),
  },
  {
    id: 'deposits',
    header: 'Date | Coin | TXID | Amount',
    onlyWhenAsked: true,
    read: transfers({ date: 'Date', moved: ['Coin', 'Amount'], way: 'in', id: 'TXID' }),
  },
]);

function readTrade(cells: Cells): Outcome {
  const [quote = '', base = ''] = cells.text('Exchange').split('-');
  const units = readUnits(cells, 'Amount', base);
  const total = pricedSide(cells, 'Price', units, quote);
  const sides = { base: units, quote: total, fee: readUnits(cells, 'Fee', quote) };
  return readPairTrade(cells, cells.time('Date'), 'Type', sides, {});
}
