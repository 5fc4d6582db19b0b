import { noneIfZero } from '../cells/amounts.ts';
import { rejections } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { readReportedSale } from '../tables/reported.ts';

/** Reads a lot worksheet for Form 8949. Sold lots become reported sales, and unsold lots become opening lots. */
export const form8949Lots = brokerFormat(
  { id: 'form8949-lots', name: 'Form 8949 worksheet of lots', source: 'Worksheet' },
  [{ id: 'lots', header: 'Cnt | Sym | BuyDate | Basis | SellDate | Proceeds | AdjCode | Adj', read: readRow }],
);

function readRow(cells: Cells): Outcome {
  const asset = cells.text('Sym').toUpperCase();
  const quantity = cells.quantity('Cnt');
  const basis = cells.money('Basis');
  const note = cells.text('Desc');
  if (cells.text('SellDate') === '') {
    const acquired = cells.day('BuyDate');
    if (asset === '') cells.reject('Sym', rejections.requiredHere);
    const lot = { asset, quantity: cells.need('Cnt', quantity), acquired, basis: cells.need('Basis', basis), note };
    return cells.read(cells.time('BuyDate'), { ...lot, type: 'opening_lot' });
  }
  const washed = /w/i.test(cells.text('AdjCode'));
  const adjustment = noneIfZero(cells.money('Adj'));
  if (adjustment !== null && !washed) return cells.rejected('AdjCode', rejections.washSalesOnly);
  const sale = {
    asset,
    quantity,
    acquired: cells.day('BuyDate'),
    proceeds: cells.money('Proceeds'),
    basis,
    wash: adjustment,
  };
  const columns = { asset: 'Sym', quantity: 'Cnt', proceeds: 'Proceeds' };
  return readReportedSale(cells, cells.time('SellDate'), columns, sale, { note });
}
