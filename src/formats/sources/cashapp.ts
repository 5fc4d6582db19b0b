import { magnitude, sum, toFee } from '../cells/amounts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { checkAgain, inNet, lessFee } from '../tables/stated-money.ts';

/** Reads Cash App's bitcoin report and its full history. Times contain the abbreviation of a US time zone. */
export const cashApp = brokerFormat(
  { id: 'cashapp', name: 'Cash App transactions', source: 'Cash App', assetClass: null },
  [
    {
      id: 'history',
      price: 'Asset Price',
      results: { rows: [{ result: 'total', column: 'Net Amount', plus: ['Amount'], fees: ['Fee'] }] },
      header: `Transaction ID | Date | Transaction Type | Currency | Amount | Fee | Net Amount | Asset Type |
        Asset Amount | Status`,
      read: readRow,
    },
  ],
);

const kinds: ReadonlyMap<string, 'buy' | 'sell' | 'deposit' | 'withdrawal' | 'reward'> = new Map([
  ['buy', 'buy'],
  ['purchase', 'buy'],
  ['recurring buy', 'buy'],
  ['sale', 'sell'],
  ['sell', 'sell'],
  ['deposit', 'deposit'],
  ['lightning deposit', 'deposit'],
  ['withdrawal', 'withdrawal'],
  ['lightning withdrawal', 'withdrawal'],
  ['boost', 'reward'],
] as const);

function readRow(cells: Cells): Outcome {
  const type = cells.text('Transaction Type').toLowerCase();
  const traded = /^(?:bitcoin|stock) (.+)$/.exec(type);
  const asset = cells.text('Asset Type').toUpperCase();
  if (!/^complete/i.test(cells.text('Status'))) return cells.skip(skips.transactionNotCompleted);
  if (traded === null) {
    if (asset === '' || asset === 'USD') return cells.skip(skips.cashMoved);
    return cells.rejected('Transaction Type', rejections.unrecognizedMovement);
  }
  const kind = kinds.get(traded[1] ?? '');
  if (kind === undefined) return cells.rejected('Transaction Type', rejections.notImported(type));
  const quantity = cells.need('Asset Amount', magnitude(cells.quantity('Asset Amount')));
  const common = {
    asset,
    assetClass: type.startsWith('bitcoin') ? ('crypto' as const) : null,
    externalId: cells.text('Transaction ID'),
  };
  const time = cells.time('Date');
  if (kind === 'deposit' || kind === 'withdrawal') return cells.read(time, { ...common, type: kind, quantity });
  const amount = cells.need('Amount', magnitude(cells.money('Amount')));
  const currency = cells.text('Currency').toUpperCase() || 'USD';
  const fee = toFee(cells.money('Fee'));
  if (kind !== 'reward')
    checkAgain(cells, 'Net Amount', kind === 'buy' ? sum(amount, fee) : lessFee(amount, fee), inNet);
  return cells.read(time, { ...common, type: kind, quantity, amount, fee, currency });
}
