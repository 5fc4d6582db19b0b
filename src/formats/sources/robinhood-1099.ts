import { accountOfNumber } from '../accounts/account-names.ts';
import { skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { readReportedSale } from '../tables/reported.ts';

/** Matches totals for all sales, a box or a term. A total also has no date, because a company may be named Total. */
const totalText = /^(?:(?:grand|sub|short[- ]term|long[- ]term|box [A-L]) ?-?)*totals?\b/i;

/**
 * Reads Robinhood consolidated 1099s. Every section has its own header, and the first cell in a line names its section.
 * Imports only the sales on the 1099-B, which are already matched; the other sections are totals. Do not combine it
 * with the account activity.
 */
export const robinhood1099 = brokerFormat(
  { id: 'robinhood-1099', name: 'Robinhood consolidated 1099', source: 'Robinhood' },
  [
    {
      id: 'consolidated',
      results: {
        totals: [
          {
            column: 'DESCRIPTION',
            says: totalText,
            unless: { column: 'SALE DATE', says: /\d/ },
            sums: ['COST BASIS', 'SALES PRICE', 'WASH AMT DISALLOWED'],
            by: ['FORM8949CODE', 'TERM'],
            isOfAllIfEmpty: true,
            of: { column: '1099-B', says: /^1099-B$/ },
          },
        ],
      },
      header: `1099-B | ACCOUNT NUMBER | TAX YEAR | DATE ACQUIRED | SALE DATE | DESCRIPTION | SHARES | COST BASIS |
        SALES PRICE | TERM | WASH AMT DISALLOWED`,
      read: readRow,
    },
  ],
);

function readRow(cells: Cells): Outcome {
  if (cells.text('1099-B') !== '1099-B') return cells.skip(skips.totalOfOtherForm);
  if (/^account number$/i.test(cells.text('ACCOUNT NUMBER'))) return cells.skip(skips.headerRow);
  if (totalText.test(cells.text('DESCRIPTION')) && cells.text('SALE DATE') === '') return cells.skip(skips.totalRow);
  const sale = {
    asset: cells.text('DESCRIPTION').toUpperCase(),
    quantity: cells.quantity('SHARES'),
    acquired: /^various$/i.test(cells.text('DATE ACQUIRED')) ? null : cells.day('DATE ACQUIRED'),
    proceeds: cells.money('SALES PRICE'),
    basis: cells.money('COST BASIS'),
    wash: cells.money('WASH AMT DISALLOWED'),
    marketDiscount: cells.money('ACCRDMKTDISCOUNT'),
    term: cells.text('TERM'),
    box: cells.text('FORM8949CODE'),
    withheld: cells.money('FED TAX WITHHELD'),
  };
  const columns = { asset: 'DESCRIPTION', quantity: 'SHARES', proceeds: 'SALES PRICE' };
  const account = accountOfNumber(cells.text('ACCOUNT NUMBER'), robinhood1099.source);
  return readReportedSale(cells, cells.time('SALE DATE'), columns, sale, { account });
}
