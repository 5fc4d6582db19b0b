import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readSide } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';
import { readUnits } from '../tables/pairs.ts';

/**
 * Reads Pionex transfers. The coin's name may end with the name of its network (`BUSDBEP20`). Times are UTC. Pionex
 * exports trades in CoinTracker's layout.
 */
export const pionex = coinFormat({ id: 'pionex', name: 'Pionex transfers', source: 'Pionex' }, [
  { id: 'transfers', header: 'date(UTC+0) | tx_type | amount | coin | network | txid | fee', read: readRow },
]);

function readRow(cells: Cells): Outcome {
  const named = readSide(cells, 'coin', 'amount');
  const network = cells.text('network').toUpperCase();
  const coin =
    named?.asset.endsWith(network) && named.asset !== network ? named.asset.slice(0, -network.length) : undefined;
  const moved = named === null || network === '' || coin === undefined ? named : { ...named, asset: coin };
  const fee = readUnits(cells, 'fee', moved?.asset);
  const time = cells.time('date(UTC+0)');
  const type = cells.text('tx_type').toUpperCase();
  if (type !== 'DEPOSIT' && type !== 'WITHDRAW') return cells.rejected('tx_type', rejections.notDepositOrWithdraw);
  const out = type === 'WITHDRAW';
  return readMovement(cells, time, oneWay(out, moved, fee), { externalId: cells.text('txid') });
}
