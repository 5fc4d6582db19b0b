import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide, sideWith } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';
import { readUnits } from '../tables/pairs.ts';

/**
 * Reads Ledger Live operations. Outgoing amounts include the network fee. Times are UTC. The public keys are not
 * stored.
 */
export const ledgerLive = coinFormat({ id: 'ledger-live', name: 'Ledger Live operations', source: 'Ledger Live' }, [
  {
    id: 'operations',
    header: `Operation Date | Currency Ticker | Operation Type | Operation Amount | Operation Fees |
      Operation Hash | Account Name`,
    read: readRow,
  },
]);

const noMove = { skip: skips.networkFeeOnly };
const kinds: Kinds = [
  ['in', 'deposit'],
  ['out', 'withdrawal'],
  [/^reward/, 'staking'],
  ['fees', 'fee'],
  [/delegate|opt_|bond|nominate|vote|freeze|stake|approve|activate|^none$|^reveal$|^create$|^set_/, noMove],
  [/^nft/, { skip: skips.namelessNft }],
];

function readRow(cells: Cells): Outcome {
  const moved = readSide(cells, 'Currency Ticker', 'Operation Amount');
  const fee = readUnits(cells, 'Operation Fees', moved?.asset ?? cells.text('Currency Ticker'));
  const time = cells.time('Operation Date');
  const worth = cells.roundedMoney('Countervalue at Operation Date');
  const kind = readRowKind(cells, 'Operation Type', kinds);
  if (cells.flawed) return cells.refused();
  if (!/^(?:confirmed|)$/i.test(cells.text('Status'))) return cells.skip(skips.transactionNotConfirmed);
  if (typeof kind !== 'string') return kind;
  const currency = cells.text('Countervalue Ticker').toUpperCase() || 'USD';
  const common = { account: cells.text('Account Name'), externalId: cells.text('Operation Hash') };
  // The sender paid the fee on a deposit.
  if (kind === 'deposit' || kind === 'staking') {
    const own = kind === 'staking' ? fee : null;
    return readMovement(cells, time, { received: moved, fee: own, kind, worth, currency }, common);
  }
  if (kind === 'fee') return readMovement(cells, time, { given: moved ?? fee, kind, worth, currency }, common);
  const sent = sideWith(moved, -(fee?.quantity ?? 0n));
  if (sent !== null && sent.quantity <= 0n) return cells.rejected('Operation Fees', rejections.feeAboveAmount);
  return readMovement(cells, time, { given: sent, fee, kind, worth, currency }, common);
}
