import type { Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { feeOf, magnitude, sum } from '../cells/amounts.ts';
import { Cells, HeaderColumns } from '../cells/cells.ts';
import { readOption } from '../cells/option-symbol.ts';
import type { Format, Outcome, Row } from '../format.ts';
import { checkMultiplier, optionEvent, optionStated, rejectIncomplete } from '../tables/brokers.ts';
import { delivered, withDeliveries } from '../tables/deliveries.ts';

/** tastytrade transactions. Times with an offset; the value is signed and before commissions and fees; `--` is empty. */
export const tastytrade: Format = {
  id: 'tastytrade',
  name: 'tastytrade transactions',
  source: 'tastytrade',
  assetClass: 'stock',
  layouts: [
    {
      id: 'transactions',
      price: 'Average Price',
      required: [
        'Date',
        'Type',
        'Sub Type',
        'Action',
        'Symbol',
        'Instrument Type',
        'Value',
        'Quantity',
        'Commissions',
        'Fees',
        'Underlying Symbol',
      ],
    },
  ],
  open: (_layout, header, context) => {
    const columns = new HeaderColumns(header);
    const read = (row: Row) => [readRow(new Cells(row, columns, context))];
    return withDeliveries({ read, end: () => [] }, { marksEach: true });
  },
};

function readRow(cells: Cells): Outcome {
  const type = cells.text('Type').toLowerCase();
  const subType = cells.text('Sub Type').toLowerCase();
  if (type === 'money movement') return money(cells, subType);
  if (type !== 'trade' && type !== 'receive deliver')
    return cells.rejected('Type', 'unknown_type', 'this is no type we know');
  const instrument = cells.text('Instrument Type').toLowerCase();
  if (instrument.startsWith('future')) {
    return cells.rejected(
      'Instrument Type',
      'unknown_type',
      'futures and their options are not read yet: enter them by hand',
    );
  }
  if (/split|symbol change|merger|spin|dividend/.test(subType))
    return rejectIncomplete(cells, 'Sub Type', 'a corporate action needs its terms');
  const quantity = cells.need('Quantity', magnitude(cells.quantity('Quantity')));
  if (instrument === 'equity option') return option(cells, subType, quantity);
  return delivered(traded(cells, instrument, quantity), /assign|exercise/.test(subType));
}

const moneyKinds: readonly (readonly [RegExp, TransactionType])[] = [
  [/^dividend/, 'dividend'],
  [/^credit interest/, 'interest'],
  [/^fully paid|^stock lending/, 'other_income'],
];

function money(cells: Cells, subType: string): Outcome {
  const kind = moneyKinds.find(([pattern]) => pattern.test(subType))?.[1];
  if (kind !== undefined) {
    return cells.read(cells.effectiveTime('Date', ['Description']), {
      type: kind,
      asset: cells.text('Symbol'),
      amount: cells.need('Value', cells.money('Value')),
    });
  }
  if (/deposit|withdrawal|transfer|mark to market/.test(subType))
    return cells.skip('money in or out is no gain or loss');
  if (/fee|debit interest|balance adjustment/.test(subType)) return cells.skip('a fee in cash is no part of a gain');
  return cells.rejected('Sub Type', 'unknown_type', 'this is no movement of money we know');
}

function option(cells: Cells, subType: string, quantity: Quantity | null): Outcome {
  const symbol = readOption(cells.text('Symbol'));
  const value = valued(cells);
  if (symbol === undefined) return cells.rejected('Symbol', 'bad_option', 'no option is named here');
  checkMultiplier(cells, 'Multiplier', symbol);
  const ends = /expir/.test(subType)
    ? 'expire'
    : /assign/.test(subType)
      ? 'assign'
      : /exercise/.test(subType)
        ? 'exercise'
        : null;
  if (ends !== null)
    return cells.read(
      cells.effectiveTime('Date', ['Description']),
      optionEvent(cells, ends, symbol, quantity, { cash: value.amount, fee: value.fee }),
    );
  const action = /^(?:buy|sell)_to_(?:open|close)$/.exec(cells.text('Action').toLowerCase().replaceAll(' ', '_'))?.[0];
  if (action === undefined)
    return cells.rejected('Action', 'unknown_type', 'this does not say whether it opens or closes');
  return cells.read(cells.effectiveTime('Date', ['Description']), {
    ...optionStated(symbol),
    type: action as TransactionType,
    quantity,
    ...value,
  });
}

const equityActions: ReadonlyMap<string, TransactionType> = new Map([
  ['buy_to_open', 'buy'],
  ['sell_to_close', 'sell'],
  ['sell_to_open', 'short_sell'],
  ['buy_to_close', 'cover'],
  ['buy', 'buy'],
  ['sell', 'sell'],
]);

function traded(cells: Cells, instrument: string, quantity: Quantity | null): Outcome {
  const type = equityActions.get(cells.text('Action').toLowerCase().replaceAll(' ', '_'));
  if (type === undefined) return cells.rejected('Action', 'unknown_type', 'this is no action we know');
  const crypto = instrument.startsWith('crypto');
  const asset = cells.text('Symbol').replace(crypto ? /\/USD$/ : /^$/, '');
  if (asset === '') cells.reject('Symbol', 'missing', 'this kind of row needs it');
  return cells.read(cells.effectiveTime('Date', ['Description']), {
    type,
    asset,
    assetClass: crypto ? 'crypto' : null,
    quantity,
    ...valued(cells),
  });
}

function valued(cells: Cells): { amount: ReturnType<Cells['money']>; fee: ReturnType<Cells['money']> } {
  const fee = sum(magnitude(cells.money('Commissions')), magnitude(cells.money('Fees')));
  return { amount: cells.need('Value', magnitude(cells.money('Value'))), fee: feeOf(fee) };
}
