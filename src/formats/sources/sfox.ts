import { formatQuantity, type Money, type Quantity } from '../../base/decimal.ts';
import { isCurrency } from '../cells/currencies.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { plainDate } from '../cells/times.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readCoinChange } from '../tables/coin-changes.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide, roundToMoney, type Side } from '../tables/legs.ts';
import { pricedSide, readPairTrade, readUnits } from '../tables/pairs.ts';
import { checkAgain, inNet } from '../tables/stated-money.ts';

/**
 * Reads sFOX orders, with the principal before fees, also in dollars, and sFOX transactions. Dates look like `Thu Jan
 * 02 2020 10:00:00 GMT+0000 (…)`.
 */
export const sFox = coinFormat({ id: 'sfox', name: 'sFOX orders and transactions', source: 'sFOX' }, [
  {
    id: 'orders',
    price: 'UnitPrice',
    header: `OrderId | OrderDate | Action | AssetPair | Quantity | Asset | UnitPrice | PriceCurrency |
      PrincipalAmount | Fees | Total`,
    read: readOrder,
  },
  {
    id: 'transactions',
    header: 'id | Date | Action | Quantity | Target Currency | Price | Source Currency | Fees | Status | Trader',
    read: readTransaction,
  },
]);

const moves: Kinds = [
  ['deposit', 'deposit'],
  [/^withdraw(?:al)?$/, 'withdrawal'],
];

/** Reads deposits, withdrawals, and trades without a value, which is computed as price times units. */
function readTransaction(cells: Cells): Outcome {
  const units = readSide(cells, 'Target Currency', 'Quantity');
  const count = cells.text('Timestamp');
  const time = /^\d{10}(?:\d{3})?$/.test(count)
    ? cells.epoch('Timestamp')
    : cells.parseTime('Date', plainDate(cells.text('Date')));
  const common = { externalId: cells.text('id'), note: cells.text('Memo') };
  if (/cancel|fail|reject|pending|declin|expired/i.test(cells.text('Status')))
    return cells.skip(skips.transactionNotCompleted);
  if (/^(?:buy|sell)$/i.test(cells.text('Action'))) {
    const quote = cells.text('Source Currency');
    const paid = pricedSide(cells, 'Price', units, quote);
    const sides = { base: units, quote: paid, fee: readUnits(cells, 'Fees', quote) };
    return readPairTrade(cells, time, 'Action', sides, common);
  }
  const kind = readRowKind(cells, 'Action', moves);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  if (readUnits(cells, 'Fees', units?.asset) !== null) return cells.rejected('Fees', rejections.feeAssetMissing);
  return readCoinChange(cells, time, 'Quantity', { side: units, sign: null, kind }, common);
}

function readOrder(cells: Cells): Outcome {
  const quote = cells.text('PriceCurrency');
  const sides = {
    base: readUnits(cells, 'Quantity', cells.text('Asset')),
    quote: readUnits(cells, 'PrincipalAmount', quote),
    fee: readUnits(cells, 'Fees', quote),
  };
  const [value, feeValue] = [cells.roundedMoney('PrincipalAmountUSD'), cells.roundedMoney('FeesUSD')];
  const time = cells.parseTime('OrderDate', plainDate(cells.text('OrderDate')));
  checkTotals(cells, sides.quote, sides.fee);
  return readPairTrade(cells, time, 'Action', { ...sides, value, feeValue }, { externalId: cells.text('OrderId') });
}

/** Checks that the total includes the fees and, for a price in dollars, that the dollar columns agree. */
function checkTotals(cells: Cells, principal: Side | null, fee: Side | null): void {
  const sign = /^buy/i.test(cells.text('Action')) ? 1n : -1n;
  const total = readUnits(cells, 'Total', principal?.asset);
  const expected = (principal?.quantity ?? 0n) + sign * (fee?.quantity ?? 0n);
  if (total !== null && !isRounded(total, expected))
    cells.warn(
      `the Total, ${formatQuantity(total.quantity)}, does not equal ${inNet}, ${formatQuantity(expected as Quantity)}`,
    );
  if (principal?.asset === 'USD') {
    checkAgain(cells, 'PrincipalAmountUSD', roundToMoney(principal.quantity), 'the amount');
    checkAgain(cells, 'FeesUSD', fee === null ? null : roundToMoney(fee.quantity), 'the fee');
  }
  const [dollars, feeDollars] = [cells.roundedMoney('PrincipalAmountUSD'), cells.roundedMoney('FeesUSD')];
  checkAgain(cells, 'TotalUSD', dollars === null ? null : ((dollars + sign * (feeDollars ?? 0n)) as Money), inNet);
}

/** Returns whether a value is correct to a currency's cent or a coin's eighth decimal. */
function isRounded({ asset, quantity }: Side, expected: bigint): boolean {
  const difference = quantity < expected ? expected - quantity : quantity - expected;
  return difference <= (isCurrency(asset) ? 2n * 10n ** 16n : 10n ** 10n);
}
