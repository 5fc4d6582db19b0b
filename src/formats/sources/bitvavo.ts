import { isTimeZone } from '../../base/day.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';
import { readPairTrade } from '../tables/pairs.ts';

/** Reads Bitvavo files, in which each row has a zone. Amounts paid include the fee. */
export const bitvavo = coinFormat({ id: 'bitvavo', name: 'Bitvavo transactions', source: 'Bitvavo', zone: 'local' }, [
  {
    id: 'transactions',
    price: 'Quote Price',
    header: `Timezone | Date | Time | Type | Currency | Amount | Quote Currency | Fee currency | Fee amount |
      Status | Transaction ID`,
    read: readRow,
  },
]);

const kinds: Kinds = [
  [/^(?:buy|sell)$/, 'trade'],
  [/staking/, 'staking'],
  [/affiliate|rebate|campaign/, 'reward'],
  ['deposit', 'deposit'],
  ['withdrawal', 'withdrawal'],
];

function readRow(cells: Cells): Outcome {
  const [base, paid, fee] = [
    readSide(cells, 'Currency', 'Amount'),
    readSide(cells, 'Received / Paid Currency', 'Received / Paid Amount'),
    readSide(cells, 'Fee currency', 'Fee amount'),
  ];
  const zone = cells.text('Timezone');
  if (!isTimeZone(zone)) cells.reject('Timezone', rejections.notZone);
  const date = `${cells.text('Date')} ${cells.text('Time')}`.trim();
  const time = cells.parseTime('Date', date, isTimeZone(zone) ? zone : 'UTC');
  const kind = readRowKind(cells, 'Type', kinds);
  if (cells.flawed) return cells.refused();
  if (!/^(?:completed|distributed)$/i.test(cells.text('Status'))) return cells.skip(skips.transferNotCompleted);
  if (typeof kind !== 'string') return kind;
  const common = { externalId: cells.text('Transaction ID') };
  if (kind === 'trade') {
    const within = fee !== null && fee.asset === paid?.asset ? fee.quantity : 0n;
    const bought = /^buy$/i.test(cells.text('Type'));
    const gross =
      paid === null
        ? null
        : { ...paid, quantity: (paid.quantity + (bought ? -within : within)) as typeof paid.quantity };
    return readPairTrade(cells, time, 'Type', { base, quote: gross, fee }, common);
  }
  const out = kind === 'withdrawal';
  return readMovement(cells, time, { ...oneWay(out, base), fee, kind }, common);
}
