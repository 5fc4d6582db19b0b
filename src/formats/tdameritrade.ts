import type { TransactionType } from '../engine/model.ts';
import { feeOf, magnitude, negated, sum } from './amounts.ts';
import { grossPaid, grossReceived } from './brokers.ts';
import type { Cells } from './cells.ts';
import type { Format, Outcome } from './format.ts';
import { rowByRow } from './reader.ts';

/** TD Ameritrade, until it became Schwab: what happened stands only in the description; the amount is net and signed. */
export const tdAmeritrade: Format = {
  id: 'tdameritrade',
  name: 'TD Ameritrade transactions',
  source: 'TD Ameritrade',
  assetClass: 'stock',
  layouts: [
    {
      id: 'transactions',
      required: [
        'DATE',
        'TRANSACTION ID',
        'DESCRIPTION',
        'QUANTITY',
        'SYMBOL',
        'PRICE',
        'COMMISSION',
        'AMOUNT',
        'REG FEE',
      ],
    },
  ],
  open: rowByRow(readRow),
};

const kinds: readonly (readonly [RegExp, TransactionType | string])[] = [
  [
    /^(?:bought|sold) (?:to open|to close)|^removal of option|assignment|exercise/i,
    'refuse: options are not read from this file: enter them by hand',
  ],
  [/^sold short/i, 'short_sell'],
  [/^bought to cover/i, 'cover'],
  [/^bought /i, 'buy'],
  [/^sold /i, 'sell'],
  [/^(?:ordinary|qualified|non-?qualified|special) dividend|dividend \(|^short term (?:capital )?gain/i, 'dividend'],
  [/^long term (?:capital )?gain/i, 'capital_gain_distribution'],
  [/money market (?:purchase|redemption)/i, 'skip: the cash of the account, swept into its fund'],
  [/^margin interest/i, 'skip: a fee in cash is no part of a gain'],
  [/interest/i, 'interest'],
  [/^foreign tax|tax withh|^w-8/i, 'withholding'],
  [
    /electronic funding|wire|^ach |^client requested|^check|cash alternatives|^journal|^transfer|internal transfer/i,
    'skip: money in or out is no gain or loss',
  ],
  [/fee/i, 'skip: a fee in cash is no part of a gain'],
  [/^mandatory/i, 'refuse: a corporate action needs its terms: enter it by hand'],
];

function readRow(cells: Cells): Outcome {
  const text = cells.text('DESCRIPTION');
  if (/^\*+END OF FILE/.test(cells.text('DATE'))) return cells.skip('the end of the file');
  const kind = kinds.find(([pattern]) => pattern.test(text))?.[1] ?? 'refuse: this is no transaction we know';
  if (kind.startsWith('skip: ')) return cells.skip(kind.slice('skip: '.length));
  if (kind.startsWith('refuse: ')) return cells.rejected('DESCRIPTION', 'unknown_type', kind.slice('refuse: '.length));
  const type = kind as TransactionType;
  const net = cells.need('AMOUNT', cells.money('AMOUNT'));
  const common = { type, asset: cells.text('SYMBOL').toUpperCase(), externalId: cells.text('TRANSACTION ID') };
  const time = cells.time('DATE');
  if (!/^(?:buy|sell|short_sell|cover)$/.test(type)) {
    return cells.read(time, { ...common, amount: type === 'withholding' ? negated(net) : net });
  }
  if (common.asset === '') cells.reject('SYMBOL', 'missing', 'this kind of row needs it');
  const feeColumns = ['COMMISSION', 'REG FEE', 'SHORT-TERM RDM FEE', 'FUND REDEMPTION FEE', 'DEFERRED SALES CHARGE'];
  const fee = feeOf(sum(...feeColumns.map((column) => magnitude(cells.money(column)))));
  const buys = type === 'buy' || type === 'cover';
  return cells.read(time, {
    ...common,
    quantity: cells.need('QUANTITY', magnitude(cells.quantity('QUANTITY'))),
    amount: buys ? grossPaid(net, fee) : grossReceived(net, fee),
    fee,
  });
}
