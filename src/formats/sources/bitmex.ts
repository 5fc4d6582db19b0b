import { parseQuantity, type Quantity } from '../../base/decimal.ts';
import { magnitude } from '../cells/amounts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { derivative, type Kinds, readRowKind } from '../tables/kinds.ts';
import type { Side } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/**
 * Reads BitMEX wallet history, with amounts in satoshi and UTC times. Realized gains are from derivatives. A
 * withdrawal's amount includes its fee. Addresses contain stray quotes and are ignored.
 */
export const bitmex = coinFormat({ id: 'bitmex', name: 'BitMEX wallet history', source: 'BitMEX' }, [
  {
    id: 'wallet',
    header: 'transactTime | transactType | amount | fee | transactStatus | walletBalance',
    read: readRow,
  },
]);

const kinds: Kinds = [
  [/^realised/, derivative],
  ['deposit', 'deposit'],
  ['withdrawal', 'withdrawal'],
  [/affiliate|bonus/, 'reward'],
  [/^unrealised|^total/, { skip: skips.balanceRow }],
  [/^transfer/, { skip: skips.movedWithinPlatform }],
];

function readRow(cells: Cells): Outcome {
  const [amount, fee] = [satoshi(cells, 'amount'), satoshi(cells, 'fee')];
  const time = cells.time('transactTime');
  const kind = readRowKind(cells, 'transactType', kinds);
  if (cells.flawed) return cells.refused();
  if (!/^completed$/i.test(cells.text('transactStatus'))) return cells.skip(skips.transferNotCompleted);
  if (typeof kind !== 'string') return kind;
  if (amount === null) return cells.rejected('amount', rejections.requiredHere);
  if (kind !== 'withdrawal') return readMovement(cells, time, { received: amount, kind }, {});
  const sent: Side = { ...amount, quantity: (amount.quantity - (fee?.quantity ?? 0n)) as Quantity };
  return readMovement(cells, time, { given: sent, fee, kind }, {});
}

const unitsPerSatoshi = parseQuantity('0.00000001') ?? 0n;

function satoshi(cells: Cells, column: string): Side | null {
  const text = cells.text(column);
  if (text === '' || text === 'null' || text === '0') return null;
  if (!/^-?\d{1,18}$/.test(text)) {
    cells.reject(column, rejections.satoshiNotWhole);
    return null;
  }
  const quantity = BigInt(text) * unitsPerSatoshi;
  if (quantity < 0n) cells.addOutgoing(quantity);
  return { asset: 'BTC', quantity: magnitude(quantity as Quantity) ?? (0n as Quantity) };
}
