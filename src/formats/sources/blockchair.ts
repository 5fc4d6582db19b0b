import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readCoinChange, readSign } from '../tables/coin-changes.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';

const changeColumns = 'Tx number | Effect | Ticker | Amount fiat (USD) | Date | Transaction hash';

/**
 * Reads Blockchair files, which list the effect of each transaction on an address, including the network fee. Dates are
 * day first, and times are UTC. The longer layout has a type column and shows spending without a sign.
 */
export const blockchair = coinFormat(
  { id: 'blockchair', name: 'Blockchair transactions', source: 'Blockchair', dates: 'day first' },
  [
    { id: 'typed', header: `${changeColumns} | Type | Wallet address | Third-party address`, read: readTyped },
    { id: 'effects', header: `${changeColumns} | Affected address/xpub`, read: readEffect },
  ],
);

function readEffect(cells: Cells): Outcome {
  const sign = readSign(cells, 'Effect');
  return readChange(cells, { sign, kind: sign === 'out' ? 'withdrawal' : 'deposit' });
}

const kinds: Kinds = [
  [/^(?:external receiving|receive)$/, 'deposit'],
  [/^(?:external spending|send)$/, 'withdrawal'],
];

function readTyped(cells: Cells): Outcome {
  const kind = readRowKind(cells, 'Type', kinds);
  if (kind !== 'deposit' && kind !== 'withdrawal') return typeof kind === 'string' ? cells.refused() : kind;
  return readChange(cells, { sign: kind === 'deposit' ? readSign(cells, 'Effect') : null, kind });
}

function readChange(
  cells: Cells,
  change: { readonly sign: 'in' | 'out' | null; readonly kind: 'deposit' | 'withdrawal' },
): Outcome {
  const side = readSide(cells, 'Ticker', 'Effect');
  const time = cells.time('Date');
  const common = { externalId: cells.text('Transaction hash') };
  return readCoinChange(cells, time, 'Effect', { side, ...change }, common);
}
