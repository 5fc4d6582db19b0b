import type { TransactionType } from '../../engine/model.ts';
import { magnitude, negateAmount, noneIfZero, toFee } from '../cells/amounts.ts';
import { readOption } from '../cells/option-symbol.ts';
import { cashFeePaid, cashMoved, noOptionNamed, requiredHere, unknownActivity } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type FormatFile, type Outcome, rowsInGroups, type StatedFields } from '../reader.ts';
import { asDebt, findCusip } from '../tables/bonds.ts';
import { grossPaid, grossReceived, optionEvent, optionStated, rejectSpinoff } from '../tables/brokers.ts';
import { type ActionKind, type ActionRow, CorporateActions } from '../tables/corporate-actions.ts';
import { withDeliveries } from '../tables/deliveries.ts';
import { checkPrice } from '../tables/stated-money.ts';

/**
 * Reads both generations of E*TRADE transactions. Dates have no time and two-digit years, the amount is net and signed,
 * and `--` means empty.
 */
export const etrade = brokerFormat(
  { id: 'etrade', name: 'E*TRADE transactions', source: 'E*TRADE' },
  [
    {
      id: '2026',
      header: `Activity/Trade Date | Activity Type | Description | Symbol | Quantity # | Price $ | Amount $ |
        Commission`,
    },
    {
      id: 'older',
      header: 'TransactionDate | TransactionType | SecurityType | Symbol | Quantity | Amount | Price | Commission',
    },
  ],
  (...file) => withDeliveries(rowsInGroups(() => new CorporateActions(), readRow)(...file)),
);

type EtradeKind = TransactionType | 'cash' | 'fee';

const kinds: readonly (readonly [RegExp, EtradeKind])[] = [
  [/^bought to open$/, 'buy_to_open'],
  [/^sold to close$/, 'sell_to_close'],
  [/^sold to open$/, 'sell_to_open'],
  [/^bought to close$/, 'buy_to_close'],
  [/^sold short$/, 'short_sell'],
  [/^bought to cover$/, 'cover'],
  [/^option expir|^expired/, 'expire'],
  [/^option assign|^assigned/, 'assign'],
  [/^option exercise|^exercised/, 'exercise'],
  [/^bought$|^reinvestment$|^dividend reinvest/, 'buy'],
  [/^sold$|^(?:full )?redemption|^redeemed|^matur|^(?:full|bond) call/, 'sell'],
  [/^(?:stock|split) dividend$|^stock split$/, 'split'],
  [/^(?:(?:qualified|non-?qualified|ordinary|cash|special|foreign|money market) )?dividends?$/, 'dividend'],
  [/^(?:payment|pay) in lieu(?: of dividends?)?$|^substitute (?:payment|dividend)s?$/, 'other_income'],
  [
    /^(?:lt|long[- ]term) cap(?:ital)? gains?(?: distributions?)?$|^capital gains?(?: distributions?)?$/,
    'capital_gain_distribution',
  ],
  [/^(?:st|short[- ]term) cap(?:ital)? gains?(?: distributions?)?$/, 'dividend'],
  [/^margin interest$|^interest (?:charged|paid|expense)$/, 'fee'],
  [
    /^(?:(?:bond|bank|credit|cd|muni(?:cipal)?|treasury|extended insurance sweep deposit account) )?interest(?: income| received| earned)?$/,
    'interest',
  ],
  [/^(?:tax withh(?:olding|eld)?|foreign tax(?: paid| withheld)?|nra tax(?: withheld)?)$/, 'withholding'],
  [
    /^(?:online transfer|transfer|wire|ach|direct (?:deposit|debit)|funds|check|bill payment|deposit|withdrawal|contribution)/,
    'cash',
  ],
  [/fee$|^fee|^adr /, 'fee'],
];

/** E*TRADE reports the opening of a written option as a short sale, and its closing as a cover. */
const kindsOfOption: Partial<Record<TransactionType, TransactionType>> = {
  short_sell: 'sell_to_open',
  cover: 'buy_to_close',
};

/** Actions with separate rows for the shares removed and for the shares or cash received. */
const actionKinds: readonly (readonly [RegExp, ActionKind])[] = [
  [/^reverse (?:stock )?split$/, 'split'],
  [/^(?:name|symbol|cusip) change$/, 'rename'],
  [/^stock merger$/, 'exchange'],
  [/^cash merger$/, 'payout'],
];

