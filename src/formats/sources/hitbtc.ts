import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { type Side, sideWith } from '../tables/legs.ts';
import { checkPairPrice, readPairTrade, readUnits, splitPair, withRebate } from '../tables/pairs.ts';
import { byWord, transfers } from '../tables/tables.ts';

/**
 * Reads HitBTC trades, with the volume in the quote and the fee on top, deposits and withdrawals. Makers received a
 * rebate in the quote, and the total includes both. Margin trades are rejected, because their gain is calculated
 * separately. Times are UTC.
 */
export const hitBtc = coinFormat({ id: 'hitbtc', name: 'HitBTC trades and transfers', source: 'HitBTC' }, [
  {
    id: 'trades',
    header: 'Date (UTC) | Instrument | Trade ID | Order ID | Side | Quantity | Price | Volume | Fee | Rebate',
    read: readTrade,
  },
  {
    id: 'transfers',
    header: 'Date (UTC) | Operation id | Type | Amount | Transaction hash | Main account balance | Currency',
    read: transfers({
      date: 'Date (UTC)',
      moved: ['Currency', 'Amount'],
      way: byWord('Type'),
      wayColumn: 'Type',
      id: 'Transaction hash',
    }),
  },
]);

function readTrade(cells: Cells): Outcome {
  const [base, quote] = splitPair(cells, 'Instrument') ?? [];
  const [units, volume] = [readUnits(cells, 'Quantity', base), readUnits(cells, 'Volume', quote)];
  const [fee, rebate] = [notNegative(cells, 'Fee', quote), notNegative(cells, 'Rebate', quote)];
  const buys = /^buy/i.test(cells.text('Side'));
  if ((cells.roundedQuantity('PnL') ?? 0n) !== 0n) return cells.rejected('PnL', rejections.marginGains);
  checkPairPrice(cells, 'Price', units, volume);
  const byVolume = withRebate(cells, 'Rebate', rebate, volume, buys);
  const paid = byTotal(cells, readUnits(cells, 'Total', quote), byVolume, fee, buys);
  const time = cells.time('Date (UTC)');
  return readPairTrade(cells, time, 'Side', { base: units, quote: paid, fee }, { externalId: cells.text('Trade ID') });
}

/**
 * Rejects a negative value, because a negative fee may be a rebate, and a negative rebate a fee. The file does not show
 * which.
 */
function notNegative(cells: Cells, column: string, asset: string | undefined): Side | null {
  if ((cells.roundedQuantity(column) ?? 0n) < 0n) cells.reject(column, rejections.paidOrReceivedUnclear);
  return readUnits(cells, column, asset);
}

/**
 * Returns the side of the quote: the total is the change in the quote balance, including the fee and minus the rebate.
 */
function byTotal(cells: Cells, total: Side | null, other: Side | null, fee: Side | null, buys: boolean): Side | null {
  const stated = sideWith(total, (buys ? -1n : 1n) * (fee?.quantity ?? 0n));
  if (stated !== null && stated.quantity <= 0n) cells.reject('Total', rejections.feeAboveTotal);
  if (stated === null || other === null) return stated ?? other;
  const apart = stated.quantity - other.quantity;
  if ((apart < 0n ? -apart : apart) > lastDigits)
    cells.warn('the total does not equal the volume with its fee and rebate');
  return stated;
}

/** Two units of the last of eight decimals. */
const lastDigits = 20_000_000_000n;
