import { skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readSide } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';
import { readUnits } from '../tables/pairs.ts';

/**
 * Reads files from bitbank (Japan): deposits, and withdrawals with their fee. Headers are Japanese, and times are Tokyo
 * time.
 */
export const bitbank = coinFormat(
  { id: 'bitbank', name: 'bitbank deposits and withdrawals', source: 'bitbank', zone: 'Asia/Tokyo' },
  [
    {
      id: 'withdrawals',
      header: 'コイン | 日時 | 数量 | 手数料 | アドレス | Txid | ステータス',
      read: (cells) => readRow(cells, true),
    },
    {
      id: 'deposits',
      header: 'コイン | 日時 | 数量 | アドレス | Txid | ステータス',
      read: (cells) => readRow(cells, false),
    },
  ],
);

function readRow(cells: Cells, out: boolean): Outcome {
  const moved = readSide(cells, 'コイン', '数量');
  const fee = readUnits(cells, '手数料', moved?.asset);
  const time = cells.time('日時');
  if (cells.flawed) return cells.refused();
  if (cells.text('ステータス') !== 'DONE') return cells.skip(skips.transferNotCompleted);
  return readMovement(cells, time, oneWay(out, moved, fee), { externalId: cells.text('Txid') });
}
