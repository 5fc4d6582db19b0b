import { magnitude, noneIfZero, toFee } from '../cells/amounts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';

/** Reads Strike's annual transactions: bitcoin against dollars, with the fee on top. Times are UTC. */
export const strike = coinFormat(
  { id: 'strike', name: 'Strike annual transactions', source: 'Strike', zone: 'local' },
  [
    {
      id: 'annual',
      price: 'BTC Price',
      results: { basis: 'Cost Basis (USD)' },
      header: `Reference | Date & Time (UTC) | Transaction Type | Amount USD | Fee USD | Amount BTC | Fee BTC |
        BTC Price`,
      read: readRow,
    },
  ],
);

const kinds: ReadonlyMap<string, 'buy' | 'sell' | 'deposit' | 'withdrawal'> = new Map([
  ['purchase', 'buy'],
  ['sale', 'sell'],
  ['send', 'withdrawal'],
  ['withdrawal', 'withdrawal'],
  ['receive', 'deposit'],
  ['deposit', 'deposit'],
] as const);

function readRow(cells: Cells): Outcome {
  const type = kinds.get(cells.text('Transaction Type').toLowerCase());
  if (type === undefined) return cells.rejected('Transaction Type', rejections.unknownType);
  const quantity = magnitude(cells.quantity('Amount BTC'));
  const time = cells.time('Date & Time (UTC)', 'UTC');
  const common = { type, asset: 'BTC', externalId: cells.text('Reference'), quantity };
  const gas = noneIfZero(magnitude(cells.quantity('Fee BTC')));
  const inKind = gas === null ? {} : { feeAsset: 'BTC', feeQuantity: gas };
  if (type === 'deposit' || type === 'withdrawal') {
    if ((quantity ?? 0n) === 0n) return cells.skip(skips.cashMoved);
    return cells.read(time, { ...common, ...inKind });
  }
  cells.need('Amount BTC', quantity);
  const amount = cells.need('Amount USD', magnitude(cells.money('Amount USD')));
  return cells.read(time, { ...common, ...inKind, amount, fee: toFee(cells.money('Fee USD')) });
}
