import { formatOfTables, legs } from '../tables/tables.ts';

/**
 * Templates of tax software that other programs also write. Each row contains the units sent, the units received and a
 * fee on top.
 */

const sentAndReceived = {
  date: 'Date',
  sent: ['Sent Currency', 'Sent Amount'],
  received: ['Received Currency', 'Received Amount'],
  fee: ['Fee Currency', 'Fee Amount'],
} as const;
const sentAndReceivedColumns = ['Date', ...sentAndReceived.sent, ...sentAndReceived.received, ...sentAndReceived.fee];

export const koinly = formatOfTables({ id: 'koinly', name: 'Koinly universal template', source: 'Koinly' }, [
  {
    id: 'universal',
    required: [...sentAndReceivedColumns, 'Net Worth Amount', 'Net Worth Currency', 'Label'],
    read: legs({
      ...sentAndReceived,
      label: 'Label',
      id: 'TxHash',
      note: 'Description',
      worth: ['Net Worth Currency', 'Net Worth Amount'],
    }),
  },
]);

export const river = formatOfTables({ id: 'river', name: 'River transactions', source: 'River' }, [
  {
    id: 'universal',
    required: [...sentAndReceivedColumns, 'Tag'],
    read: legs({ ...sentAndReceived, label: 'Tag' }),
  },
]);

export const eternl = formatOfTables({ id: 'eternl', name: 'Eternl transactions', source: 'Eternl' }, [
  {
    id: 'universal',
    required: [...sentAndReceivedColumns, 'Label', 'Description', 'TxHash', 'TxType'],
    read: legs({ ...sentAndReceived, label: 'Label', id: 'TxHash', note: 'Description' }),
  },
]);

export const coinTracker = formatOfTables(
  { id: 'cointracker', name: 'CoinTracker universal CSV', source: 'CoinTracker' },
  [
    {
      id: 'universal',
      required: [
        'Date',
        'Received Quantity',
        'Received Currency',
        'Sent Quantity',
        'Sent Currency',
        'Fee Amount',
        'Fee Currency',
        'Tag',
      ],
      read: legs({
        date: 'Date',
        sent: ['Sent Currency', 'Sent Quantity'],
        received: ['Received Currency', 'Received Quantity'],
        fee: ['Fee Currency', 'Fee Amount'],
        label: 'Tag',
        id: 'Transaction Hash',
      }),
    },
  ],
);

export const coinLedger = formatOfTables(
  { id: 'coinledger', name: 'CoinLedger universal template', source: 'CoinLedger' },
  [
    {
      id: 'universal',
      required: [
        'Date (UTC)',
        'Asset Sent',
        'Amount Sent',
        'Asset Received',
        'Amount Received',
        'Fee Currency (Optional)',
        'Fee Amount (Optional)',
        'Type',
      ],
      read: legs({
        date: 'Date (UTC)',
        sent: ['Asset Sent', 'Amount Sent'],
        received: ['Asset Received', 'Amount Received'],
        fee: ['Fee Currency (Optional)', 'Fee Amount (Optional)'],
        label: 'Type',
        id: 'TxHash (Optional)',
        note: 'Description (Optional)',
      }),
    },
  ],
);
