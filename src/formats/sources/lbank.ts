import { skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readCoinChange, readSign } from '../tables/coin-changes.ts';
import { derivative, type Kinds, readRowKind } from '../tables/kinds.ts';
import { checkPairPrice, readNamedUnits, readPairTrade, splitPair } from '../tables/pairs.ts';

/** Reads LBank orders and deposits, with units in the cells (`0.01btc`) and times like `2022-05-14 07:00:00UTC0`. */
export const lBank = coinFormat(
  { id: 'lbank', name: 'LBank orders and deposits', source: 'LBank', asksDateOrder: true },
  [
    {
      id: 'orders',
      header: 'ID | Method | Type | Pair | Time | Direction | Average Price | Volume | Turnover | Transaction Fee',
      read: readOrder,
    },
    {
      id: 'deposits',
      header: 'ID | Time | Token | Initial Quantity | Latest Quantity | Quantity | Type | Details',
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
  const [filled, turnover] = [readNamedUnits(cells, 'Volume', base), readNamedUnits(cells, 'Turnover', quote)];
  const fee = readNamedUnits(cells, 'Transaction Fee');
  const time = readRowTime(cells);
  const kind = readRowKind(cells, 'Type', orderKinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  if (filled === null && turnover === null) return cells.skip(skips.orderNotFilled);
  checkPairPrice(cells, 'Average Price', filled, turnover);
  const sides = { base: filled, quote: turnover, fee };
  return readPairTrade(cells, time, 'Direction', sides, { externalId: cells.text('ID') });
}

const moveKinds: Kinds = [
  [/^deposit/, 'deposit'],
  [/^withdraw/, 'withdrawal'],
];

function readMove(cells: Cells): Outcome {
  const side = readNamedUnits(cells, 'Quantity', cells.text('Token'));
  const time = readRowTime(cells);
  const kind = readRowKind(cells, 'Type', moveKinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  const sign = kind === 'deposit' ? readSign(cells, 'Quantity') : null;
  return readCoinChange(cells, time, 'Quantity', { side, sign, kind }, { externalId: cells.text('ID') });
}

function readRowTime(cells: Cells): ReturnType<Cells['time']> {
  return cells.parseTime('Time', cells.text('Time').replace(/\s?UTC0$/, ''));
}
