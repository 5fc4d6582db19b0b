import { readQuantity } from '../cells/fields.ts';
import { skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, readOnlyCell } from '../reader.ts';
import { readReportedSale, unitsAndName } from '../tables/reported.ts';

const property = 'Description of property (Example 100 sh. XYZ Co.)';
/** Matches totals for all sales, a box or a term. They have no date. */
const totalText = /\btotals?\b/i;

/**
 * Reads the Schwab Form 1099 Composite: the sales on its 1099-B, which are already matched. Boxes from other forms are
 * totals. There is no symbol, so units and name come from the description. Do not combine it with a transaction history
 * that contains the same sales.
 */
export const schwab1099 = brokerFormat({ id: 'schwab-1099', name: 'Schwab 1099 composite', source: 'Schwab' }, [
  {
    id: 'composite',
    results: {
      totals: [
        {
          column: property,
          says: totalText,
          unless: { column: 'Date sold or disposed', says: /\d|various/i },
          sums: ['Proceeds', 'Cost or other basis', 'Accrued market discount', 'Wash sale loss disallowed'],
          by: ['Form 8949 Code', 'Short-Term gain loss Long-term gain or loss Ordinary'],
          isOfAllIfEmpty: true,
          of: { column: 'Date sold or disposed', says: /\d|various/i },
        },
      ],
    },
    header: `${property} | Date acquired | Date sold or disposed | Proceeds |
      Cost or other basis | Wash sale loss disallowed | Form 8949 Code`,
    read: (cells) => (isSale(cells) ? readRow(cells) : cells.skip(skips.titleOrTotalOfOtherForm)),
  },
]);

function isSale(cells: Cells): boolean {
  return readOnlyCell(cells.row) === '' && /\d|various/i.test(cells.text('Date sold or disposed'));
}

function readRow(cells: Cells): Outcome {
  const { units, name } = unitsAndName(cells.text(property));
  const various = /^various$/i.test(cells.text('Date acquired'));
  const sale = {
    asset: name,
    quantity: readQuantity(units) ?? null,
    acquired: various ? null : cells.day('Date acquired'),
    proceeds: cells.money('Proceeds'),
    basis: cells.money('Cost or other basis'),
    wash: cells.money('Wash sale loss disallowed'),
    marketDiscount: cells.money('Accrued market discount'),
    term: cells.text('Short-Term gain loss Long-term gain or loss Ordinary'),
    box: cells.text('Form 8949 Code'),
    withheld: cells.money('Federal income tax withheld'),
  };
  const columns = { asset: property, quantity: property, proceeds: 'Proceeds' };
  return readReportedSale(cells, cells.time('Date sold or disposed'), columns, sale);
}
