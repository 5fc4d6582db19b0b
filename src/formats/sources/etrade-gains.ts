import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { readReportedSale } from '../tables/reported.ts';

/**
 * Reads E*TRADE's expanded gains and losses for stock plans, the supplement to its Form 1099-B. The basis is the amount
 * paid, which the form shows, and the amount taxed as wages is stated apart (Pub. 550, "Employee stock options"). If the
 * two do not sum to the adjusted basis, the basis is the adjusted one. One order has several rows, one for each grant
 * and vesting.
 */
export const etradeGains = brokerFormat({ id: 'etrade-gains', name: 'E*TRADE gains and losses', source: 'E*TRADE' }, [
  {
    id: 'expanded',
    results: {
      rows: [{ column: 'Adjusted Gain/Loss', plus: ['Total Proceeds'], minus: ['Adjusted Cost Basis'] }],
      totals: [{ column: 'Record Type', says: /^summary$/i, sums: ['Total Proceeds', 'Adjusted Gain/Loss'] }],
    },
    header: `Record Type | Symbol | Plan Type | Quantity | Date Acquired | Adjusted Cost Basis | Date Sold |
      Total Proceeds | Capital Gains Status | Order Number`,
    read: readRow,
  },
]);

function readRow(cells: Cells): Outcome {
  const record = cells.text('Record Type').toLowerCase();
  if (record === 'summary') return cells.skip(skips.totalRow);
  if (record !== 'sell') return cells.rejected('Record Type', rejections.notSellOrSummary);
  const term = cells.text('Capital Gains Status');
  const isPurchased = /^espp$/i.test(cells.text('Plan Type'));
  // The basis of noncovered shares is not reported (i8949, boxes B and E). Shares that vest are not bought for cash.
  const status = cells.text('Covered Status');
  const isVested = /^rsu?$/i.test(cells.text('Plan Type')) && !/^covered$/i.test(status);
  const isNoncovered = /^non-?covered$/i.test(status) || isVested;
  const adjusted = cells.money('Adjusted Cost Basis');
  const [paid, wages] = [cells.money('Acquisition Cost'), cells.money('Ordinary Income Recognized')];
  const isSplit = paid !== null && wages !== null && wages > 0n && paid + wages === adjusted;
  const sale = {
    asset: cells.text('Symbol').toUpperCase(),
    quantity: cells.quantity('Quantity'),
    acquired: cells.day('Date Acquired'),
    proceeds: cells.money('Total Proceeds'),
    ...(isSplit ? { basis: paid, wages } : { basis: adjusted }),
    ...(isSplit && isPurchased ? { offered: cells.day('Grant Date') } : {}),
    wash: cells.money('Total Wash Sale Adjustment Amount'),
    term,
    ...(isNoncovered ? { box: /^l/i.test(term) ? 'E' : 'B' } : {}),
  };
  const parts = [cells.text('Order Number'), cells.text('Grant Number'), cells.text('Vest Date')];
  const externalId = parts.filter((part) => !/^(?:|--|0)$/.test(part)).join('/');
  const columns = { asset: 'Symbol', quantity: 'Quantity', proceeds: 'Total Proceeds' };
  const note = cells.text('Disposition Type').replace(/^--$/, '');
  return readReportedSale(cells, cells.time('Date Sold'), columns, sale, { externalId, note });
}
