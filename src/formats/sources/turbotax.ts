import type { Cells } from '../cells/cells.ts';
import { readQuantity } from '../cells/fields.ts';
import type { Format, Outcome } from '../format.ts';
import { rowByRow } from '../reader.ts';
import { readReportedSale, unitsAndName } from '../tables/reported.ts';

/** TurboTax's table of crypto gains: matched already. Units stand in the name (`0.5 BTC`), or nowhere: then nobody knows. */
export const turboTax: Format = {
  id: 'turbotax',
  name: 'TurboTax crypto gains',
  source: 'TurboTax',
  assetClass: 'crypto',
  layouts: [{ id: 'gains', required: ['Currency Name', 'Purchase Date', 'Cost Basis', 'Date Sold', 'Proceeds'] }],
  open: rowByRow(readRow),
};

function readRow(cells: Cells): Outcome {
  const { units, name } = unitsAndName(cells.text('Currency Name'));
  if (units === '')
    cells.reject(
      'Currency Name',
      'missing',
      'the units are not in the file: write them before the name, as in 0.5 BTC',
    );
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
