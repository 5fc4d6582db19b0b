import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { internal, type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';

/** Reads Celsius files: a coin, a signed amount, and its value in dollars. Times are UTC. */
export const celsius = coinFormat({ id: 'celsius', name: 'Celsius transactions', source: 'Celsius' }, [
  {
    id: 'transactions',
    header: 'Internal id | Date and time | Transaction type | Coin type | Coin amount | USD Value | Confirmed',
    read: readRow,
  },
]);

const kinds: Kinds = [
  [/^(?:interest|reward)$/, 'interest'],
  [/award|bonus|promo|referr/, 'reward'],
  [/collateral|loan/, internal],
  [/^swap/, { refuse: rejections.swapSideMissing }],
  [/withdrawal|outbound|sent/, 'withdrawal'],
  [/deposit|inbound|transfer|received/, 'deposit'],
];

function readRow(cells: Cells): Outcome {
  const moved = readSide(cells, 'Coin type', 'Coin amount');
  const time = cells.time('Date and time');
  const worth = cells.roundedMoney('USD Value');
  const kind = readRowKind(cells, 'Transaction type', kinds);
  if (cells.flawed) return cells.refused();
  if (/^no$/i.test(cells.text('Confirmed'))) return cells.skip(skips.transactionNotConfirmed);
  if (typeof kind !== 'string') return kind;
  cells.need('Coin amount', moved);
  const out = cells.text('Coin amount').startsWith('-');
  const sides = oneWay(out, moved);
  const value = worth === null || worth >= 0n ? worth : null;
  return readMovement(cells, time, { ...sides, kind, worth: value }, { externalId: cells.text('Internal id') });
}
