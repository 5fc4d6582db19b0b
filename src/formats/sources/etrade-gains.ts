import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { readReportedSale } from '../tables/reported.ts';

/**
 * Reads E*TRADE's expanded gains and losses for stock plans. The basis is the adjusted one: the amount paid plus the
 * amount taxed as wages (Pub. 550, "Employee stock options"). One order has several rows, one for each grant and
 * vesting.
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
  // The basis of noncovered shares is not reported (i8949, boxes B and E).
  const isNoncovered = /^non-?covered$/i.test(cells.text('Covered Status'));
  const sale = {
    asset: cells.text('Symbol').toUpperCase(),
    quantity: cells.quantity('Quantity'),
    acquired: cells.day('Date Acquired'),
    proceeds: cells.money('Total Proceeds'),
    basis: cells.money('Adjusted Cost Basis'),
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
