import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readSide, type Side, sideWith } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/**
 * Reads Coinbase's report for one wallet until 2018, with a running balance. A row with a transfer in another currency
 * is a purchase or a sale, and its total includes the fee. All other rows are deposits and withdrawals. Times have an
 * offset.
 */
export const coinbaseTransactions = coinFormat(
  { id: 'coinbase-transactions', name: 'Coinbase wallet report until 2018', source: 'Coinbase' },
  [
    {
      id: 'transactions',
      header: `Timestamp | Balance | Amount | Currency | To | Notes | Instantly Exchanged | Transfer Total |
        Transfer Total Currency | Transfer Fee | Transfer Fee Currency | Transfer ID`,
      read: readRow,
    },
  ],
);

function readRow(cells: Cells): Outcome {
  const moved = readSide(cells, 'Currency', 'Amount');
  const total = readSide(cells, 'Transfer Total Currency', 'Transfer Total');
  const fee = readSide(cells, 'Transfer Fee Currency', 'Transfer Fee');
  const time = cells.time('Timestamp');
  cells.need('Amount', moved);
  if (cells.flawed) return cells.refused();
  const out = cells.text('Amount').startsWith('-');
  const traded = total !== null && total.asset !== moved?.asset;
  const common = { externalId: cells.text('Transfer ID'), note: cells.text('Notes') };
  const other = traded ? computeGross(total, fee, out) : null;
  const sides = out ? { given: moved, received: other } : { given: other, received: moved };
  return readMovement(cells, time, { ...sides, fee: traded ? fee : null }, common);
}

/** Removes the fee from the total: a purchase cost the total, and a sale yielded it. */
function computeGross(total: Side, fee: Side | null, sold: boolean): Side | null {
  if (fee === null || fee.asset !== total.asset) return total;
  return sideWith(total, sold ? fee.quantity : -fee.quantity);
}
