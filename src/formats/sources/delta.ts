import type { AssetClass } from '../../engine/model.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { findLabelType, incomeLabels } from '../tables/kinds.ts';
import { readSide, type Side } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';
import { readPairTrade } from '../tables/pairs.ts';

/**
 * Reads Delta files, which contain coins, stocks and funds. Assets are a ticker and a name, like `SOL (Solana)`. Times
 * have an offset.
 */
export const delta = brokerFormat({ id: 'delta', name: 'Delta transactions', source: 'Delta', assetClass: null }, [
  {
    id: 'template',
    header: `Date | Way | Base amount | Base currency (name) | Base type | Quote amount | Quote currency |
      Exchange | Fee amount`,
    read: readRow,
  },
]);

const classes: Readonly<Record<string, AssetClass>> = { CRYPTO: 'crypto', STOCK: 'stock', FUND: 'fund', NFT: 'nft' };

function readRow(cells: Cells): Outcome {
  const [base, quote, fee] = [
    ticker(readSide(cells, 'Base currency (name)', 'Base amount')),
    ticker(readSide(cells, 'Quote currency', 'Quote amount')),
    ticker(readSide(cells, 'Fee currency (name)', 'Fee amount')),
  ];
  const time = cells.time('Date');
  const kind = cells.text('Way').toUpperCase();
  const type = cells.text('Base type').toUpperCase();
  if (type === 'FIAT') return cells.skip(skips.cashMoved);
  const assetClass = classes[type] ?? null;
  const from = cells.text('Sent/Received from');
  const account = cells.text('Broker') || cells.text('Exchange');
  const common = { account, assetClass, note: cells.text('Notes') };
  if (cells.flawed) return cells.refused();
  if (kind === 'BUY' || kind === 'SELL') return readPairTrade(cells, time, 'Way', { base, quote, fee }, common);
  if (kind === 'DIVIDEND') {
    const asset = cells.text('Base currency (name)').split(' (')[0] ?? '';
    const columns = { asset: 'Base currency (name)', quantity: 'Base amount', amount: 'Quote amount' };
    const gross = cells.roundedMoney('Quote amount');
    const currency = quote?.asset ?? 'USD';
    return readActivity(cells, time, 'dividend', columns, { asset, quantity: null, gross }, { ...common, currency });
  }
  const label = /^dividends?$/i.test(from) ? 'reward' : from.toLowerCase();
  const stated = { ...common, account: account || (kind === 'DEPOSIT' ? cells.text('Sent to') : from) };
  // The sender paid the fee of a deposit.
  if (kind === 'DEPOSIT')
    return readMovement(cells, time, { received: base, kind: findLabelType(label, incomeLabels) }, stated);
  if (kind === 'WITHDRAW') return readMovement(cells, time, { given: base, fee }, stated);
  if (kind === 'TRANSFER') {
    const movement = { given: base, received: base, fee, toAccount: cells.text('Sent to') };
    return readMovement(cells, time, movement, { ...common, account: from });
  }
  return cells.rejected('Way', rejections.unknownDirection);
}

function ticker(side: Side | null): Side | null {
  return side === null ? null : { ...side, asset: side.asset.split(' (')[0] ?? side.asset };
}
