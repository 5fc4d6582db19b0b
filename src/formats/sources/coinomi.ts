import { skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { bySign, transfers } from '../tables/tables.ts';

/**
 * Reads Coinomi files, in which each row has a signed amount of one coin. The network fee on outgoing amounts is in a
 * separate column. Times are UTC.
 */
export const coinomi = coinFormat({ id: 'coinomi', name: 'Coinomi wallet history', source: 'Coinomi' }, [
  {
    id: 'history',
    header: 'Asset | AccountName | Value | Symbol | Fees | InternalTransfer | TransactionID | Time(ISO8601-UTC)',
    read: (cells) =>
      /^true$/i.test(cells.text('InternalTransfer')) ? cells.skip(skips.movedWithinWallet) : readTransfer(cells),
  },
]);

const readTransfer: (cells: Cells) => Outcome = transfers({
  date: 'Time(ISO8601-UTC)',
  moved: ['Symbol', 'Value'],
  way: bySign('Value'),
  fee: 'Fees',
  id: 'TransactionID',
});
