import type { Cells } from '../cells/cells.ts';
import type { Outcome } from '../format.ts';
import { pricedSide, readPairTrade, readUnits, splitPair } from '../tables/pairs.ts';
import { formatOfTables, transfers } from '../tables/tables.ts';

/**
 * Reads files from TradeSatoshi, closed in 2020: trades, with the fee on top in the quote, deposits and withdrawals.
 * Times are UTC.
 */
export const tradeSatoshi = formatOfTables(
  { id: 'tradesatoshi', name: 'TradeSatoshi trades and transfers', source: 'TradeSatoshi', asksDateOrder: true },
  [
    {
      id: 'trades',
      required: ['Id', 'TradePair', 'TradeType', 'Amount', 'Rate', 'Fee', 'timestamp', 'IsApi'],
      read: tradesBy('TradeType'),
    },
    {
      id: 'trade-history',
      required: ['Id', 'TradePair', 'TradeHistoryType', 'Amount', 'Rate', 'Fee', 'timestamp', 'IsApi'],
      read: tradesBy('TradeHistoryType'),
    },
    {
      id: 'withdrawals-net',
      required: ['Id', 'User', 'Symbol', 'Amount', 'Fee', 'Net Amount', 'Status', 'TxId', 'Address', 'TimeStamp'],
      read: createTransferReader('out', { fee: 'Fee', feeWithin: true }),
    },
    {
      id: 'withdrawals',
      required: ['TimeStamp', 'Currency', 'Symbol', 'Amount', 'Confirmation', 'TxId', 'Address', 'PaymentId', 'Status'],
      read: createTransferReader('out'),
    },
    {
      id: 'deposits-with-status',
      required: ['Id', 'Currency', 'Symbol', 'Amount', 'Status', 'Confirmations', 'TxId', 'TimeStamp'],
      read: createTransferReader('in'),
    },
    {
      id: 'deposits',
      required: ['TimeStamp', 'Currency', 'Symbol', 'Amount', 'Confirmation', 'TxId'],
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
