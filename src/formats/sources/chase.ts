import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { cash, type Kinds, readRowKind } from '../tables/kinds.ts';

/**
 * Reads files from self-directed investing at J.P. Morgan and Chase. They contain dates without times and negative
 * quantities for sales, and the amount is the change in cash. Sweeps into and out of the account's fund are cash. `REC`
 * rows are shares received from elsewhere.
 */
export const chase = brokerFormat({ id: 'chase', name: 'J.P. Morgan and Chase investment activity', source: 'Chase' }, [
  {
    id: 'activity',
    header: `Trade Date | Post Date | Settlement Date | Account Name | Account Number | Account Type | Type |
      Description | Ticker | Security Type | Price USD | Quantity | Amount USD`,
    read: readRow,
  },
]);

const kinds: Kinds = [
  ['buy', 'buy'],
  ['sell', 'sell'],
  ['reinvest', 'buy'],
  ['dividend', 'dividend'],
  ['interest', 'interest'],
  ['rec', 'deposit'],
  [/^(?:bnk|wdl|dbs)$/, cash],
];

function readRow(cells: Cells): Outcome {
  const [quantity, net] = [cells.quantity('Quantity'), cells.money('Amount USD')];
  const withheld = cells.money('Tax Withheld');
  const time = cells.effectiveTime('Trade Date', ['Description']);
  const kind = readRowKind(cells, 'Type', kinds);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  const security = cells.text('Security Type');
  const isIncome = kind === 'dividend' || kind === 'interest';
  if (/money market/i.test(security) && !isIncome) return cells.skip(skips.cashSweep);
  if (/option/i.test(security)) return cells.rejected('Security Type', rejections.contractsUnclear);
  if (withheld !== null && withheld !== 0n) return cells.rejected('Tax Withheld', rejections.taxMayBeIncluded);
  const number = cells.text('Account Number').replace(/\D/g, '').slice(-4);
  const account = [cells.text('Account Name'), number].filter((part) => part !== '').join(' ');
  const columns = { asset: 'Ticker', quantity: 'Quantity', amount: 'Amount USD', price: 'Price USD' };
  const asset = cells.text('Ticker').toUpperCase();
  return readActivity(cells, time, kind, columns, { asset, quantity, net }, { account });
}
