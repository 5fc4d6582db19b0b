import { magnitude, negateAmount, sum, toFee } from '../cells/amounts.ts';
import { type OptionSymbol, readOption } from '../cells/option-symbol.ts';
import { actionManual, cashSweep, noOptionNamed, requiredHere } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, rowsWith } from '../reader.ts';
import { grossPaid, grossReceived, optionEvent, optionStated } from '../tables/brokers.ts';
import { withDeliveries } from '../tables/deliveries.ts';
import { cash, cashFee, type RowKind } from '../tables/kinds.ts';
import { OptionPositions, splitTrade } from '../tables/option-positions.ts';
import { checkPrice } from '../tables/stated-money.ts';

/**
 * Reads TD Ameritrade files from before its merger into Schwab, oldest first. Only the description shows what happened,
 * and the amount is net and signed. Whether an option trade opens or closes follows from earlier trades in the file.
 */
export const tdAmeritrade = brokerFormat(
  { id: 'tdameritrade', name: 'TD Ameritrade transactions', source: 'TD Ameritrade' },
  [
    {
      id: 'transactions',
      header: 'DATE | TRANSACTION ID | DESCRIPTION | QUANTITY | SYMBOL | PRICE | COMMISSION | AMOUNT | REG FEE',
    },
  ],
  (...file) => withDeliveries(rowsWith(() => new OptionPositions(), readRow)(...file)),
);

const kinds: readonly (readonly [RegExp, RowKind])[] = [
  [/^mandatory\b/i, { refuse: actionManual }],
  [/^removal of option due to expiration/i, 'expire'],
  [/^removal of option due to assignment/i, 'assign'],
  [/^removal of option due to exercise/i, 'exercise'],
  [/^sold short/i, 'short_sell'],
  [/^bought to cover/i, 'cover'],
  [/^bought /i, 'buy'],
  [/^sold /i, 'sell'],
  [/^(?:ordinary|qualified|non-?qualified|special) dividend|dividend \(|^short term (?:capital )?gain/i, 'dividend'],
  [/^long term (?:capital )?gain/i, 'capital_gain_distribution'],
  [/money market (?:purchase|redemption)/i, { skip: cashSweep }],
  [/^margin interest/i, cashFee],
  [
    /\b(?:interest (?:adjustment|income|payment|credit)|(?:bond|credit|off-?cycle) interest)\b|^interest\b/i,
    'interest',
  ],
  [/^foreign tax|\btax withh|^w-8/i, 'withholding'],
  [
    /\belectronic funding\b|^(?:ach|wire|check|journal|transfer|client requested|internal transfer)\b|\bcash alternatives\b/i,
    cash,
  ],
  [/\bfees?\b/i, cashFee],
];

const feeColumns = ['COMMISSION', 'REG FEE', 'SHORT-TERM RDM FEE', 'FUND REDEMPTION FEE', 'DEFERRED SALES CHARGE'];

function readRow(cells: Cells, positions: OptionPositions): Outcome {
  const text = cells.text('DESCRIPTION');
  if (/^\*+END OF FILE/.test(cells.text('DATE'))) return cells.skip('End of the file');
  const kind = kinds.find(([pattern]) => pattern.test(text))?.[1] ?? { refuse: 'Unknown transaction' };
  if (typeof kind === 'object')
    return 'skip' in kind ? cells.skip(kind.skip) : cells.rejected('DESCRIPTION', 'unknown_type', kind.refuse);
  const type = kind;
  const option = readOption(cells.text('SYMBOL'));
  if (type === 'expire' || type === 'assign' || type === 'exercise') return readEnd(cells, type, option, positions);
  const net = cells.need('AMOUNT', cells.money('AMOUNT'));
  const common = { type, asset: cells.text('SYMBOL').toUpperCase(), externalId: cells.text('TRANSACTION ID') };
  const time = cells.effectiveTime('DATE', ['DESCRIPTION']);
  if (!/^(?:buy|sell|short_sell|cover)$/.test(type)) {
    return cells.read(time, { ...common, amount: type === 'withholding' ? negateAmount(net) : net });
  }
  if (common.asset === '') cells.reject('SYMBOL', 'missing', requiredHere);
  const fee = toFee(sum(...feeColumns.map((column) => magnitude(cells.money(column)))));
  const buys = type === 'buy' || type === 'cover';
  const quantity = cells.need('QUANTITY', magnitude(cells.quantity('QUANTITY')));
  const amount = buys ? grossPaid(net, fee) : grossReceived(net, fee);
  checkPrice(cells, 'PRICE', { side: buys ? 'buy' : 'sell', units: quantity, gross: amount, fee });
  if (option === undefined) return cells.read(time, { ...common, quantity, amount, fee });
  if (cells.flawed || quantity === null) return cells.refused();
  const stated = optionStated(option);
  const parts = positions.trade(stated.asset ?? '', buys ? 'buy' : 'sell', quantity);
  return cells.read(
    time,
    ...splitTrade(parts, quantity, { amount, fee }).map((part) => ({ ...common, ...stated, ...part })),
  );
}

function readEnd(
  cells: Cells,
  type: 'expire' | 'assign' | 'exercise',
  option: OptionSymbol | undefined,
  positions: OptionPositions,
): Outcome {
  if (option === undefined) return cells.rejected('SYMBOL', 'bad_option', noOptionNamed);
  const quantity = cells.need('QUANTITY', magnitude(cells.quantity('QUANTITY')));
  const fee = toFee(sum(...feeColumns.map((column) => magnitude(cells.money(column)))));
  const event = optionEvent(cells, type, option, quantity, { cash: cells.money('AMOUNT'), fee });
  if (quantity !== null) positions.end(event.asset ?? '', quantity);
  return cells.read(cells.effectiveTime('DATE', ['DESCRIPTION']), {
    ...event,
    externalId: cells.text('TRANSACTION ID'),
  });
}
