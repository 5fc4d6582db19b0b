import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/**
 * Reads StakeTax transactions for wallets on Cosmos, Solana, Algorand and others. Each wallet is an account. StakeTax
 * did not classify types that begin with an underscore, so the owner has to. Times are UTC.
 */
export const stakeTax = coinFormat({ id: 'staketax', name: 'StakeTax transactions', source: 'StakeTax' }, [
  {
    id: 'transactions',
    header: `timestamp | tx_type | received_amount | received_currency | sent_amount | sent_currency | fee |
      fee_currency | txid | exchange | wallet_address`,
    read: readRow,
  },
]);

const kinds: Kinds = [
  ['staking', 'staking'],
  ['airdrop', 'airdrop'],
  ['income', 'other_income'],
  ['spend', 'spend'],
  [/^(?:trade|lp_deposit|lp_withdraw)$/, 'trade'],
  // The columns determine the direction.
  ['transfer', 'transfer'],
  [/^_/, { refuse: rejections.unclassified }],
];

function readRow(cells: Cells): Outcome {
  const received = readSide(cells, 'received_currency', 'received_amount');
  const given = readSide(cells, 'sent_currency', 'sent_amount');
  const fee = readSide(cells, 'fee_currency', 'fee');
  const time = cells.time('timestamp');
  if (cells.flawed) return cells.refused();
  const chain = cells.text('exchange').replace(/_blockchain$/, '');
  const account = [chain, cells.text('wallet_address')].filter((part) => part !== '').join(' ');
  const common = { account, externalId: cells.text('txid'), note: cells.text('comment') };
  if (received === null && given === null) return readMovement(cells, time, { given, received, fee }, common);
  const kind = readRowKind(cells, 'tx_type', kinds);
  if (typeof kind !== 'string') return kind;
  const movement = { given, received, fee, kind: kind === 'transfer' ? null : kind };
  return readMovement(cells, time, movement, common);
}
