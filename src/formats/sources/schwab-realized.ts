import { accountNameText, readAccountName } from '../accounts/account-names.ts';
import { Cells, HeaderColumns } from '../cells/cells.ts';
import { totalRow } from '../cells/reasons.ts';
import type { Outcome } from '../format.ts';
import { brokerFormat, readOnlyCell } from '../reader.ts';
import { readReportedSale } from '../tables/reported.ts';

/**
 * Reads Schwab's realized gain/loss lot details, which are already matched. Do not combine them with a transaction
 * history that contains the same sales.
 */
export const schwabRealized = brokerFormat(
  { id: 'schwab-realized', name: 'Schwab realized gain/loss', source: 'Schwab' },
  [
    {
      id: 'lots',
      results: {
        rows: [
          {
            column: 'Gain/Loss ($)',
            plus: ['Proceeds'],
            minus: ['Cost Basis (CB)'],
            either: ['Disallowed Loss'],
          },
        ],
        totals: [{ column: 'Symbol', says: /^total/i, sums: ['Proceeds', 'Cost Basis (CB)', 'Gain/Loss ($)'] }],
      },
      header: `Symbol | Name | Closed Date | Opened Date | Quantity | Proceeds | Cost Basis (CB) | Term | Wash Sale? |
        Disallowed Loss`,
    },
  ],
  (_layout, header, context) => {
    const columns = new HeaderColumns(header);
    // In a file with several accounts, a line with the account's name precedes each one. The first such line is above
    // the header.
    let account = readAccountText(
      context.preamble.map(readOnlyCell).findLast((name) => name !== '' && !/^realized gain/i.test(name)) ?? '',
    );
    return {
      read: (row) => {
        const cells = new Cells(row, columns, context);
        const name = readOnlyCell(row);
        if (name !== '') {
          account = readAccountText(name);
          return [cells.skip('Account name')];
        }
        return [/^total/i.test(cells.text('Symbol')) ? cells.skip(totalRow) : readRow(cells, account)];
      },
      end: () => [],
    };
  },
);

function readAccountText(text: string): string {
  const name = readAccountName(text);
  return name === undefined ? '' : accountNameText(name, schwabRealized.source);
}

function readRow(cells: Cells, account: string): Outcome {
  const sale = {
    asset: cells.text('Symbol').toUpperCase(),
    quantity: cells.quantity('Quantity'),
    acquired: cells.day('Opened Date'),
    proceeds: cells.money('Proceeds'),
    basis: cells.money('Cost Basis (CB)'),
    wash: cells.money('Disallowed Loss'),
    term: cells.text('Term'),
  };
  const columns = { asset: 'Symbol', quantity: 'Quantity', proceeds: 'Proceeds' };
  return readReportedSale(cells, cells.time('Closed Date'), columns, sale, { account });
}
