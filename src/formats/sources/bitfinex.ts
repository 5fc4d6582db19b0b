import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readSide } from '../tables/legs.ts';
import { pricedSide, readPairTrade, readUnits, splitPair } from '../tables/pairs.ts';
import { bySign, transfers } from '../tables/tables.ts';

/**
 * Reads Bitfinex trades, with negative amounts for sales, and movements. The user chooses the date format, DD-MM-YY by
 * default. Times are UTC. The ledger file describes the same events differently (bitfinex-ledger.ts).
 */
export const bitfinex = coinFormat(
  {
    id: 'bitfinex',
    name: 'Bitfinex trades and movements',
    source: 'Bitfinex',
    asksDateOrder: true,
    dates: 'day first',
  },
  [
    { id: 'trades', header: '# | PAIR | AMOUNT | PRICE | FEE | FEE CURRENCY | DATE | ORDER ID', read: readTrade },
    {
      id: 'movements-started',
      header: '# | STARTED | UPDATED | CURRENCY | STATUS | AMOUNT | FEES | TRANSACTION ID',
      read: movementsOn('STARTED'),
    },
    {
      id: 'movements',
      header: '# | DATE | CURRENCY | STATUS | AMOUNT | FEES | TRANSACTION ID',
      read: movementsOn('DATE'),
    },
  ],
);

function readTrade(cells: Cells): Outcome {
  const [base, quote] = splitPair(cells, 'PAIR') ?? [];
  const amount = readUnits(cells, 'AMOUNT', base);
  const sides = {
    base: amount,
    quote: pricedSide(cells, 'PRICE', amount, quote),
    fee: readSide(cells, 'FEE CURRENCY', 'FEE'),
  };
  const type = bySign('AMOUNT')(cells) === 'out' ? 'sell' : 'buy';
  return readPairTrade(cells, cells.time('DATE'), 'AMOUNT', sides, { externalId: cells.text('#') }, type);
}

function movementsOn(date: string): (cells: Cells) => Outcome {
  return transfers({
    date,
    moved: ['CURRENCY', 'AMOUNT'],
    way: bySign('AMOUNT'),
    fee: 'FEES',
    status: 'STATUS',
    id: 'TRANSACTION ID',
  });
}
