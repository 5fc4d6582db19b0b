import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { type Kinds, readRowKind } from '../tables/kinds.ts';
import { readSide, sideWith } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';
import { readPairTrade, readUnits } from '../tables/pairs.ts';

/** Reads Bitcoin.tax trades, with totals that include the fee, and income and spending. Times have an offset. */
export const bitcoinTax = coinFormat({ id: 'bitcoin-tax', name: 'Bitcoin.tax transactions', source: 'Bitcoin.tax' }, [
  {
    id: 'trades',
    price: 'Price',
    header: `Date | Action | Symbol | Account | Volume | Price | Currency | Fee | FeeCurrency | Total |
      Cost/Proceeds`,
    read: readRow,
  },
  {
    id: 'income-and-spending',
    price: 'Price',
    header: 'Date | Action | Symbol | Account | Volume | Price | Currency | Fee | Total | Ref | Memo',
    read: readRow,
  },
]);

const kinds: Kinds = [
  [/^(?:buy|sell)$/, 'trade'],
  ['swap', { refuse: rejections.successorSwap }],
  ['income', 'other_income'],
  ['mining', 'mining'],
  [/^stak/, 'staking'],
  [/^interest|^lending/, 'interest'],
  [/^(?:fork|airdrop)/, 'airdrop'],
  [/^(?:gift ?in|giftin)/, 'gift_in'],
  ['spend', 'spend'],
  ['fee', 'fee'],
  [/^gift|^tip/, 'gift_out'],
  [/^donat/, 'donate'],
  [/^(?:lost|stolen)/, 'lost'],
];
const incoming = new Set(['other_income', 'mining', 'staking', 'interest', 'airdrop', 'gift_in']);

function readRow(cells: Cells): Outcome {
  const coin = readSide(cells, 'Symbol', 'Volume');
  const currency = cells.text('Currency').toUpperCase();
  const fee = readSide(cells, 'FeeCurrency', 'Fee');
  const time = cells.time('Date');
  const kind = readRowKind(cells, 'Action', kinds);
  const common = {
    account: cells.text('Account'),
    externalId: cells.text('ExchangeId') || cells.text('Ref') || cells.text('TxHash'),
    note: cells.text('Memo'),
  };
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  if (kind === 'trade') {
    const within = fee !== null && fee.asset === currency ? fee.quantity : 0n;
    const bought = /^buy$/i.test(cells.text('Action'));
    const quote = sideWith(readUnits(cells, 'Total', currency), bought ? -within : within);
    return readPairTrade(cells, time, 'Action', { base: coin, quote, fee }, common);
  }
  cells.need('Volume', coin);
  const worth = cells.roundedMoney('Total');
  const value = worth === null ? null : worth < 0n ? null : worth;
  const sides = incoming.has(kind) ? { given: null, received: coin } : { given: coin, received: null };
  return readMovement(cells, time, { ...sides, fee, kind, worth: value, currency }, common);
}
