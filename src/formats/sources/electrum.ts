import { noneIfZero } from '../cells/amounts.ts';
import { skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { sideWith } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';
import { readUnits } from '../tables/pairs.ts';
import { bySign } from '../tables/tables.ts';

/**
 * Reads the Electrum history of a bitcoin wallet. Outgoing amounts include the network fee, and receivers pay none.
 * `fiat_value` and `fiat_fee` are the wallet's estimates from an exchange rate service, in an unnamed currency, and are
 * meaningless for transfers. Times are local to the computer.
 */
export const electrum = coinFormat(
  { id: 'electrum', name: 'Electrum wallet history', source: 'Electrum', zone: 'local' },
  [{ id: 'history', header: 'transaction_hash | label | value | timestamp', read: readRow }],
);

function readRow(cells: Cells): Outcome {
  const value = readUnits(cells, 'value', 'BTC');
  const fee = readUnits(cells, 'fee', 'BTC');
  const time = cells.time('timestamp');
  if (cells.flawed) return cells.refused();
  if (noneIfZero(value?.quantity ?? null) === null) return cells.skip(skips.nothingMoved);
  const common = { externalId: cells.text('transaction_hash'), note: cells.text('label') };
  const out = bySign('value')(cells) === 'out';
  const moved = out && fee !== null ? sideWith(value, -fee.quantity) : value;
  // In a transfer to yourself, only the fee leaves the wallet.
  if (moved !== null && moved.quantity <= 0n) return readMovement(cells, time, { fee }, common);
  return readMovement(cells, time, oneWay(out, moved, fee), common);
}
