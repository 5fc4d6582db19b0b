import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type HeaderColumns, type Outcome } from '../reader.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/**
 * Reads BittyTax transaction records, which StakeTax also writes. The value columns name their currency. Times are UTC.
 */
export const bittyTax = coinFormat({ id: 'bittytax', name: 'BittyTax records', source: 'BittyTax' }, [
  {
    id: 'records',
    header: `Type | Buy Quantity | Buy Asset | Sell Quantity | Sell Asset | Fee Quantity | Fee Asset | Wallet |
      Timestamp`,
    read: (cells, _layout, columns) => readRow(cells, columns),
  },
]);

const kinds: Kinds = [
  [/^trade|^swap/, 'trade'],
  ['deposit', 'deposit'],
  ['withdrawal', 'withdrawal'],
  [/^(?:unstake|stake)$/, { skip: skips.movedWithinPlatform }],
  [/^mining/, 'mining'],
  [/^staking/, 'staking'],
  [/^interest/, 'interest'],
  [/^dividend|^cashback|^referral|^fee-rebate/, 'reward'],
  [/^income/, 'other_income'],
  [/^airdrop|^fork/, 'airdrop'],
  ['gift-received', 'gift_in'],
  [/^gift-s/, 'gift_out'],
  [/^charity-sent/, 'donate'],
  ['spend', 'spend'],
  [/^lost/, 'lost'],
  [/^(?:loan|margin|futures)/, { refuse: rejections.marginAndLoans }],
];

function readRow(cells: Cells, columns: HeaderColumns): Outcome {
  const [given, received, fee] = [
    readSide(cells, 'Sell Asset', 'Sell Quantity'),
    readSide(cells, 'Buy Asset', 'Buy Quantity'),
    readSide(cells, 'Fee Asset', 'Fee Quantity'),
  ];
  const time = cells.time('Timestamp');
  const shape = received === null ? /^sell value in (\w{3})$/i : /^buy value in (\w{3})$/i;
  const column = columns.names.find((name) => shape.test(name));
  const worth = column === undefined ? null : cells.roundedMoney(column);
  const kind = readRowKind(cells, 'Type', kinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  const common = { account: cells.text('Wallet'), externalId: cells.text('Tx ID'), note: cells.text('Note') };
  const currency = column?.slice(-3).toUpperCase() ?? 'USD';
  return readMovement(cells, time, { given, received, fee, kind, worth, currency }, common);
}
