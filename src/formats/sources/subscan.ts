import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, rowsInGroups } from '../reader.ts';
import { oneWay, readMovement } from '../tables/movements.ts';
import { OwnAddress } from '../tables/own-address.ts';
import { readUnits } from '../tables/pairs.ts';

const moveColumns = 'Extrinsic ID | Block | From | To | Value | Symbol | Result | Hash';

/**
 * Reads Subscan transfers of an address on Polkadot, Kusama and similar chains. No column identifies the user's
 * address, which is the one that appears in every row. None of Subscan's files contain the network fee, and the pool
 * payouts do not name their coin.
 */
export const subscan = coinFormat(
  { id: 'subscan', name: 'Subscan transfers', source: 'Subscan' },
  [
    { id: 'transfers', header: `${moveColumns} | Date` },
    { id: 'transfers-by-block', header: `${moveColumns} | Block Timestamp` },
  ],
  rowsInGroups(
    () => new OwnAddress(),
    (cells, ownAddress, { layout }) => {
      const date = layout.id === 'transfers' ? 'Date' : 'Block Timestamp';
      const [from, to] = [cells.text('From'), cells.text('To')];
      return ownAddress.add({ from, to, outcome: (mine) => readTransfer(cells, date, { from, to, mine }) });
    },
  ),
);

interface Addresses {
  readonly from: string;
  readonly to: string;
  readonly mine: string | null;
}

function readTransfer(cells: Cells, date: string, { from, to, mine }: Addresses): Outcome {
  const side = cells.need('Value', readUnits(cells, 'Value', cells.text('Symbol')));
  const time = cells.parseTime(date, cells.text(date).replace(/ ?\(\+UTC\)$/, ''));
  if (cells.flawed) return cells.refused();
  if (!/^true$/i.test(cells.text('Result'))) return cells.skip(skips.transferFailed);
  if (from === to) return cells.skip(skips.movedToSameAddress);
  if (mine === null || (mine !== from && mine !== to)) return cells.rejected('From', rejections.ownAddressUnclear);
  const common = { externalId: cells.text('Hash') || cells.text('Extrinsic ID') };
  return readMovement(cells, time, oneWay(mine === from, side), common);
}
