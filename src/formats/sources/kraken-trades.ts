import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readExchange, type Side } from '../tables/legs.ts';
import { krakenAsset } from './kraken.ts';

/**
 * Reads Kraken trades: one row per fill, with cost and fee in the quote. They are also in the ledgers, so import only
 * one of the two files.
 */
export const krakenTrades = coinFormat(
  { id: 'kraken-trades', name: 'Kraken trades', source: 'Kraken', zone: 'local' },
  [
    {
      id: 'trades',
      price: 'price',
      header: 'txid | ordertxid | pair | time | type | ordertype | price | cost | fee | vol | margin',
      read: readRow,
    },
  ],
);

/** Longest first, because `XXBTZUSD` ends in ZUSD, not in USD. */
const quotes =
  'ZUSD ZEUR ZGBP ZCAD ZJPY ZAUD USDT USDC PYUSD XXBT XETH USD EUR GBP CAD JPY AUD CHF DAI XBT ETH DOT'.split(' ');

function readRow(cells: Cells): Outcome {
  const pair = splitPair(cells.text('pair').toUpperCase());
  if (pair === undefined) return cells.rejected('pair', rejections.pairUnclear);
  const margin = cells.roundedQuantity('margin');
  if (margin !== null && margin !== 0n) {
    return cells.rejected('margin', rejections.marginTrade);
  }
  const type = cells.text('type').toLowerCase();
  if (type !== 'buy' && type !== 'sell') return cells.rejected('type', rejections.neitherPurchaseNorSale);
  const [base, quote] = pair;
  const volume = cells.need('vol', cells.roundedQuantity('vol'));
  const cost = cells.need('cost', cells.roundedQuantity('cost'));
  const paid = cells.roundedQuantity('fee');
  const time = cells.time('time', 'UTC');
  if (cells.flawed || volume === null || cost === null) return cells.refused();
  const fee: Side | null = paid === null || paid === 0n ? null : { asset: quote, quantity: paid };
  const [coin, money] = [
    { asset: base, quantity: volume },
    { asset: quote, quantity: cost },
  ];
  const sides = type === 'buy' ? { given: money, received: coin } : { given: coin, received: money };
  return readExchange(cells, time, { ...sides, fee }, { externalId: cells.text('txid') });
}

function splitPair(pair: string): readonly [base: string, quote: string] | undefined {
  const [first = '', second] = pair.split('/');
  if (second !== undefined) return [krakenAsset(first), krakenAsset(second)];
  const quote = quotes.find((known) => pair.endsWith(known) && pair.length >= known.length + 2);
  return quote === undefined ? undefined : [krakenAsset(pair.slice(0, -quote.length)), krakenAsset(quote)];
}
