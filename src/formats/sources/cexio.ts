import { readQuantityRounded } from '../cells/fields.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, rowsInGroups, type Time } from '../reader.ts';
import { Gatherer } from '../tables/gatherer.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { exchangeOfLegs, type LedgerLeg } from '../tables/leg-groups.ts';
import { readExchange, readSide, type Side, sideWith } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';
import { pricedAt } from '../tables/pairs.ts';

/**
 * Reads CEX.IO files. They have one row per fill, with the other side of the trade in the comment (`Sold 0.5 ETH at 898
 * USD`). A sale's amount is net of the fee. A wallet exchange has one row per leg, with the same time to the second.
 * Times are UTC.
 */
export const cexIo = coinFormat(
  { id: 'cexio', name: 'CEX.IO transactions', source: 'CEX.IO' },
  [
    {
      id: 'transactions',
      header: 'DateUTC | Amount | Symbol | Balance | Type | Pair | FeeSymbol | FeeAmount | Comment',
    },
  ],
  rowsInGroups(
    () => new Gatherer<LedgerLeg>((legs) => exchangeOfLegs(legs, legs[0]?.cells.time('DateUTC') ?? null, 'Type')),
    readRow,
  ),
);

const kinds: Kinds = [
  ['deposit', 'deposit'],
  ['withdraw', 'withdrawal'],
  ['staking', 'staking'],
  ['referral', 'reward'],
  ['cancel', { skip: skips.orderCanceled }],
];

const fill = /^(bought|sold) ([\d.]+) (\w+) at ([\d.]+) (\w+)$/i;
const order = /^(?:buy|sell) order/i;

function readRow(cells: Cells, exchanges: Gatherer<LedgerLeg>): Outcome | readonly Outcome[] {
  const moved = readSide(cells, 'Symbol', 'Amount');
  const fee = readSide(cells, 'FeeSymbol', 'FeeAmount');
  const time = cells.time('DateUTC');
  const type = cells.text('Type').toLowerCase();
  if (cells.flawed || time === null) return cells.refused();
  if (type === 'buy' || type === 'sell') return readFill(cells, time, moved, fee);
  if (type !== 'wallet_buy' && type !== 'wallet_sell') return readOther(cells, time, moved, fee);
  cells.need('Amount', moved);
  if (moved === null) return cells.refused();
  const leg = { cells, side: moved, out: type === 'wallet_sell', isFee: false };
  const fees = fee === null ? [] : [{ cells, side: fee, out: true, isFee: true }];
  return exchanges.add(cells.text('DateUTC'), leg, ...fees);
}

function readFill(cells: Cells, time: Time, moved: Side | null, fee: Side | null): Outcome {
  const comment = cells.text('Comment');
  if (order.test(comment)) return cells.skip(skips.orderOfFills);
  const [, way = '', amount = '', asset = '', price = '', quote = ''] = fill.exec(comment) ?? [];
  const units = readQuantityRounded(amount) ?? null;
  if (units === null || units === 0n) return cells.rejected('Comment', rejections.commentUnclear);
  const base: Side = { asset: asset.toUpperCase(), quantity: units };
  const buys = way.toLowerCase() === 'bought';
  cells.need('Amount', moved);
  if (moved === null) return cells.refused();
  if (moved.asset !== (buys ? base.asset : quote.toUpperCase()))
    return cells.rejected('Symbol', rejections.otherAssetInComment);
  const withheld = fee?.asset === moved.asset ? fee.quantity : 0n;
  const sides = buys
    ? { given: pricedAt(readQuantityRounded(price) ?? null, base, quote), received: moved }
    : { given: base, received: sideWith(moved, withheld) };
  if (sides.given === null || sides.received === null) return cells.rejected('Comment', rejections.commentWithoutPrice);
  const { given, received } = sides;
  return readExchange(cells, time, { given, received, fee }, { note: comment });
}

function readOther(cells: Cells, time: Time, moved: Side | null, fee: Side | null): Outcome {
  const kind = readRowKind(cells, 'Type', kinds);
  if (typeof kind !== 'string') return kind;
  const comment = cells.text('Comment');
  if (/pending/i.test(cells.text('Balance')) || /cancel|fail|reject|declin|pending/i.test(comment))
    return cells.skip(skips.transferNotCompleted);
  cells.need('Amount', moved);
  if (kind !== 'withdrawal') return readMovement(cells, time, { received: moved, fee, kind }, { note: comment });
  // Outgoing amounts include the fee.
  const given = fee?.asset === moved?.asset ? sideWith(moved, -(fee?.quantity ?? 0n)) : moved;
  return readMovement(cells, time, { given, fee }, { note: comment });
}
