import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type HeaderColumns, type Outcome } from '../reader.ts';
import { findLabelType, incomeLabels, outgoingLabels } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/** Reads both generations of CoinTracker's own transactions, with wallet names and values. Times are UTC. */
export const coinTrackerTransactions = coinFormat(
  { id: 'cointracker-transactions', name: 'CoinTracker transactions', source: 'CoinTracker' },
  [
    {
      id: 'export',
      results: { positions: { column: /^realized return \([a-z]{3}\)$/i } },
      header: `Date | Type | Transaction ID | Received Quantity | Received Currency | Received Wallet |
        Sent Quantity | Sent Currency | Sent Wallet | Fee Amount | Fee Currency`,
      read: (cells, _layout, columns) => readRow(cells, columns),
    },
  ],
);

function readRow(cells: Cells, columns: HeaderColumns): Outcome {
  const given = readSide(cells, 'Sent Currency', 'Sent Quantity');
  const received = readSide(cells, 'Received Currency', 'Received Quantity');
  const fee = readSide(cells, 'Fee Currency', 'Fee Amount');
  const time = cells.time('Date');
  if (/^(?:true|yes|1)$/i.test(cells.text('Ignored'))) return cells.skip(skips.ignored);
  const tag = cells.text(received === null ? 'Sent Tag' : 'Received Tag');
  const label = `${cells.text('Type')} ${tag}`.toLowerCase();
  if (/margin|realized|futures/.test(label)) return cells.rejected('Type', rejections.marginGains);
  // The basis of incoming units is their market value on that day. The basis of outgoing units is unrelated to their
  // value.
  const basis = columns.names.find((name) => /^received cost basis \(\w{3}\)$/i.test(name));
  const worth = basis === undefined || received === null ? null : cells.roundedMoney(basis);
  const kind = findLabelType(label, received === null ? outgoingLabels : incomeLabels);
  const common = {
    account: cells.text(given === null ? 'Received Wallet' : 'Sent Wallet'),
    externalId: cells.text('Transaction ID'),
    note: cells.text(received === null ? 'Sent Comment' : 'Received Comment'),
  };
  const currency = basis?.slice(-4, -1).toUpperCase() ?? 'USD';
  const toAccount = cells.text('Received Wallet');
  return readMovement(cells, time, { given, received, fee, kind, worth, currency, toAccount }, common);
}
