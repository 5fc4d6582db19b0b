import { Cells, HeaderColumns } from '../cells/cells.ts';
import { transferNotCompleted, unknownType } from '../cells/reasons.ts';
import type { Outcome } from '../format.ts';
import { coinFormat } from '../reader.ts';
import { readMovement } from '../tables/movements.ts';
import { readUnits } from '../tables/pairs.ts';

/**
 * Reads files from Bitcoin Core and wallets derived from it. The header names the coin (`Amount (BTC)`), and outgoing
 * amounts include the fee. Times are local to the computer.
 */
export const bitcoinCore = coinFormat(
  { id: 'bitcoin-core', name: 'Bitcoin Core wallet history', source: 'Bitcoin Core' },
  [{ id: 'history', header: 'Confirmed | Date | Type | Label | Address | ID' }],
  (_layout, header, context) => {
    const columns = new HeaderColumns(header);
    const amount = columns.names.find((name) => /^amount(?: \(\w+\))?$/i.test(name)) ?? 'Amount';
    const coin = /\((\w+)\)/.exec(amount)?.[1] ?? 'BTC';
    return { read: (row) => [readRow(new Cells(row, columns, context), amount, coin)], end: () => [] };
  },
);

function readRow(cells: Cells, column: string, coin: string): Outcome {
  const moved = readUnits(cells, column, coin);
  const time = cells.time('Date');
  const type = cells.text('Type').toLowerCase();
  const common = { externalId: cells.text('ID'), note: cells.text('Label') };
  if (/^false$/i.test(cells.text('Confirmed'))) return cells.skip(transferNotCompleted);
  cells.need(column, moved);
  const neither = { given: null, received: null, fee: null, kind: null, worth: null };
  if (/^(?:payment to yourself|sent to yourself)/.test(type))
    return readMovement(cells, time, { ...neither, fee: moved }, common);
  if (/^sent/.test(type)) return readMovement(cells, time, { ...neither, given: moved }, common);
  if (/^mined|^minted/.test(type))
    return readMovement(cells, time, { ...neither, received: moved, kind: 'mining' }, common);
  if (/^received/.test(type)) return readMovement(cells, time, { ...neither, received: moved }, common);
  return cells.rejected('Type', 'unknown_type', unknownType);
}
