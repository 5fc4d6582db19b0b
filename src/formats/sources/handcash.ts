import type { Quantity } from '../../base/decimal.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readCoinChange } from '../tables/coin-changes.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import type { Side } from '../tables/legs.ts';

const paymentColumns =
  'type | addresses | transactionId | satoshiFees | satoshiAmount | fiatExchangeRate | participants | createdAt';

/**
 * Reads HandCash payments in Bitcoin SV, the wallet's only coin, in satoshis. The sender pays the fee, so fees on
 * incoming payments are ignored. Times are UTC.
 */
export const handCash = coinFormat({ id: 'handcash', name: 'HandCash payments', source: 'HandCash' }, [
  { id: 'payments-updated', header: `${paymentColumns} | updatedAt`, read: createPaymentReader('updatedAt') },
  { id: 'payments', header: paymentColumns, read: createPaymentReader('createdAt') },
]);

const kinds: Kinds = [
  ['receive', 'deposit'],
  ['send', 'withdrawal'],
];

function createPaymentReader(date: string): (cells: Cells) => Outcome {
  return (cells) => {
    const [side, fee] = [satoshis(cells, 'satoshiAmount'), satoshis(cells, 'satoshiFees')];
    const time = cells.time(cells.text(date) === '' ? 'createdAt' : date);
    const kind = readRowKind(cells, 'type', kinds);
    if (cells.flawed) return cells.refused();
    if (typeof kind !== 'string') return kind;
    const change = { side, sign: null, kind, fee: kind === 'withdrawal' ? fee : null };
    const common = { externalId: cells.text('transactionId'), note: cells.text('note') };
    return readCoinChange(cells, time, 'satoshiAmount', change, common);
  };
}

const satoshisOfCoin = 100_000_000n;

function satoshis(cells: Cells, column: string): Side | null {
  const count = cells.roundedQuantity(column);
  if (count === null || count === 0n) return null;
  return { asset: 'BSV', quantity: ((count < 0n ? -count : count) / satoshisOfCoin) as Quantity };
}
