import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { internal, type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide, readUnitSide, type Side } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';
import { readPairTrade } from '../tables/pairs.ts';

/**
 * Reads Bitstamp files. Until 2023, cells include the unit (`1.0 ETH`); newer files have separate columns. Times are
 * UTC.
 */
export const bitstamp = coinFormat({ id: 'bitstamp', name: 'Bitstamp transactions', source: 'Bitstamp' }, [
  {
    id: 'rfc4180',
    price: 'Rate',
    header: 'ID | Type | Subtype | Datetime | Amount | Amount currency | Value | Value currency | Fee',
    read: (cells) => readRow(cells, 'Subtype', (column) => readSide(cells, `${column} currency`, column)),
  },
  {
    id: 'until-2023',
    price: 'Rate',
    header: 'Type | Datetime | Account | Amount | Value | Rate | Fee | Sub Type',
    read: (cells) => readRow(cells, 'Sub Type', (column) => readUnitSide(cells, column)),
  },
]);

const kinds: Kinds = [
  [/^(?:market|instant|limit)/, 'trade'],
  [/deposit/, 'deposit'],
  [/withdrawal|ripple payment/, 'withdrawal'],
  [/staking reward|^staking$/, 'staking'],
  [/airdrop/, 'airdrop'],
  [/interest|yield/, 'interest'],
  [/referral|reward/, 'reward'],
  [/sub account|started generating|stopped generating|staked|unstaked/, internal],
];

function readRow(cells: Cells, subtype: string, sideIn: (column: string) => Side | null): Outcome {
  const [amount, value, fee] = [sideIn('Amount'), sideIn('Value'), sideIn('Fee')];
  const time = cells.time('Datetime');
  const kind = readRowKind(cells, 'Type', kinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  const common = { externalId: cells.text('Order ID') || cells.text('ID') };
  if (kind === 'trade') return readPairTrade(cells, time, subtype, { base: amount, quote: value, fee }, common);
  cells.need('Amount', amount);
  return readMovement(cells, time, { ...oneWay(kind === 'withdrawal', amount, fee), kind }, common);
}
