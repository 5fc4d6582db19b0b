import type { Money } from '../base/decimal.ts';
import type { Cells } from './cells.ts';
import type { Format, Layout, Outcome } from './format.ts';
import { incomeLabels, labelled, outgoingLabels } from './kinds.ts';
import { sideOf } from './legs.ts';
import { readMovement } from './movements.ts';
import { rowByRow } from './reader.ts';

/** The columns of a file whose rows say what was sent, what was received, a fee on top, and a label. Times are UTC. */
interface LegColumns {
  readonly date: string;
  readonly sent: readonly [asset: string, quantity: string];
  readonly received: readonly [asset: string, quantity: string];
  readonly fee: readonly [asset: string, quantity: string];
  readonly label: string;
  readonly id: string;
  readonly note: string;
  readonly worth: readonly [currency: string, amount: string];
}

const sentAndReceived = {
  sent: ['Sent Currency', 'Sent Amount'],
  received: ['Received Currency', 'Received Amount'],
  fee: ['Fee Currency', 'Fee Amount'],
} as const;

export const koinly = legsFormat(
  { id: 'koinly', name: 'Koinly universal template', source: 'Koinly' },
  [
    {
      id: 'universal',
      required: [
        'Date',
        'Sent Amount',
        'Sent Currency',
        'Received Amount',
        'Received Currency',
        'Fee Amount',
        'Fee Currency',
        'Net Worth Amount',
        'Net Worth Currency',
        'Label',
      ],
    },
  ],
  {
    ...sentAndReceived,
    date: 'Date',
    label: 'Label',
    id: 'TxHash',
    note: 'Description',
    worth: ['Net Worth Currency', 'Net Worth Amount'],
  },
);

export const river = legsFormat(
  { id: 'river', name: 'River transactions', source: 'River' },
  [
    {
      id: 'universal',
      required: [
        'Date',
        'Sent Amount',
        'Sent Currency',
        'Received Amount',
        'Received Currency',
        'Fee Amount',
        'Fee Currency',
        'Tag',
      ],
    },
  ],
  { ...sentAndReceived, date: 'Date', label: 'Tag', id: '', note: '', worth: ['', ''] },
);

export const coinTracker = legsFormat(
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
    },
  ],
  {
    date: 'Date',
    sent: ['Sent Currency', 'Sent Quantity'],
    received: ['Received Currency', 'Received Quantity'],
    fee: ['Fee Currency', 'Fee Amount'],
    label: 'Tag',
    id: 'Transaction Hash',
    note: '',
    worth: ['', ''],
  },
);

export const coinLedger = legsFormat(
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
    },
  ],
  {
    date: 'Date (UTC)',
    sent: ['Asset Sent', 'Amount Sent'],
    received: ['Asset Received', 'Amount Received'],
    fee: ['Fee Currency (Optional)', 'Fee Amount (Optional)'],
    label: 'Type',
    id: 'TxHash (Optional)',
    note: 'Description (Optional)',
    worth: ['', ''],
  },
);

function legsFormat(
  head: Pick<Format, 'id' | 'name' | 'source'>,
  layouts: readonly Layout[],
  names: LegColumns,
): Format {
  return {
    ...head,
    assetClass: 'crypto',
    layouts,
    open: rowByRow((cells) => readRow(cells, names), { zone: 'UTC' }),
  };
}

function readRow(cells: Cells, names: LegColumns): Outcome {
  const time = cells.time(names.date);
  const [given, received, fee] = [
    sideOf(cells, ...names.sent),
    sideOf(cells, ...names.received),
    sideOf(cells, ...names.fee),
  ];
  const label = cells.text(names.label).toLowerCase();
  const worth = worthOf(cells, names);
  if (cells.flawed) return cells.refused();
  if (/margin|realized|futures/.test(label)) {
    return cells.rejected(names.label, 'unknown_type', 'gains of margin and futures are not read: enter them by hand');
  }
  const kind = labelled(label, received === null ? outgoingLabels : incomeLabels);
  const common = { externalId: cells.text(names.id), note: cells.text(names.note) };
  return readMovement(cells, time, { given, received, fee, kind, worth }, common);
}

function worthOf(cells: Cells, { worth: [currency, amount] }: LegColumns): Money | null {
  return currency !== '' && cells.text(currency).toUpperCase() === 'USD' ? cells.roundedMoney(amount) : null;
}
