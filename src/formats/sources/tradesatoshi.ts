import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { pricedSide, readPairTrade, readUnits, splitPair } from '../tables/pairs.ts';
import { transfers } from '../tables/tables.ts';

/**
 * Reads files from TradeSatoshi, closed in 2020: trades, with the fee on top in the quote, deposits and withdrawals.
 * Times are UTC.
 */
export const tradeSatoshi = coinFormat(
  { id: 'tradesatoshi', name: 'TradeSatoshi trades and transfers', source: 'TradeSatoshi', asksDateOrder: true },
  [
    {
      id: 'trades',
      header: 'Id | TradePair | TradeType | Amount | Rate | Fee | timestamp | IsApi',
      read: tradesBy('TradeType'),
    },
    {
      id: 'trade-history',
      header: 'Id | TradePair | TradeHistoryType | Amount | Rate | Fee | timestamp | IsApi',
      read: tradesBy('TradeHistoryType'),
    },
    {
      id: 'withdrawals-net',
      header: 'Id | User | Symbol | Amount | Fee | Net Amount | Status | TxId | Address | TimeStamp',
      read: createTransferReader('out', { fee: 'Fee', feeWithin: true }),
    },
    {
      id: 'withdrawals',
      header: 'TimeStamp | Currency | Symbol | Amount | Confirmation | TxId | Address | PaymentId | Status',
      read: createTransferReader('out'),
    },
    {
      id: 'deposits-with-status',
      header: 'Id | Currency | Symbol | Amount | Status | Confirmations | TxId | TimeStamp',
      read: createTransferReader('in'),
    },
    {
      id: 'deposits',
      header: 'TimeStamp | Currency | Symbol | Amount | Confirmation | TxId',
      read: createTransferReader('in'),
    },
  ],
);

function createTransferReader(
  direction: 'in' | 'out',
  fees: { fee?: string; feeWithin?: true } = {},
): (cells: Cells) => Outcome {
  return transfers({
    date: 'TimeStamp',
    moved: ['Symbol', 'Amount'],
    way: direction,
    status: 'Status',
    id: 'TxId',
    ...fees,
  });
}

function tradesBy(type: string): (cells: Cells) => Outcome {
  return (cells) => {
    const [base, quote] = splitPair(cells, 'TradePair') ?? [];
    const units = readUnits(cells, 'Amount', base);
    const sides = { base: units, quote: pricedSide(cells, 'Rate', units, quote), fee: readUnits(cells, 'Fee', quote) };
    return readPairTrade(cells, cells.time('timestamp'), type, sides, { externalId: cells.text('Id') });
  };
}
