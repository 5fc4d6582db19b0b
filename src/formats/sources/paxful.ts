import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readCoinChange, readSign } from '../tables/coin-changes.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';

/** Reads Paxful trades with other users, with signed amounts and their currency, and transfers. Times are UTC. */
export const paxful = coinFormat({ id: 'paxful', name: 'Paxful transactions', source: 'Paxful' }, [
  {
    id: 'transactions',
    header: `type | amount | currency | crypto_amount | crypto_currency | sent_to | transaction_id | trade_hash |
      time`,
    read: readRow,
  },
]);

const kinds: Kinds = [
  [/^(?:buy|cryptocurrency purchased)$/, 'buy'],
  [/^(?:sell|cryptocurrency sold)$/, 'sell'],
  ['sent out', 'withdrawal'],
  ['received', 'deposit'],
  [/^received \(internal\) from affiliate balance/, 'reward'],
];

function readRow(cells: Cells): Outcome {
  const side = readSide(cells, 'crypto_currency', 'crypto_amount');
  const amount = cells.roundedMoney('amount');
  const time = cells.time('time');
  const kind = readRowKind(cells, 'type', kinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  const sign = readSign(cells, 'crypto_amount');
  const currency = cells.text('currency').toUpperCase() || 'USD';
  const common = { externalId: cells.text('trade_hash') || cells.text('transaction_id') };
  if (kind !== 'buy' && kind !== 'sell') {
    const value = kind === 'reward' ? { worth: amount, currency } : {};
    const change = { side, sign: kind === 'withdrawal' ? null : sign, kind, ...value };
    return readCoinChange(cells, time, 'crypto_amount', change, common);
  }
  if (kind === 'buy' && sign === 'out') return cells.rejected('crypto_amount', rejections.leftInstead);
  const paid = cells.need('amount', amount);
  const coins = cells.need('crypto_amount', side);
  const money = paid !== null && paid < 0n ? ((0n - paid) as typeof paid) : paid;
  return cells.read(time, { ...common, ...coins, type: kind, amount: money, currency });
}
