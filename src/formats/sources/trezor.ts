import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, type Time } from '../reader.ts';
import { readSide, type Side } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';
import { readUnits } from '../tables/pairs.ts';

/**
 * Reads Trezor Suite files. Every amount has its unit. Older versions omit the coin's name, which only the addresses
 * show (but not for Ethereum, whose tokens share its addresses), and the time zone. Fees are on top.
 */
export const trezor = coinFormat({ id: 'trezor', name: 'Trezor Suite transactions', source: 'Trezor', zone: 'local' }, [
  {
    id: 'with-units',
    header: 'Timestamp | Date | Time | Type | Transaction ID | Fee | Fee unit | Amount | Amount unit',
    read: readWithUnits,
  },
  { id: 'one-coin', header: 'Date & Time | Type | Transaction ID | Addresses | Fee | Total', read: readOneCoin },
]);

function readWithUnits(cells: Cells): Outcome {
  const moved = readSide(cells, 'Amount unit', 'Amount');
  const fee = readSide(cells, 'Fee unit', 'Fee');
  return readRow(cells, cells.epoch('Timestamp'), moved, fee);
}

const addresses: readonly (readonly [RegExp, string])[] = [
  [/^(?:bc1|[13])/, 'BTC'],
  [/^(?:ltc1|[LM])/, 'LTC'],
  [/^D/, 'DOGE'],
  [/^bitcoincash:/, 'BCH'],
];

function readOneCoin(cells: Cells): Outcome {
  const address = cells.text('Addresses');
  const coin = addresses.find(([shape]) => shape.test(address))?.[1];
  const time = cells.time('Date & Time');
  if (coin === undefined) return cells.rejected('Addresses', rejections.coinMissing);
  return readRow(cells, time, readUnits(cells, 'Total', coin), readUnits(cells, 'Fee', coin));
}

function readRow(cells: Cells, time: Time | null, moved: Side | null, fee: Side | null): Outcome {
  const type = cells.text('Type').toUpperCase();
  if (cells.flawed) return cells.refused();
  const common = { externalId: cells.text('Transaction ID') };
  if (type === 'FAILED') return cells.skip(skips.transferNotCompleted);
  if (type === 'RECV') return readMovement(cells, time, { received: moved }, common);
  if (type === 'SENT') return readMovement(cells, time, { given: moved, fee }, common);
  if (type === 'SELF') return readMovement(cells, time, { given: fee, kind: 'fee' }, common);
  return cells.rejected('Type', rejections.notReceivedSentOrSelf);
}