function readRow(cells: Cells, actions: CorporateActions, { columns }: FormatFile): readonly Outcome[] {
  const names = {
    date: columns.pick('Activity/Trade Date', 'TransactionDate'),
    kind: columns.pick('Activity Type', 'TransactionType'),
    quantity: columns.pick('Quantity #', 'Quantity'),
    amount: columns.pick('Amount $', 'Amount'),
    price: columns.pick('Price $', 'Price'),
  };
  const text = cells.text(names.kind).toLowerCase();
  const action = actionKinds.find(([pattern]) => pattern.test(text))?.[1];
  if (action !== undefined) return actions.add(actionRow(cells, action, names));
  actions.note(readSymbol(cells), cells.text('Description'));
  return [readAlone(cells, text, names)];
}

/** Column names, which differ between the two generations. */
type Names = Readonly<Record<'date' | 'kind' | 'quantity' | 'amount' | 'price', string>>;

function actionRow(cells: Cells, kind: ActionKind, names: Names): ActionRow {
  const asset = readSymbol(cells) || cells.text('Cusip').toUpperCase();
  if (asset === '') cells.reject('Symbol', 'missing', requiredHere);
  const quantity = noneIfZero(cells.quantity(names.quantity));
  const net = noneIfZero(cells.money(names.amount));
  if (quantity === null) cells.need(names.amount, net);
  const fee = toFee(cells.money('Commission'));
  const [time, name] = [cells.effectiveTime(names.date, ['Description']), cells.text('Description')];
  return { cells, column: names.kind, time, kind, asset, name, quantity, amount: grossReceived(net, fee), fee };
}

function readSymbol(cells: Cells): string {
  return cells.text('Symbol').replace(/^--$/, '').toUpperCase();
}

/** Matches a fund's long-term capital gain that is booked as a dividend. */
const longTermGain = /\b(?:lt|long[- ]term) (?:cap(?:ital)? )?gains?\b/i;

function readAlone(cells: Cells, text: string, names: Names): Outcome {
  if (/^(?:stock )?spin-? ?off$/.test(text)) {
    const quantity = noneIfZero(cells.quantity(names.quantity));
    return rejectSpinoff(cells, names.kind, { asset: readSymbol(cells), quantity });
  }
  const named = kinds.find(([pattern]) => pattern.test(text))?.[1];
  const kind =
    named === 'dividend' && longTermGain.test(cells.text('Description')) ? 'capital_gain_distribution' : named;
  if (kind === undefined) return cells.rejected(names.kind, 'unknown_type', unknownActivity);
  if (kind === 'cash') return cells.skip(cashMoved);
  if (kind === 'fee') return cells.skip(cashFeePaid);
  const description = [cells.text('Description'), cells.text('SecurityType')].join(' ');
  const symbol = readSymbol(cells) || findCusip(description.toUpperCase());
  const option = readOption(symbol);
  const quantity = magnitude(cells.quantity(names.quantity));
  const net = cells.money(names.amount);
  const fee = toFee(cells.money('Commission'));
  const time = cells.effectiveTime(names.date, ['Description']);
  if (kind === 'expire' || kind === 'assign' || kind === 'exercise') {
    if (option === undefined) return cells.rejected('Symbol', 'bad_option', noOptionNamed);
    return cells.read(time, optionEvent(cells, kind, option, cells.need(names.quantity, quantity), { cash: net, fee }));
  }
  if (kind === 'split') {
    if (symbol === '') cells.reject('Symbol', 'missing', requiredHere);
    return cells.read(time, { type: kind, asset: symbol, quantity: cells.need(names.quantity, quantity) });
  }
  const amount = cells.need(names.amount, net);
  const isTrade = /^(?:buy|sell|short_sell|cover)/.test(kind);
  const type = option === undefined ? kind : (kindsOfOption[kind] ?? kind);
  if (!isTrade)
    return cells.read(time, {
      type: kind,
      asset: symbol,
      amount: kind === 'withholding' ? negateAmount(amount) : amount,
    });
  if (symbol === '') cells.reject('Symbol', 'missing', requiredHere);
  if (option === undefined && /_to_/.test(kind)) return cells.rejected('Symbol', 'bad_option', noOptionNamed);
  const buys = kind.startsWith('buy') || kind === 'cover';
  const gross = buys ? grossPaid(amount, fee) : grossReceived(amount, fee);
  const stated: StatedFields = {
    ...(option === undefined ? { asset: symbol } : optionStated(option)),
    type,
    quantity: cells.need(names.quantity, quantity),
    amount: gross,
    fee,
  };
  if (option === undefined && (kind === 'buy' || kind === 'sell')) {
    return cells.read(time, asDebt(cells, { stated, description, price: names.price }));
  }
  checkPrice(cells, names.price, { side: buys ? 'buy' : 'sell', units: quantity, gross, fee });
  return cells.read(time, stated);
}
