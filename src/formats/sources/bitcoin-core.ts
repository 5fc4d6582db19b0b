import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, rowsWith } from '../reader.ts';
import { readMovement } from '../tables/movements.ts';
import { readUnits } from '../tables/pairs.ts';

/**
 * Reads files from Bitcoin Core and wallets derived from it. The header names the coin (`Amount (BTC)`), and outgoing
 * amounts include the fee. Times are local to the computer.
 */
export const bitcoinCore = coinFormat(
  { id: 'bitcoin-core', name: 'Bitcoin Core wallet history', source: 'Bitcoin Core', zone: 'local' },
  [{ id: 'history', header: 'Confirmed | Date | Type | Label | Address | ID' }],
  rowsWith(({ columns }) => columns.names.find((name) => /^amount(?: \(\w+\))?$/i.test(name)) ?? 'Amount', readRow),
);

function readRow(cells: Cells, column: string): Outcome {
  const coin = /\((\w+)\)/.exec(column)?.[1] ?? 'BTC';
  const moved = readUnits(cells, column, coin);
  const time = cells.time('Date');
  const type = cells.text('Type').toLowerCase();
  const common = { externalId: cells.text('ID'), note: cells.text('Label') };
  if (/^false$/i.test(cells.text('Confirmed'))) return cells.skip(skips.transferNotCompleted);
  cells.need(column, moved);
  if (/^(?:payment to yourself|sent to yourself)/.test(type)) return readMovement(cells, time, { fee: moved }, common);
  if (/^sent/.test(type)) return readMovement(cells, time, { given: moved }, common);
  if (/^mined|^minted/.test(type)) return readMovement(cells, time, { received: moved, kind: 'mining' }, common);
  if (/^received/.test(type)) return readMovement(cells, time, { received: moved }, common);
  return cells.rejected('Type', rejections.unknownType);
}
