import { magnitude, toFee } from '../cells/amounts.ts';
import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type HeaderColumns, type Outcome } from '../reader.ts';
import { computeWorth } from '../tables/activity.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';
import { readUnits } from '../tables/pairs.ts';
import { openTransfers } from './dali-transfers.ts';

/** Reads dali-rp2's three files: incoming, outgoing, and transfers between wallets. Times have an offset. */
export const dali = coinFormat(
  { id: 'dali-rp2', name: 'dali-rp2 manual files', source: 'dali-rp2', zone: 'local' },
  [
    {
      id: 'in',
      price: 'Spot Price',
      header: 'Unique ID | Timestamp | Asset | Exchange | Holder | Transaction Type | Spot Price | Crypto In',
      read: (cells, _layout, columns) => readRow(cells, columns, 'In'),
    },
    {
      id: 'out',
      header: 'Unique ID | Timestamp | Asset | Exchange | Holder | Transaction Type | Spot Price | Crypto Out No Fee',
      read: (cells, _layout, columns) => readRow(cells, columns, 'Out'),
    },
    {
      id: 'intra',
      header: 'Unique ID | Timestamp | Asset | From Exchange | To Exchange | Crypto Sent | Crypto Received',
    },
  ],
  openTransfers,
);

const kinds: Kinds = [
  ['buy', 'buy'],
  ['sell', 'sell'],
  [/^airdrop|^hardfork/, 'airdrop'],
  ['mining', 'mining'],
  ['staking', 'staking'],
  ['interest', 'interest'],
  ['wages', 'wages'],
  ['income', 'other_income'],
  ['gift', 'gift_out'],
  ['donate', 'donate'],
  ['fee', 'fee'],
  ['lost', 'lost'],
];

function readRow(cells: Cells, columns: HeaderColumns, direction: 'In' | 'Out'): Outcome {
  const coin = readSide(cells, 'Asset', direction === 'In' ? 'Crypto In' : 'Crypto Out No Fee');
  const gas = readUnits(cells, 'Crypto Fee', coin?.asset);
  const time = cells.time('Timestamp');
  const money = (words: string): string => columns.pick(`USD ${words}`, `Fiat ${words}`);
  const stated = magnitude(cells.roundedMoney(money(`${direction} No Fee`)));
  const amount = stated ?? computeWorth(cells, 'Spot Price', coin?.quantity ?? null);
  const fee = toFee(cells.roundedMoney(money('Fee')));
  const kind = readRowKind(cells, 'Transaction Type', kinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  const common = { account: cells.text('Exchange'), externalId: cells.text('Unique ID'), note: cells.text('Notes') };
  if (coin === null && kind !== 'fee') return cells.rejected(`Crypto ${direction}`, rejections.requiredHere);
  if (coin !== null && (kind === 'buy' || kind === 'sell')) {
    const inKind = gas === null ? { fee } : { fee, feeAsset: gas.asset, feeQuantity: gas.quantity };
    return cells.read(time, { ...common, ...coin, ...inKind, type: kind, amount: cells.need('Spot Price', amount) });
  }
  const type = direction === 'In' && kind === 'gift_out' ? 'gift_in' : kind;
  const sides = direction === 'In' ? { given: null, received: coin } : { given: coin, received: null };
  return readMovement(cells, time, { ...sides, fee: gas, kind: type, worth: amount }, common);
}
