import type { TransactionType } from '../../engine/model.ts';
import { feeOf, magnitude } from '../cells/amounts.ts';
import { Cells, HeaderColumns } from '../cells/cells.ts';
import type { Format, Outcome } from '../format.ts';
import { accruedInterest } from '../tables/activity.ts';
import { grossPaid, grossReceived, sharesMoved } from '../tables/brokers.ts';
import { checkAgain, checkPrice } from '../tables/stated-money.ts';

/**
 * Vanguard's download: a table of holdings, then one of transactions. Dates only; the net amount is signed; every row
 * ends with a comma.
 */
export const vanguard: Format = {
  id: 'vanguard',
  name: 'Vanguard transactions',
  source: 'Vanguard',
  assetClass: 'stock',
  layouts: [
    {
      id: 'transactions',
      required: [
        'Account Number',
        'Trade Date',
        'Settlement Date',
        'Transaction Type',
        'Symbol',
        'Shares',
        'Share Price',
        'Principal Amount',
        'Net Amount',
      ],
    },
  ],
  open: (_layout, header, context) => {
    const columns = new HeaderColumns(header);
    let ended = false;
    return {
      read: (row) => {
        const cells = new Cells(row, columns, context);
        // A table of lots may follow; its rows are no transactions.
        ended ||= cells.text('Account Number') === 'Account Number';
        return [ended ? cells.skip('another table') : readRow(cells, columns)];
      },
      end: () => [],
    };
  },
};

const cash = 'money in or out is no gain or loss';
const kinds: readonly (readonly [RegExp, TransactionType | null])[] = [
  [/^buy/, 'buy'],
  [/^sell/, 'sell'],
  [/^reinvestment/, 'buy'],
  [/^dividend/, 'dividend'],
  [/^capital gain \(st\)|^short-term/, 'dividend'],
  [/^capital gain/, 'capital_gain_distribution'],
  [/^interest/, 'interest'],
  [/^return of capital/, 'return_of_capital'],
  [/^(?:sweep|funds|withdrawal|contribution|wire|ach|transfer \(cash)/, null],
  [/^transfer/, 'deposit'],
];

function readRow(cells: Cells, columns: HeaderColumns): Outcome {
  const kind = cells.text('Transaction Type').toLowerCase();
  const found = kinds.find(([pattern]) => pattern.test(kind));
  if (found === undefined)
    return cells.rejected('Transaction Type', 'unknown_type', 'this is no transaction type we know');
  const [, type] = found;
  const asset = cells.text('Symbol').toUpperCase();
  const shares = cells.quantity('Shares');
  if (type === null || (type === 'buy' && asset === 'VMFXX')) return cells.skip(cash);
  const net = cells.money('Net Amount');
  const fee = feeOf(cells.money(columns.pick('Commission Fees', 'Commissions and Fees', 'Commission')));
  const account = ['Vanguard', cells.text('Account Number').slice(-4)].join(' ').trim();
  const time = cells.effectiveTime('Trade Date', ['Transaction Type', 'Transaction Description']);
  if (type === 'deposit') {
    if (asset === '' || shares === null || shares === 0n) return cells.skip(cash);
    return cells.read(time, { ...sharesMoved(shares), asset, account });
  }
  const amount = cells.need('Net Amount', net);
  if (type !== 'buy' && type !== 'sell') return cells.read(time, { type, asset, account, amount });
  if ((cells.money('Accrued Interest') ?? 0n) !== 0n)
    return cells.rejected('Accrued Interest', 'unknown_type', accruedInterest);
  if (asset === '') cells.reject('Symbol', 'missing', 'this kind of row needs it');
  const quantity = cells.need('Shares', magnitude(shares));
  const gross = type === 'buy' ? grossPaid(amount, fee) : grossReceived(amount, fee);
  checkPrice(cells, 'Share Price', { side: type, units: quantity, gross, fee });
  checkAgain(cells, 'Principal Amount', gross, 'the net amount before its fee');
  return cells.read(time, { type, asset, account, quantity, fee, amount: gross });
}
