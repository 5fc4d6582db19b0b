import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readSide, type Side, sideWith } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';
import { readUnits } from '../tables/pairs.ts';
import { legs } from '../tables/tables.ts';

/**
 * The columns in files from Blockchain.com's wallet and exchange. `asset` was received, and `counter_asset` was sent.
 * Older wallet files have one signed amount, or the amount received and the network fee separately. Times are UTC.
 */
const columns = {
  date: 'date_time_utc',
  received: ['asset', 'quantity_transacted'],
  sent: ['counter_asset', 'counter_amount'],
  fee: ['fee_asset', 'fee_amount'],
  label: 'transaction_type',
} as const;

const moved = `date_time_utc | transaction_type | asset | quantity_transacted | counter_asset | counter_amount |
  fee_asset | fee_amount | transaction_id`;

const dated = 'date | time | type | value_then | value_now | exchange_rate_then | tx | note';

export const blockchainCom = coinFormat(
  { id: 'blockchain-com', name: 'Blockchain.com wallet and exchange', source: 'Blockchain.com' },
  [
    {
      id: 'exchange',
      price: 'price',
      header: `${moved} | price | order_id | tx_hash`,
      read: legs({ ...columns, id: 'tx_hash' }),
    },
    {
      id: 'wallet',
      header: `${moved} | transaction_hash`,
      read: legs({ ...columns, id: 'transaction_hash', note: 'Notes' }),
    },
    {
      id: 'wallet-tokens',
      header: `${dated} | token | amount`,
      read: (cells) => readAmount(cells, readSide(cells, 'token', 'amount'), 'amount'),
    },
    {
      id: 'wallet-bitcoin',
      header: `${dated} | amount_btc`,
      read: (cells) => readAmount(cells, readUnits(cells, 'amount_btc', 'BTC'), 'amount_btc'),
    },
  ],
);

function readAmount(cells: Cells, moved: Side | null, column: string): Outcome {
  const time = readTime(cells);
  const fee = readUnits(cells, 'fee_value', moved?.asset);
  const arrived = readUnits(cells, 'recipient_received', moved?.asset);
  cells.need(column, moved);
  if (cells.flawed) return cells.refused();
  const common = { externalId: cells.text('tx'), note: cells.text('note') };
  if (!cells.text(column).startsWith('-')) {
    return readMovement(cells, time, { received: moved }, common);
  }
  // Outgoing amounts include the fee.
  const given = arrived ?? sideWith(moved, -(fee?.quantity ?? 0n));
  return readMovement(cells, time, { given, fee }, common);
}

/**
 * Reads the date and time from two columns. The time is `22:15:07 GMT +00:00` next to the date `2024-02-17`, or the
 * seconds since 1970.
 */
function readTime(cells: Cells): ReturnType<Cells['time']> {
  const clock = cells.text('time');
  if (/^\d{10}$/.test(clock)) return cells.epoch('time');
  return cells.parseTime('date', `${cells.text('date')} ${clock.replace(/GMT ?(?=[+-])/, '')}`.trim());
}
