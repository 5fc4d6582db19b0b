import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, readOnlyCell, rowsWith } from '../reader.ts';

/** Reads Schwab's open lots for one security, which only the title names, as opening lots. Times are New York time. */
export const schwabLots = brokerFormat(
  { id: 'schwab-lots', name: 'Schwab open lot details', source: 'Schwab' },
  [
    {
      id: 'open-lots',
      header: 'Open Date | Quantity | Price | Cost/Share | Market Value | Cost Basis | Holding Period',
    },
  ],
  rowsWith(({ context }) => {
    const titles = context.preamble.map(readOnlyCell);
    const named = titles.map((title) => /^(\S+) Lot Details\b/i.exec(title)).find((match) => match !== null);
    return named?.[1]?.toUpperCase() ?? '';
  }, readRow),
);

function readRow(cells: Cells, asset: string): Outcome {
  if (/^total/i.test(cells.text('Open Date'))) return cells.skip(skips.totalRow);
  if (asset === '') return cells.rejected(null, rejections.titleMissing);
  const time = cells.time('Open Date', 'America/New_York');
  return cells.read(time, {
    type: 'opening_lot',
    asset,
    quantity: cells.need('Quantity', cells.quantity('Quantity')),
    acquired: cells.day('Open Date'),
    basis: cells.need('Cost Basis', cells.money('Cost Basis')),
  });
}
