import { skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readSide, sideWith } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';
import { readPairTrade, readUnits, splitPair } from '../tables/pairs.ts';

/**
 * Reads Poloniex files until 2019. What the file calls the base is the quote, and vice versa. The fee is the difference
 * from the columns "less fee", in the coin that was received. Times are UTC.
 */
export const poloniex = coinFormat({ id: 'poloniex', name: 'Poloniex history', source: 'Poloniex' }, [
  {
    id: 'trades',
    header: 'Date | Market | Type | Amount | Total | Order Number | Base Total Less Fee | Quote Total Less Fee',
    read: readTrade,
  },
  {
    id: 'withdrawals',
    header: 'Date | Currency | Amount | Fee Deducted | Amount - Fee | Address | Status',
    read: (cells) => readTransfer(cells, true),
  },
  {
    id: 'deposits',
    header: 'Date | Currency | Amount | Address | Status',
    onlyWhenAsked: true,
    read: (cells) => readTransfer(cells, false),
  },
]);

function readTrade(cells: Cells): Outcome {
  const time = cells.time('Date');
  const pair = splitPair(cells, 'Market');
  const [base, quote] = [readUnits(cells, 'Amount', pair?.[0]), readUnits(cells, 'Total', pair?.[1])];
  const bought = /buy/i.test(cells.text('Type'));
  const gross = bought ? base : quote;
  const net = readUnits(cells, bought ? 'Quote Total Less Fee' : 'Base Total Less Fee', gross?.asset);
  const fee = gross === null || net === null ? null : sideWith(gross, -net.quantity);
  const sides = { base, quote, fee: fee === null || fee.quantity <= 0n ? null : fee };
  return readPairTrade(cells, time, 'Type', sides, { externalId: cells.text('Order Number') });
}

function readTransfer(cells: Cells, out: boolean): Outcome {
  const time = cells.time('Date');
  const moved = readSide(cells, 'Currency', out ? 'Amount - Fee' : 'Amount');
  const fee = out ? readUnits(cells, 'Fee Deducted', moved?.asset) : null;
  if (cells.flawed) return cells.refused();
  if (!/^complete/i.test(cells.text('Status'))) return cells.skip(skips.transferNotCompleted);
  return readMovement(cells, time, oneWay(out, moved, fee), { note: cells.text('Status') });
}
