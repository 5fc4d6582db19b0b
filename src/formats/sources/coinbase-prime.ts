import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readCoinChange } from '../tables/coin-changes.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';
import { trades } from '../tables/tables.ts';

/**
 * Reads Coinbase Prime orders, with the filled amounts and the fee on top in the quote, and its transfers. Rejects a
 * row whose value is not in its asset. Times are UTC.
 */
export const coinbasePrime = coinFormat(
  { id: 'coinbase-prime', name: 'Coinbase Prime orders and transactions', source: 'Coinbase Prime' },
  [
    {
      id: 'orders',
      price: 'average fill price',
      header: `order id | status | market | side | filled base quantity | filled quote quantity |
        total fees and commissions | last updated time | portfolio name`,
      read: (cells) => (isUnfilled(cells) ? cells.skip(skips.orderNotFilled) : readOrder(cells)),
    },
    {
      id: 'transactions',
      header: `activity id | final status | activity type | asset | wallet name | transaction value |
        transaction currency | initiated time | last updated time`,
      read: readTransaction,
    },
  ],
);

const readOrder: (cells: Cells) => Outcome = trades({
  date: 'last updated time',
  side: 'side',
  pair: 'market',
  quantity: 'filled base quantity',
  total: 'filled quote quantity',
  fee: 'total fees and commissions',
  id: 'order id',
});

function isUnfilled(cells: Cells): boolean {
  return cells.roundedQuantity('filled base quantity') === 0n;
}

const kinds: Kinds = [
  [/\bdeposit$/, 'deposit'],
  [/\bwithdrawal$/, 'withdrawal'],
];

function readTransaction(cells: Cells): Outcome {
  const side = readSide(cells, 'transaction currency', 'transaction value');
  const time = cells.time('initiated time');
  const kind = readRowKind(cells, 'activity type', kinds);
  if (/reject|cancel|fail|expire|pending|progress/i.test(cells.text('final status')))
    return cells.skip(skips.transactionNotCompleted);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  if (side !== null && side.asset !== cells.text('asset').toUpperCase())
    return cells.rejected('transaction currency', rejections.notInAssetOfRow);
  const common = { externalId: cells.text('activity id'), note: cells.text('activity title') };
  return readCoinChange(cells, time, 'transaction value', { side, sign: null, kind }, common);
}
