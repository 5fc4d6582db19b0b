import type { Cells } from '../cells/cells.ts';
import { orderNotFilled } from '../cells/reasons.ts';
import type { Outcome } from '../format.ts';
import { readCoinChange, signOf } from '../tables/coin-changes.ts';
import { derivative, type Kinds, kindIn } from '../tables/kinds.ts';
import { checkPairPrice, namedUnitsOf, readPairTrade, splitPair } from '../tables/pairs.ts';
import { formatOfTables } from '../tables/tables.ts';

/** LBank: orders and deposits, with units in the cells (`0.01btc`) and times like `2022-05-14 07:00:00UTC0`. */
export const lBank = formatOfTables(
  { id: 'lbank', name: 'LBank orders and deposits', source: 'LBank', asksDateOrder: true },
  [
    {
      id: 'orders',
      required: [
        'ID',
        'Method',
        'Type',
        'Pair',
        'Time',
        'Direction',
        'Average Price',
        'Volume',
        'Turnover',
        'Transaction Fee',
      ],
      read: readOrder,
    },
    {
      id: 'deposits',
      required: ['ID', 'Time', 'Token', 'Initial Quantity', 'Latest Quantity', 'Quantity', 'Type', 'Details'],
      read: readMove,
    },
  ],
);

const orderKinds: Kinds = [
  [/^(?:spot|limit|market)$/, 'trade'],
  [/future|margin|contract|perpetual/, derivative],
];

function readOrder(cells: Cells): Outcome {
  const [base, quote] = splitPair(cells, 'Pair') ?? [];
  const [filled, turnover] = [namedUnitsOf(cells, 'Volume', base), namedUnitsOf(cells, 'Turnover', quote)];
  const fee = namedUnitsOf(cells, 'Transaction Fee');
  const time = timeIn(cells);
  const kind = kindIn(cells, 'Type', orderKinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  if (filled === null && turnover === null) return cells.skip(orderNotFilled);
  checkPairPrice(cells, 'Average Price', filled, turnover);
  const sides = { base: filled, quote: turnover, fee };
  return readPairTrade(cells, time, 'Direction', sides, { externalId: cells.text('ID') });
}

const moveKinds: Kinds = [
  [/^deposit/, 'deposit'],
  [/^withdraw/, 'withdrawal'],
];

function readMove(cells: Cells): Outcome {
  const side = namedUnitsOf(cells, 'Quantity', cells.text('Token'));
  const time = timeIn(cells);
  const kind = kindIn(cells, 'Type', moveKinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  const sign = kind === 'deposit' ? signOf(cells, 'Quantity') : null;
  return readCoinChange(cells, time, 'Quantity', { side, sign, kind }, { externalId: cells.text('ID') });
}

function timeIn(cells: Cells): ReturnType<Cells['time']> {
  return cells.timeOf('Time', cells.text('Time').replace(/\s?UTC0$/, ''));
}
