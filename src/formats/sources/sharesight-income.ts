import { noneIfZero, sum } from '../cells/amounts.ts';
import { Cells, HeaderColumns, normalizeHeader } from '../cells/cells.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Outcome, type Row, readOnlyCell, type StatedFields } from '../reader.ts';

/**
 * Reads Sharesight's taxable income report: one table with local income, in a currency implied by the market, and one
 * with foreign income in the row's currency. Each row is a dividend and the tax withheld from it. Dates are day first.
 */
export const sharesightIncome = brokerFormat(
  { id: 'sharesight-income', name: 'Sharesight taxable income report', source: 'Sharesight' },
  [
    { id: 'local', header: 'Code | Name | Date Paid | Net Dividend | Tax Deducted | Tax Credit | Gross Dividend' },
    { id: 'foreign', header: 'Code | Name | Date Paid | Currency | Net Amount | Foreign Tax Deducted | Gross Amount' },
  ],
  (_layout, header, context) => {
    let columns = new HeaderColumns(header);
    return {
      read: (row) => {
        const turns = isHeader(row);
        if (turns) columns = new HeaderColumns(row);
        const cells = new Cells(row, columns, context, { dates: 'day first' });
        return [turns ? cells.skip(skips.headerRow) : readRow(cells)];
      },
      end: () => [],
    };
  },
);

function isHeader(row: Row): boolean {
  const names = new Set(row.cells.map(normalizeHeader));
  return names.has('code') && names.has('name') && names.has('date paid');
}

/** The home markets of Sharesight's users, with their currencies. */
const currencyOfMarket: Readonly<Record<string, string>> = {
  ASX: 'AUD',
  NZX: 'NZD',
  LSE: 'GBP',
  UKF: 'GBP',
  TSX: 'CAD',
  SGX: 'SGD',
  NYSE: 'USD',
  NASDAQ: 'USD',
};

function readRow(cells: Cells): Outcome {
  if (readOnlyCell(cells.row) !== '' || /^total/i.test(cells.text('Code'))) return cells.skip(skips.titleOrTotal);
  const local = cells.has('Net Dividend');
  if (!local && !cells.has('Foreign Tax Deducted')) return cells.rejected(null, rejections.tableNotImported);
  const [net, tax] = local ? ['Net Dividend', 'Tax Deducted'] : ['Net Amount', 'Foreign Tax Deducted'];
  const [asset = '', market = ''] = cells.text('Code').toUpperCase().split('.');
  const currency = local ? (currencyOfMarket[market] ?? '') : cells.text('Currency').toUpperCase();
  const kept = noneIfZero(cells.money(tax));
  const amount = sum(cells.need(net, cells.money(net)), kept);
  const time = cells.time('Date Paid');
  if (currency === '') cells.reject(local ? 'Code' : 'Currency', rejections.currencyNotShown);
  const common = { asset, currency, note: cells.text('Name') };
  const dividend: StatedFields = { ...common, type: 'dividend', amount };
  return kept === null
    ? cells.read(time, dividend)
    : cells.read(time, dividend, { ...common, type: 'withholding', amount: kept });
}
