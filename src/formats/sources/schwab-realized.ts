import { accountNameText, readAccountName } from '../accounts/account-names.ts';
import { skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, readOnlyCell, rowsWith } from '../reader.ts';
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
          { column: 'Gain/Loss ($)', plus: ['Proceeds'], minus: ['Cost Basis (CB)'], either: ['Disallowed Loss'] },
        ],
        totals: [{ column: 'Symbol', says: /^total/i, sums: ['Proceeds', 'Cost Basis (CB)', 'Gain/Loss ($)'] }],
      },
      header: `Symbol | Name | Closed Date | Opened Date | Quantity | Proceeds | Cost Basis (CB) | Term | Wash Sale? |
        Disallowed Loss`,
    },
  ],
  // In a file with several accounts, a line with the account's name precedes each one. The first such line is above the
  // header.
  rowsWith(
    ({ context }) => {
      const names = context.preamble.map(readOnlyCell);
      return { account: readAccountText(names.findLast((name) => name !== '' && !/^realized gain/i.test(name)) ?? '') };
    },
    (cells, section) => {
      const name = readOnlyCell(cells.row);
      if (name === '')
        return /^total/i.test(cells.text('Symbol')) ? cells.skip(skips.totalRow) : readRow(cells, section.account);
      section.account = readAccountText(name);
      return cells.skip(skips.accountName);
    },
  ),
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
