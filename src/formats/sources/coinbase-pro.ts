import type { Quantity } from '../../base/decimal.ts';
import { isCurrency } from '../cells/currencies.ts';
import { Joiner, withLines } from '../cells/joiner.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type FormatFile, type Outcome, rowsInGroups } from '../reader.ts';
import { createBalanceReader } from '../tables/balance-columns.ts';
import type { LedgerLeg } from '../tables/leg-groups.ts';
import { readExchange, readSide, type Side } from '../tables/legs.ts';

/** Reads Coinbase Pro fills: one row per fill, with the fee in the quote, and a total. Times are UTC. */
export const coinbaseProFills = coinFormat(
  { id: 'coinbase-pro-fills', name: 'Coinbase Pro fills', source: 'Coinbase Pro', zone: 'local' },
  [
    {
      id: 'fills',
      price: 'price',
      header: 'trade id | product | side | created at | size | size unit | price | fee | total | price/fee/total unit',
      read: readFill,
    },
  ],
);

function readFill(cells: Cells): Outcome {
  const size = readSide(cells, 'size unit', 'size');
  const total = readSide(cells, 'price/fee/total unit', 'total');
  const fee = readSide(cells, 'price/fee/total unit', 'fee');
  const time = cells.time('created at', 'UTC');
  const buys = cells.text('side').toUpperCase() === 'BUY';
  if (!buys && cells.text('side').toUpperCase() !== 'SELL')
    return cells.rejected('side', rejections.neitherPurchaseNorSale);
  if (cells.flawed) return cells.refused();
  if (size === null || total === null)
    return cells.rejected(size === null ? 'size' : 'total', rejections.requiredForFill);
  // The total is net of the fee: amounts paid include the fee, and proceeds exclude it.
  const gross: Side = {
    asset: total.asset,
    quantity: (total.quantity + (buys ? -(fee?.quantity ?? 0n) : (fee?.quantity ?? 0n))) as Quantity,
  };
  const sides = buys ? { given: gross, received: size } : { given: size, received: gross };
  return readExchange(cells, time, { ...sides, fee }, { externalId: cells.text('trade id') });
}

/**
 * Reads the Coinbase Pro account statement. It has a row for each leg of a match and for its fee, joined by the trade
 * id. Times are UTC.
 */
export const coinbaseProAccount = coinFormat(
  {
    id: 'coinbase-pro-account',
    name: 'Coinbase Pro account statement',
    zone: 'local',
    source: 'Coinbase Pro',
    openBalances: createBalanceReader((layout) => ({
      ...{ time: layout.id, asset: 'amount/balance unit', amount: 'amount', fee: null, balance: 'balance' },
      conventions: { zone: 'UTC' },
      part: (cells) => cells.text('portfolio'),
    })),
  },
  [
    { id: 'time', header: 'type | time | amount | balance | amount/balance unit | transfer id | trade id' },
    { id: 'timestamp', header: 'type | timestamp | amount | balance | amount/balance unit | transfer id | trade id' },
  ],
  rowsInGroups(
    ({ layout }) => new Joiner<LedgerLeg>((legs, trade) => finish(legs, trade, layout.id), legsMax),
    readRow,
  ),
);

/** Two sides, a fee, and one extra. A group with more rows is not a trade, and the limit bounds memory. */
const legsMax = 4;

function readRow(cells: Cells, trades: Joiner<LedgerLeg>, { layout }: FormatFile): Outcome | readonly Outcome[] {
  const type = cells.text('type').toLowerCase();
  const side = readSide(cells, 'amount/balance unit', 'amount');
  const time = cells.time(layout.id, 'UTC');
  if (cells.flawed) return cells.refused();
  if (side === null) return cells.skip(skips.zeroAmount);
  const out = cells.text('amount').startsWith('-');
  if (type === 'match' || type === 'fee' || type === 'conversion') {
    const trade = cells.text('trade id') || cells.text('transfer id') || cells.text(layout.id);
    return trades.add(trade, { cells, side, out, isFee: type === 'fee' });
  }
  if (type !== 'deposit' && type !== 'withdrawal') return cells.rejected('type', rejections.notImported(type));
  if (isCurrency(side.asset)) return cells.skip(skips.notTaxable(type, side.asset));
  return cells.read(time, { ...side, type, externalId: cells.text('transfer id') });
}

function finish(legs: readonly LedgerLeg[], externalId: string, timeColumn: string): Outcome[] {
  const [given, received, fee] = [
    legs.find((leg) => leg.out && !leg.isFee),
    legs.find((leg) => !leg.out && !leg.isFee),
    legs.find((leg) => leg.isFee),
  ];
  const complete = given !== undefined && received !== undefined && legs.length === (fee === undefined ? 2 : 3);
  const first = legs[0]?.cells;
  if (!complete || first === undefined)
    return legs.map(({ cells }) => cells.rejected('trade id', rejections.legsMissing));
  const exchange = { given: given.side, received: received.side, fee: fee?.side ?? null };
  const outcome = readExchange(first, first.time(timeColumn, 'UTC'), exchange, { externalId });
  const lines = legs.map(({ cells }) => cells.line);
  return [withLines(outcome, lines)];
}
