import type { Money, Quantity } from '../base/decimal.ts';
import type { TransactionType } from '../engine/model.ts';
import { Cells, Columns } from './cells.ts';
import { isCurrency } from './currencies.ts';
import type { Stated } from './drafts.ts';
import type { Format, Layout, Outcome } from './format.ts';
import { moneyOf, readExchange, type Side, sideOf } from './legs.ts';
import type { Time } from './times.ts';

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
    open: (_layout, header, context) => {
      const columns = new Columns(header);
      return { read: (row) => [readRow(new Cells(row, columns, context), names)], end: () => [] };
    },
  };
}

function readRow(cells: Cells, names: LegColumns): Outcome {
  const time = cells.time(names.date, 'UTC');
  const given = sideOf(cells, ...names.sent);
  const received = sideOf(cells, ...names.received);
  const fee = sideOf(cells, ...names.fee);
  const label = cells.text(names.label).toLowerCase();
  const common = { externalId: cells.text(names.id), note: cells.text(names.note) };
  const worth = worthOf(cells, names);
  if (cells.flawed) return cells.refused();
  if (/margin|realized|futures/.test(label)) {
    return cells.rejected(names.label, 'unknown_type', 'gains of margin and futures are not read: enter them by hand');
  }
  if (given !== null && received !== null) {
    return readExchange(cells, time, { given, received, fee, value: worth, feeValue: null }, common);
  }
  if (received !== null) return cameIn(cells, time, received, fee, label, worth, common);
  if (given !== null) return wentOut(cells, time, given, fee, label, worth, common);
  if (fee !== null && !isCurrency(fee.asset)) {
    return cells.read(time, { ...common, type: 'fee', asset: fee.asset, quantity: fee.quantity, amount: worth });
  }
  return cells.skip('a fee in cash is no part of a gain');
}

function worthOf(cells: Cells, { worth: [currency, amount] }: LegColumns): Money | null {
  return currency !== '' && cells.text(currency).toUpperCase() === 'USD' ? cells.roundedMoney(amount) : null;
}

const incomeLabels: readonly (readonly [RegExp, TransactionType])[] = [
  [/airdrop|fork/, 'airdrop'],
  [/min(?:ed|ing)/, 'mining'],
  [/stak/, 'staking'],
  [/interest|lending/, 'interest'],
  [/reward|cashback|bonus|referral/, 'reward'],
  [/income|salary|wage|payment received/, 'other_income'],
];

function cameIn(
  cells: Cells,
  time: Time | null,
  side: Side,
  fee: Side | null,
  label: string,
  worth: Money | null,
  common: Partial<Stated>,
): Outcome {
  const type = incomeLabels.find(([pattern]) => pattern.test(label))?.[1];
  const cash = isCurrency(side.asset);
  if (type !== undefined) {
    const units = cash
      ? { asset: '', quantity: null, amount: moneyOf(side.quantity), currency: side.asset }
      : { asset: side.asset, quantity: side.quantity, amount: worth };
    return cells.read(time, { ...common, ...units, type });
  }
  if (cash) return cells.skip(`a deposit of ${side.asset} is no gain or loss`);
  if (/gift/.test(label))
    return cells.read(time, { ...common, type: 'gift_in', asset: side.asset, quantity: side.quantity, fmv: worth });
  const quantity = fee?.asset === side.asset ? ((side.quantity - fee.quantity) as Quantity) : side.quantity;
  return cells.read(time, { ...common, type: 'deposit', asset: side.asset, quantity });
}

const outgoingLabels: readonly (readonly [RegExp, TransactionType])[] = [
  [/gift/, 'gift_out'],
  [/lost|stolen|theft|investment loss/, 'lost'],
  [/donat/, 'donate'],
  [/fee/, 'fee'],
  [/payment|cost|spend|merchant|purchase/, 'spend'],
];

function wentOut(
  cells: Cells,
  time: Time | null,
  side: Side,
  fee: Side | null,
  label: string,
  worth: Money | null,
  common: Partial<Stated>,
): Outcome {
  if (isCurrency(side.asset)) return cells.skip(`a withdrawal of ${side.asset} is no gain or loss`);
  const type = outgoingLabels.find(([pattern]) => pattern.test(label))?.[1] ?? 'withdrawal';
  const value = type === 'fee' || type === 'spend' ? { amount: worth } : type === 'withdrawal' ? {} : { fmv: worth };
  const inKind = fee === null || isCurrency(fee.asset) ? {} : { feeAsset: fee.asset, feeQuantity: fee.quantity };
  return cells.read(time, { ...common, ...value, ...inKind, type, asset: side.asset, quantity: side.quantity });
}
