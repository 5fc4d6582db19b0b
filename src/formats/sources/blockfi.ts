import { skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { internal, type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';

/**
 * Reads BlockFi's trades file and its transactions file. The transactions file repeats the legs of trades at different
 * times, so trades are imported only from the trades file. Times are UTC.
 */
export const blockFi = coinFormat({ id: 'blockfi', name: 'BlockFi history', source: 'BlockFi' }, [
  {
    id: 'trades',
    header: 'Trade ID | Date | Buy Quantity | Buy Currency | Sold Quantity | Sold Currency | Rate Amount',
    read: readTrade,
  },
  { id: 'transactions', header: 'Cryptocurrency | Amount | Transaction Type | Confirmed At', read: readTransaction },
]);

const kinds: Kinds = [
  [/^trade|^ach trade/, { skip: skips.inTradesFile }],
  [/interest/, 'interest'],
  [/referral|bonus|cc rewards|cc trading rebate/, 'reward'],
  [/withdrawal fee|fee/, 'fee'],
  [/deposit|crypto transfer/, 'deposit'],
  [/withdrawal/, 'withdrawal'],
  [/bia|wallet/, internal],
];

function readTrade(cells: Cells): Outcome {
  const given = readSide(cells, 'Sold Currency', 'Sold Quantity');
  const received = readSide(cells, 'Buy Currency', 'Buy Quantity');
  const time = cells.time('Date');
  const common = { externalId: cells.text('Trade ID') };
  return readMovement(cells, time, { given, received, kind: 'trade' }, common);
}

function readTransaction(cells: Cells): Outcome {
  const moved = readSide(cells, 'Cryptocurrency', 'Amount');
  const time = cells.time('Confirmed At');
  const kind = readRowKind(cells, 'Transaction Type', kinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  cells.need('Amount', moved);
  const out = cells.text('Amount').startsWith('-');
  return readMovement(cells, time, { ...oneWay(out, moved), kind }, {});
}
