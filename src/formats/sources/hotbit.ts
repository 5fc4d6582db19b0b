import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { checkPairPrice, readNamedUnits, readPairTrade, splitPair, withRebate } from '../tables/pairs.ts';

const orderColumns = 'Date | Pair | Price | Fee | Total';
/** Matches `-0.6 USDT`, and `+0.1 USDT` for makers. */
const feeWithUnit = { column: 'Fee', says: /^[+-]?[\d.,]+ \w+$/ };

/**
 * Reads files from Hotbit, closed in 2023: trades copied from its website, in UTC with units in the cells, and its own
 * files, in seconds since 1970 or Hong Kong time. Makers were paid a fee, which is positive in copied trades and
 * negative in the files. Layouts with only everyday words in their headers are tried only if the request names the
 * format.
 */
export const hotbit = coinFormat({ id: 'hotbit', name: 'Hotbit trades', source: 'Hotbit', asksDateOrder: true }, [
  {
    id: 'support',
    price: 'price',
    header: 'time | user_id | market | side | role | amount | deal | fee | deal_stock',
    read: readFill,
  },
  {
    id: 'fills',
    price: 'price',
    header: 'time | market | side | price | amount | deal | fee',
    onlyWhenAsked: true,
    read: readFill,
  },
  {
    id: 'export',
    header: `${orderColumns} | Type | Amount | Export`,
    evidence: feeWithUnit,
    read: ordersWith('Type', 'Amount'),
  },
  {
    id: 'volume',
    header: `${orderColumns} | Side | Volume`,
    onlyWhenAsked: true,
    read: ordersWith('Side', 'Volume'),
  },
  {
    id: 'amount',
    header: `${orderColumns} | Side | Amount`,
    onlyWhenAsked: true,
    read: ordersWith('Side', 'Amount'),
  },
]);

function ordersWith(sideColumn: string, unitsColumn: string): (cells: Cells) => Outcome {
  return (cells) => {
    const [base, quote] = splitPair(cells, 'Pair') ?? [];
    const [units, total] = [readNamedUnits(cells, unitsColumn, base), readNamedUnits(cells, 'Total', quote)];
    const fee = readNamedUnits(cells, 'Fee', quote);
    checkPairPrice(cells, 'Price', units, total);
    const isRebate = cells.text('Fee').startsWith('+');
    const buys = /^buy/i.test(cells.text(sideColumn));
    const paid = isRebate ? withRebate(cells, 'Fee', fee, total, buys) : total;
    return readPairTrade(
      cells,
      cells.time('Date'),
      sideColumn,
      { base: units, quote: paid, fee: isRebate ? null : fee },
      {},
    );
  };
}

function readFill(cells: Cells): Outcome {
  const [base, quote] = splitPair(cells, 'market') ?? [];
  const [units, deal] = [readNamedUnits(cells, 'amount', base), readNamedUnits(cells, 'deal', quote)];
  const fee = readNamedUnits(cells, 'fee', quote);
  const isRebate = cells.text('fee').startsWith('-');
  const buys = /^buy/i.test(cells.text('side'));
  const paid = isRebate ? withRebate(cells, 'fee', fee, deal, buys) : deal;
  return readPairTrade(cells, fillTime(cells), 'side', { base: units, quote: paid, fee: isRebate ? null : fee }, {});
}

/** Reads a time with an underscore (`2021-03-04_10:15:00`) as UTC, and one with a blank as Hong Kong time. */
function fillTime(cells: Cells): ReturnType<Cells['time']> {
  const text = cells.text('time');
  if (/^\d{10}(?:\d{3})?$/.test(text)) return cells.epoch('time');
  return text.includes('_') ? cells.parseTime('time', text.replace('_', ' ')) : cells.time('time', 'Asia/Hong_Kong');
}
