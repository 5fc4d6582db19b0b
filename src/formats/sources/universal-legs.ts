import { coinFormat } from '../reader.ts';
import { legs } from '../tables/tables.ts';

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
const sentAndReceivedColumns =
  'Date | Sent Currency | Sent Amount | Received Currency | Received Amount | Fee Currency | Fee Amount';

export const koinly = coinFormat({ id: 'koinly', name: 'Koinly universal template', source: 'Koinly' }, [
  {
    id: 'universal',
    header: `${sentAndReceivedColumns} | Net Worth Amount | Net Worth Currency | Label`,
    read: legs({
      ...sentAndReceived,
      label: 'Label',
      id: 'TxHash',
      note: 'Description',
      worth: ['Net Worth Currency', 'Net Worth Amount'],
    }),
  },
]);

export const river = coinFormat({ id: 'river', name: 'River transactions', source: 'River' }, [
  {
    id: 'universal',
    header: `${sentAndReceivedColumns} | Tag`,
    read: legs({ ...sentAndReceived, label: 'Tag' }),
  },
]);

export const eternl = coinFormat({ id: 'eternl', name: 'Eternl transactions', source: 'Eternl' }, [
  {
    id: 'universal',
    header: `${sentAndReceivedColumns} | Label | Description | TxHash | TxType`,
    read: legs({ ...sentAndReceived, label: 'Label', id: 'TxHash', note: 'Description' }),
  },
]);

export const coinTracker = coinFormat({ id: 'cointracker', name: 'CoinTracker universal CSV', source: 'CoinTracker' }, [
  {
    id: 'universal',
    header: `Date | Received Quantity | Received Currency | Sent Quantity | Sent Currency | Fee Amount |
      Fee Currency | Tag`,
    read: legs({
      date: 'Date',
      sent: ['Sent Currency', 'Sent Quantity'],
      received: ['Received Currency', 'Received Quantity'],
      fee: ['Fee Currency', 'Fee Amount'],
      label: 'Tag',
      id: 'Transaction Hash',
    }),
  },
]);

export const coinLedger = coinFormat(
  { id: 'coinledger', name: 'CoinLedger universal template', source: 'CoinLedger' },
  [
    {
      id: 'universal',
      header: `Date (UTC) | Asset Sent | Amount Sent | Asset Received | Amount Received | Fee Currency (Optional) |
        Fee Amount (Optional) | Type`,
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
