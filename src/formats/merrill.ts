import type { TransactionType } from '../engine/model.ts';
import { magnitude, negated } from './amounts.ts';
import type { Cells } from './cells.ts';
import type { Format, Outcome } from './format.ts';
import { rowByRow } from './reader.ts';

/** Merrill Edge activity, of several accounts. Dates only; the amount is net, parentheses for money out; `--` is empty. */
export const merrill: Format = {
  id: 'merrill',
  name: 'Merrill Edge activity',
  source: 'Merrill',
  assetClass: 'stock',
  layouts: [
    {
      id: 'activity',
      required: [
        'Trade Date',
        'Settlement Date',
        'Pending/Settled',
        'Account Registration',
        'Account #',
        'Type',
        'Description 1',
        'Symbol/CUSIP #',
        'Quantity',
        'Price ($)',
        'Amount ($)',
      ],
    },
  ],
  open: rowByRow(readRow),
};

const kinds: readonly (readonly [RegExp, TransactionType | 'cash' | 'option'])[] = [
  [/^option/, 'option'],
  [/^(?:purchase|buy|reinvestment share)/, 'buy'],
  [/^(?:sale|sell)/, 'sell'],
  [/dividend/, 'dividend'],
  [/^(?:long term|capital gain)/, 'capital_gain_distribution'],
  [/interest/, 'interest'],
  [/^(?:foreign tax|tax withh)/, 'withholding'],
  [/^(?:transfer|withdrawal|deposit|funds|wire|check|ach|contribution|journal|fee|advisory)/, 'cash'],
];

function readRow(cells: Cells): Outcome {
  const text = cells.text('Description 1').toLowerCase();
  const kind = kinds.find(([pattern]) => pattern.test(text))?.[1];
  if (kind === undefined) return cells.rejected('Description 1', 'unknown_type', 'this is no activity we know');
  if (/^pending/i.test(cells.text('Pending/Settled'))) return cells.skip('not settled yet: a later export tells it');
  if (kind === 'cash') return cells.skip('money in or out is no gain or loss');
  if (kind === 'option') {
    return cells.rejected(
      'Description 1',
      'unknown_type',
      'the file does not say whether an option is opened or closed: enter it by hand',
    );
  }
  const amount = cells.need('Amount ($)', cells.money('Amount ($)'));
  if (amount === 0n && kind === 'interest') return cells.skip('a reinvestment within the cash of the account');
  const registration = cells.text('Account Registration').replace(/^--$/, '');
  const account = [registration, cells.text('Account #').slice(-4)].filter((part) => part !== '').join(' ');
  const common = { type: kind, account, asset: cells.text('Symbol/CUSIP #').replace(/^--$/, '').toUpperCase() };
  const time = cells.time('Trade Date');
  if (kind !== 'buy' && kind !== 'sell')
    return cells.read(time, { ...common, amount: kind === 'withholding' ? negated(amount) : amount });
  if (common.asset === '') cells.reject('Symbol/CUSIP #', 'missing', 'this kind of row needs it');
  const quantity = cells.need('Quantity', magnitude(cells.quantity('Quantity')));
  return cells.read(time, { ...common, quantity, amount: kind === 'buy' ? negated(amount) : amount });
}
