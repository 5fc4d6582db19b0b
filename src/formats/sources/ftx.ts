import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readSide } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';
import { earnings, trades, transfers } from '../tables/tables.ts';

/**
 * Reads two generations of FTX and FTX US files, closed in 2022: fills, deposits, withdrawals, lending, staking and
 * dust conversions. A market without a slash is a future. Times have an offset or are UTC.
 */
export const ftx = coinFormat({ id: 'ftx', name: 'FTX fills, transfers and income', source: 'FTX' }, [
  {
    id: 'fills',
    price: 'Price',
    header: 'ID | Time | Market | Side | Order Type | Size | Price | Total | Fee | Fee Currency',
    read: (cells) => readFill(cells, 'Fee Currency'),
  },
  {
    id: 'fills-api',
    price: 'price',
    header: 'id | time | market | side | type | size | price | total | fee | feeCurrency',
    read: (cells) => readFill(cells, 'feeCurrency'),
  },
  {
    id: 'withdrawals',
    header: 'Time | Coin | Amount | Destination | Status | Transaction ID | fee',
    read: transfers({ ...moved('Time', 'Coin', 'Amount', 'Transaction ID'), way: 'out', fee: 'fee' }),
  },
  {
    id: 'withdrawals-api',
    header: 'time | coin | size | address | status | txid | fee | id',
    read: transfers({ ...moved('time', 'coin', 'size', 'txid'), way: 'out', fee: 'fee' }),
  },
  {
    id: 'deposits',
    header: 'Time | Coin | Amount | Status | Additional info | Transaction ID',
    read: transfers({ ...moved('Time', 'Coin', 'Amount', 'Transaction ID'), way: 'in' }),
  },
  {
    id: 'deposits-api',
    header: 'id | time | coin | size | status | txid',
    read: transfers({ ...moved('time', 'coin', 'size', 'txid'), way: 'in' }),
  },
  {
    id: 'lending',
    header: 'Time | Currency | Size | Hourly Funding Rate | Proceeds | Proceeds in USD',
    read: earnings({ date: 'Time', earned: ['Currency', 'Proceeds'], type: 'interest', worth: 'Proceeds in USD' }),
  },
  {
    id: 'lending-api',
    header: 'time | coin | size | rate | proceeds',
    read: earnings({ date: 'time', earned: ['coin', 'proceeds'], type: 'interest' }),
  },
  {
    id: 'staking',
    header: 'Time | Notes | Coin | Reward',
    read: earnings({ date: 'Time', earned: ['Coin', 'Reward'], type: 'staking' }),
  },
  {
    id: 'dust',
    header: 'time | from | to | size | fee | price | proceeds | status',
    onlyWhenAsked: true,
    read: readDust,
  },
]);

/** Reads small balances converted to one coin. A fee without a coin is rejected, so the user is asked. */
function readDust(cells: Cells): Outcome {
  const [given, received] = [readSide(cells, 'from', 'size'), readSide(cells, 'to', 'proceeds')];
  const time = cells.time('time');
  if ((cells.roundedQuantity('fee') ?? 0n) !== 0n) cells.reject('fee', rejections.feeAssetMissing);
  if (!cells.flawed && !/^complete/i.test(cells.text('status'))) return cells.skip(skips.orderNotFilled);
  return readMovement(cells, time, { given, received, kind: 'trade' }, {});
}

function moved(date: string, coin: string, amount: string, id: string) {
  return { date, moved: [coin, amount], status: 'Status', id } as const;
}

function readFill(cells: Cells, feeAsset: string): Outcome {
  if (!cells.text('Market').includes('/')) return cells.rejected('Market', rejections.futures);
  if ((cells.roundedQuantity('Fee') ?? 0n) < 0n) return cells.rejected('Fee', rejections.feePaidOut);
  return trades({
    date: 'Time',
    side: 'Side',
    pair: 'Market',
    quantity: 'Size',
    total: 'Total',
    fee: 'Fee',
    feeAsset,
    id: 'ID',
  })(cells);
}
