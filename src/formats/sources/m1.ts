import type { Money } from '../../base/decimal.ts';
import { sum } from '../cells/amounts.ts';
import { rejections } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { readReportedSale } from '../tables/reported.ts';

/**
 * Reads M1 Finance tax lots. Open lots become opening lots. Closed lots become sales with the gain that M1 reported, so
 * the proceeds are basis plus gain. (M1's holdings file has neither dates nor basis, so it is not supported.)
 */
export const m1 = brokerFormat({ id: 'm1', name: 'M1 Finance tax lots', source: 'M1' }, [
  {
    id: 'tax-lots',
    header: 'Symbol | Cusip | Acquisition Date | Quantity | Cost Basis | Close Date | M1 Tax Lot Id',
    read: readRow,
  },
]);

function readRow(cells: Cells): Outcome {
  const asset = cells.text('Symbol').toUpperCase();
  const quantity = cells.quantity('Quantity');
  const basis = cells.money('Cost Basis');
  const common = { externalId: cells.text('M1 Tax Lot Id') };
  const closed = cells.text('Close Date') !== '';
  const acquired = cells.day('Acquisition Date');
  if (!closed) {
    const time = cells.time('Acquisition Date');
    if (asset === '') cells.reject('Symbol', rejections.requiredHere);
    cells.need('Cost Basis', basis);
    return cells.read(time, {
      ...common,
      type: 'opening_lot',
      asset,
      quantity: cells.need('Quantity', quantity),
      acquired,
      basis,
    });
  }
  const [short, long] = [cells.money('Short Term Realized Gain/Loss'), cells.money('Long Term Realized Gain/Loss')];
  const gain = sum(short, long);
  const sale = {
    asset,
    quantity,
    acquired,
    basis,
    proceeds: basis === null || gain === null ? null : ((basis + gain) as Money),
    wash: cells.money('Disallowed Wash Sale Amount'),
    term: long !== null && long !== 0n ? 'long' : short !== null && short !== 0n ? 'short' : '',
  };
  const columns = { asset: 'Symbol', quantity: 'Quantity', proceeds: 'Short Term Realized Gain/Loss' };
  return readReportedSale(cells, cells.time('Close Date'), columns, sale, common);
}
