import type { Quantity } from '../../base/decimal.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readSide, type Side, sideWith } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';
import { readPairTrade, readUnits } from '../tables/pairs.ts';

/**
 * Reads Bittrex orders and transfers from 2023, with totals that include the fee, and from 2014–2020. The older files
 * write the market quote first (`BTC-ETH`), and the price is the total before the commission, which some rows lack.
 * Times are UTC.
 */
export const bittrex = coinFormat({ id: 'bittrex', name: 'Bittrex history', source: 'Bittrex' }, [
  {
    id: 'orders-2023',
    price: 'Price',
    header: 'TXID | Time (UTC) | Transaction | Market | Base | Quote | Quantity (Base) | Total (Quote)',
    read: (cells) => {
      const base = readSide(cells, 'Base', 'Quantity (Base)');
      const fee = readSide(cells, 'Quote', 'Fees (Quote)');
      const total = readSide(cells, 'Quote', 'Total (Quote)');
      const time = cells.time('Time (UTC)');
      const paid = /bought/i.test(cells.text('Transaction'));
      const quote = sideWith(total, (paid ? -1n : 1n) * (fee?.quantity ?? 0n));
      return readPairTrade(cells, time, 'Transaction', { base, quote, fee }, { externalId: cells.text('TXID') });
    },
  },
  {
    id: 'transfers-2023',
    header: 'Date | Currency | Type | Address | Memo/Tag | TxId | Amount',
    read: (cells) => {
      const moved = readSide(cells, 'Currency', 'Amount');
      const type = cells.text('Type').toLowerCase();
      if (type !== 'deposit' && type !== 'withdrawal')
        return cells.rejected('Type', rejections.neitherDepositNorWithdrawal);
      return readTransfer(cells, 'Date', type, moved, null);
    },
  },
  {
    id: 'orders-2018',
    header: 'Uuid | Exchange | OrderType | Quantity | QuantityRemaining | Commission | Price | Closed',
    read: (cells) => {
      const remaining = cells.roundedQuantity('QuantityRemaining') ?? 0n;
      return readOrder(cells, 'Uuid', 'OrderType', 'Commission', -remaining);
    },
  },
  {
    id: 'orders',
    header: 'OrderUuid | Exchange | Type | Quantity | CommissionPaid | Price | Closed',
    read: (cells) => readOrder(cells, 'OrderUuid', 'Type', 'CommissionPaid', 0n),
  },
  {
    id: 'orders-2020',
    price: 'Avg. Price per Share',
    header: 'Uuid | Exchange | Closed (UTC) | Type | Bid/Ask | Quantity | Remaining | Price',
    read: (cells) => {
      const remaining = cells.roundedQuantity('Remaining') ?? 0n;
      return readOrder(cells, 'Uuid', 'Type', '', -remaining, 'Closed (UTC)');
    },
  },
  {
    id: 'deposits',
    header: 'Id | Currency | Amount | Confirmations | TxId | CryptoAddress',
    read: (cells) => {
      const column = cells.has('LastUpdatedDate') ? 'LastUpdatedDate' : 'LastUpdated';
      return readTransfer(cells, column, 'deposit', readSide(cells, 'Currency', 'Amount'), null);
    },
  },
  {
    id: 'withdrawals',
    header: 'PaymentUuid | Currency | Amount | Address | Authorized | TxId | Canceled',
    read: (cells) => {
      const moved = readSide(cells, 'Currency', 'Amount');
      const fee = readUnits(cells, cells.has('TxFee') ? 'TxFee' : 'TxCost', moved?.asset);
      const column = cells.has('OpenedDate') ? 'OpenedDate' : 'Opened';
      if (/^true$/i.test(cells.text('Canceled'))) return cells.skip(skips.transferNotCompleted);
      return readTransfer(cells, column, 'withdrawal', moved, fee);
    },
  },
]);

function readOrder(
  cells: Cells,
  id: string,
  side: string,
  commission: string,
  remaining: bigint,
  closed = 'Closed',
): Outcome {
  const [quote = '', base = ''] = cells.text('Exchange').split('-');
  const time = cells.time(closed);
  const quantity = sideWith(readUnits(cells, 'Quantity', base), remaining);
  if (quantity !== null && quantity.quantity <= 0n) return cells.skip(skips.orderNotFilled);
  const sides = { base: quantity, quote: readUnits(cells, 'Price', quote), fee: readUnits(cells, commission, quote) };
  return readPairTrade(cells, time, side, sides, { externalId: cells.text(id) });
}

function readTransfer(
  cells: Cells,
  date: string,
  type: 'deposit' | 'withdrawal',
  moved: Side | null,
  fee: Side | null,
): Outcome {
  const time = cells.time(date);
  cells.need('Amount', moved?.quantity ?? (null as Quantity | null));
  return readMovement(
    cells,
    time,
    { ...oneWay(type === 'withdrawal', moved), fee },
    { externalId: cells.text('TxId') },
  );
}
