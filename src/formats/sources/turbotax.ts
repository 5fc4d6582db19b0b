import { readQuantity } from '../cells/fields.ts';
import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readReportedSale, unitsAndName } from '../tables/reported.ts';

/** Reads TurboTax's table of crypto gains, which are already matched. Units are in the name (`0.5 BTC`) or missing. */
export const turboTax = coinFormat(
  { id: 'turbotax', name: 'TurboTax crypto gains', source: 'TurboTax', zone: 'local' },
  [{ id: 'gains', header: 'Currency Name | Purchase Date | Cost Basis | Date Sold | Proceeds', read: readRow }],
);

function readRow(cells: Cells): Outcome {
  const { units, name } = unitsAndName(cells.text('Currency Name'));
  if (units === '') cells.reject('Currency Name', rejections.unitsBeforeName);
  const sale = {
    asset: name,
    quantity: readQuantity(units) ?? null,
    acquired: cells.day('Purchase Date'),
    proceeds: cells.money('Proceeds'),
    basis: cells.money('Cost Basis'),
  };
  const columns = { asset: 'Currency Name', quantity: 'Currency Name', proceeds: 'Proceeds' };
  return readReportedSale(cells, cells.time('Date Sold'), columns, sale);
}
