import { sum } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import type { Format, Outcome } from '../format.ts';
import { readOnlyCell, rowByRow } from '../reader.ts';
import { readReportedSale } from '../tables/reported.ts';

/**
 * Fidelity closed positions: already matched, with the gain in the column of its term. The symbol includes its CUSIP.
 * Do not combine with the history of the same account.
 */
export const fidelityRealized: Format = {
  id: 'fidelity-realized',
  name: 'Fidelity realized gain/loss',
  source: 'Fidelity',
  assetClass: 'stock',
  layouts: [
    {
      id: 'closed-positions',
      results: {
        rows: [
          {
            column: 'Short Term Gain/Loss',
            plus: ['Proceeds'],
            minus: ['Cost Basis'],
            either: ['Long Term Gain/Loss'],
          },
          {
            column: 'Long Term Gain/Loss',
            plus: ['Proceeds'],
            minus: ['Cost Basis'],
            either: ['Short Term Gain/Loss'],
          },
        ],
        totals: [{ column: 'Symbol(CUSIP)', says: /^total/i, sums: ['Proceeds', 'Cost Basis'] }],
      },
      required: [
        'Symbol(CUSIP)',
        'Security Description',
        'Quantity',
        'Date Acquired',
        'Date Sold',
        'Proceeds',
        'Cost Basis',
        'Short Term Gain/Loss',
        'Long Term Gain/Loss',
      ],
    },
  ],
  open: rowByRow(readRow),
};

function readRow(cells: Cells): Outcome {
  if (readOnlyCell(cells.row) !== '' || /^total/i.test(cells.text('Symbol(CUSIP)')))
    return cells.skip('Title, note or total row');
  const [short, long] = [cells.money('Short Term Gain/Loss'), cells.money('Long Term Gain/Loss')];
  const sale = {
    asset: parseSymbol(cells.text('Symbol(CUSIP)')),
    quantity: cells.quantity('Quantity'),
    acquired: /^various$/i.test(cells.text('Date Acquired')) ? null : cells.day('Date Acquired'),
    proceeds: cells.money('Proceeds'),
    basis: cells.money('Cost Basis'),
    // If shares of both terms are in one row, the term is unknown.
    term: sum(short, long) === null || (short !== null && long !== null) ? '' : short === null ? 'long' : 'short',
  };
  const columns = { asset: 'Symbol(CUSIP)', quantity: 'Quantity', proceeds: 'Proceeds' };
  const note = cells.text('Security Description');
  return readReportedSale(cells, cells.time('Date Sold'), columns, sale, { note });
}

/** `ACME(000000000)`; an option is `-ACME240119C50(…)`. */
function parseSymbol(text: string): string {
  return text
    .replace(/\([A-Z0-9]+\)$/i, '')
    .trim()
    .toUpperCase();
}
