import { sum } from '../cells/amounts.ts';
import { skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, readOnlyCell } from '../reader.ts';
import { readReportedSale } from '../tables/reported.ts';

/**
 * Reads Fidelity closed positions, which are already matched. The gain is in the column for its term, and the symbol
 * includes the CUSIP. Do not combine them with the same account's history.
 */
export const fidelityRealized = brokerFormat(
  { id: 'fidelity-realized', name: 'Fidelity realized gain/loss', source: 'Fidelity' },
  [
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
      header: `Symbol(CUSIP) | Security Description | Quantity | Date Acquired | Date Sold | Proceeds | Cost Basis |
        Short Term Gain/Loss | Long Term Gain/Loss`,
      read: readRow,
    },
  ],
);

function readRow(cells: Cells): Outcome {
  if (readOnlyCell(cells.row) !== '' || /^total/i.test(cells.text('Symbol(CUSIP)')))
    return cells.skip(skips.titleNoteOrTotal);
  const [short, long] = [cells.money('Short Term Gain/Loss'), cells.money('Long Term Gain/Loss')];
  const sale = {
    asset: parseSymbol(cells.text('Symbol(CUSIP)')),
    quantity: cells.quantity('Quantity'),
    acquired: /^various$/i.test(cells.text('Date Acquired')) ? null : cells.day('Date Acquired'),
    proceeds: cells.money('Proceeds'),
    basis: cells.money('Cost Basis'),
    // If one row contains shares of both terms, the term is unknown.
    term: sum(short, long) === null || (short !== null && long !== null) ? '' : short === null ? 'long' : 'short',
  };
  const columns = { asset: 'Symbol(CUSIP)', quantity: 'Quantity', proceeds: 'Proceeds' };
  const note = cells.text('Security Description');
  return readReportedSale(cells, cells.time('Date Sold'), columns, sale, { note });
}

/** Reads `ACME(000000000)`, or `-ACME240119C50(…)` for an option. */
function parseSymbol(text: string): string {
  return text
    .replace(/\([A-Z0-9]+\)$/i, '')
    .trim()
    .toUpperCase();
}
