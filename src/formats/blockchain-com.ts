import { formatOfTables, legs } from './tables.ts';

/** Blockchain.com, wallet and exchange: what came is the asset, what went the counter asset. Times are UTC. */
const columns = {
  date: 'date_time_utc',
  received: ['asset', 'quantity_transacted'],
  sent: ['counter_asset', 'counter_amount'],
  fee: ['fee_asset', 'fee_amount'],
  label: 'transaction_type',
} as const;

const required = [
  'date_time_utc',
  'transaction_type',
  'asset',
  'quantity_transacted',
  'counter_asset',
  'counter_amount',
  'fee_asset',
  'fee_amount',
  'transaction_id',
];

export const blockchainCom = formatOfTables(
  { id: 'blockchain-com', name: 'Blockchain.com wallet and exchange', source: 'Blockchain.com' },
  [
    {
      id: 'exchange',
      required: [...required, 'price', 'order_id', 'tx_hash'],
      read: legs({ ...columns, id: 'tx_hash' }),
    },
    {
      id: 'wallet',
      required: [...required, 'transaction_hash'],
      read: legs({ ...columns, id: 'transaction_hash', note: 'Notes' }),
    },
  ],
);
