import { magnitude, toFee } from '../cells/amounts.ts';
import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readMoneyWithCurrency } from '../tables/activity.ts';
import { internal, type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';

/**
 * Reads Revolut crypto statements. Every money cell contains its currency before or after the number. The file does not
 * contain a time zone.
 */
export const revolutCrypto = coinFormat(
  { id: 'revolut-crypto', name: 'Revolut crypto statement', source: 'Revolut', zone: 'local' },
  [
    {
      id: 'statement',
      price: 'Price',
      header: 'Symbol | Type | Quantity | Price | Value | Fees | Date',
      evidence: { column: 'Date', says: /^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}:\d{2}\s[AP]M$/ },
      read: readRow,
    },
  ],
);

const kinds: Kinds = [
  [/^buy/, 'buy'],
  [/^sell/, 'sell'],
  ['send', 'withdrawal'],
  ['receive', 'deposit'],
  [/^(?:un)?stake$/, internal],
  [/^staking reward/, 'staking'],
  [/reward|bonus/, 'reward'],
  ['payment', 'spend'],
];

function readRow(cells: Cells): Outcome {
  const coin = readSide(cells, 'Symbol', 'Quantity');
  const [value, fee] = [readMoneyWithCurrency(cells, 'Value'), readMoneyWithCurrency(cells, 'Fees')];
  const time = cells.time('Date');
  const kind = readRowKind(cells, 'Type', kinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  if (coin === null) return cells.rejected('Quantity', rejections.requiredHere);
  const currency = value.currency || 'USD';
  const worth = magnitude(value.amount);
  if (kind === 'buy' || kind === 'sell') {
    const amount = cells.need('Value', worth);
    return cells.read(time, { ...coin, type: kind, amount, fee: toFee(fee.amount), currency });
  }
  if (kind === 'spend')
    return cells.read(time, { ...coin, type: kind, amount: worth, fee: toFee(fee.amount), currency });
  const out = kind === 'withdrawal';
  return readMovement(cells, time, { ...oneWay(out, coin), kind, worth, currency }, {});
}
