import { lastDayOf, yearOf } from '../../base/day.ts';
import type { Money, Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude, negateAmount, toFee } from '../cells/amounts.ts';
import { readOption } from '../cells/option-symbol.ts';
import {
  cashFeePaid,
  cashMoved,
  fractionMissing,
  noOptionNamed,
  requiredHere,
  totalRow,
  unknownAction,
} from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, rowsInGroups, type StatedFields, type Time } from '../reader.ts';
import { asDebt } from '../tables/bonds.ts';
import {
  grossPaid,
  grossReceived,
  type OptionTrade,
  optionEvent,
  optionStated,
  rejectIncomplete,
  rejectSpinoff,
  sharesMoved,
} from '../tables/brokers.ts';
import { type ActionKind, type ActionRow, CorporateActions } from '../tables/corporate-actions.ts';
import { withDeliveries } from '../tables/deliveries.ts';
import { checkPrice } from '../tables/stated-money.ts';

/**
 * Reads all generations of Charles Schwab brokerage transactions, newest first. Dates have no time, the amount is net
 * and signed, and the quantity is usually unsigned. `01/20/2024 as of 01/19/2024` takes effect on the second date.
 */
export const schwab = brokerFormat(
  { id: 'schwab', name: 'Schwab brokerage transactions', source: 'Schwab' },
  [
    {
      id: 'brokerage',
      price: 'Price',
      results: { totals: [{ column: 'Date', says: /^transactions total/i, sums: ['Amount'] }] },
      header: 'Date | Action | Symbol | Description | Quantity | Price | Fees & Comm | Amount',
    },
  ],
  (...file) => withDeliveries(rowsInGroups(() => new CorporateActions(), readRow)(...file)),
);

interface SchwabActivity {
  readonly cells: Cells;
  readonly time: Time | null;
  readonly asset: string;
  readonly quantity: Quantity | null;
  /** Net of all fees. Positive if money was received. */
  readonly amount: Money | null;
  readonly fee: Money | null;
}

function readRow(cells: Cells, actions: CorporateActions): Outcome | readonly Outcome[] {
  const date = cells.text('Date');
  if (/^transactions total/i.test(date)) return cells.skip(totalRow);
  const action = cells.text('Action').toLowerCase();
  const amount = cells.money('Amount');
  const quantity = cells.quantity('Quantity');
  const reason = skippedActions.find(([pattern]) => pattern.test(action))?.[1];
  if (reason !== undefined && (quantity === null || !/journal|transfer/.test(action))) return cells.skip(reason);
  if (action === 'misc cash entry' && (amount ?? 0n) <= 0n) return cells.skip(cashFeePaid);
  const activity: SchwabActivity = {
    cells,
    time: datePriorYear(action, cells.effectiveTime('Date', ['Description'])),
    asset: cells.text('Symbol').toUpperCase(),
    quantity,
    amount,
    fee: toFee(cells.money('Fees & Comm')),
  };
  const kind = actionKinds.find(([pattern]) => pattern.test(action))?.[1];
  if (kind !== undefined) return actions.add(actionRow(kind, activity));
  actions.note(activity.asset, cells.text('Description'));
  const entry = kinds.find(([pattern]) => pattern.test(action));
  return entry === undefined ? rejectUnknown(cells) : entry[1](activity);
}

/**
 * Dates a dividend that a fund declared in the last months of a year and paid in January. It counts for the earlier
 * year (IRC 852(b)(7)).
 */
function datePriorYear(action: string, time: Time | null): Time | null {
  return time === null || !action.startsWith('pr yr') ? time : { at: null, on: lastDayOf(yearOf(time.on) - 1) };
}

/** Actions with separate rows for the shares removed and for the shares or cash received. */
const actionKinds: readonly (readonly [RegExp, ActionKind])[] = [
  [/^reverse split$/, 'split'],
  [/^(?:name|cusip|symbol) change$|^conversion$/, 'rename'],
  [/^(?:cash ?[/&]? ?)?stock merger(?: adj)?$|^mandatory reorg exc(?:hange)?$/, 'exchange'],
  [/^(?:cash merger|full redemption)(?: adj)?$/, 'payout'],
];

function actionRow(kind: ActionKind, { cells, time, asset, quantity, amount, fee: paid }: SchwabActivity): ActionRow {
  if (asset === '') cells.reject('Symbol', 'missing', requiredHere);
  if (quantity === null) cells.need('Amount', amount);
  const name = cells.text('Description');
  return { cells, column: 'Action', time, kind, asset, name, quantity, amount: grossReceived(amount, paid), fee: paid };
}

/** Rows with a quantity are share transfers, which are handled below. */
const skippedActions: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:moneylink|wire|funds|journal|internal transfer|security transfer|atm|visa|check|ach|bank transfer|auto s1)/,
    cashMoved,
  ],
  [/^(?:futures mm sweep|bank sweep)$/, 'Cash transfer between your own accounts'],
  [/^(?:adr mgmt fee|advisor fee|service fee|margin interest|foreign custody)/, cashFeePaid],
];

const kinds: readonly (readonly [RegExp, (activity: SchwabActivity) => Outcome])[] = [
  [/^(?:buy|reinvest shares)$/, (activity) => readTrade(activity, 'buy')],
  [/^sell$/, (activity) => readTrade(activity, 'sell')],
  [/^sell short$/, (activity) => readTrade(activity, 'short_sell')],
  [/^(?:buy to cover|cover short)$/, (activity) => readTrade(activity, 'cover')],
  [/^(?:buy|sell) to (?:open|close)$/, optionTraded],
  [/^expired$/, (activity) => optionEnded(activity, 'expire')],
  [/^assigned$/, (activity) => optionEnded(activity, 'assign')],
  [/^exchange or exercise$/, (activity) => optionEnded(activity, 'exercise')],
  [
    /^(?:pr yr )?(?:long term cap gain|lt c\/?g)(?: rein(?:vest)?)?(?: adj)?$/,
    (activity) => readIncome(activity, 'capital_gain_distribution'),
  ],
  // A short-term gain distributed by a fund is an ordinary dividend (Pub. 550, "Capital Gain Distributions").
  [
    /^(?:pr yr )?(?:short term cap gain|st c\/?g)(?: rein(?:vest)?)?(?: adj)?$/,
    (activity) => readIncome(activity, 'dividend'),
  ],
  [
    /^(?:pr yr )?return of capital(?: rein(?:vest)?)?(?: adj)?$/,
    (activity) => readIncome(activity, 'return_of_capital'),
  ],
  [
    /^(?:(?:bond|bank|credit|cd|muni(?:cipal)?(?: bond)?|treasury|money market) )?(?:interest|int)(?: adj)?$/,
    (activity) => readIncome(activity, 'interest'),
  ],
  [
    /^(?:pr yr )?(?:spec(?:ial)? )?(?:(?:cash|qual(?:ified)?|non[- ]?qual(?:ified)?) )?div(?:idend)?(?: rein(?:vest)?)?(?: adj(?:ustment)?)?$/,
    (activity) => readIncome(activity, 'dividend'),
  ],
  [/^(?:pr yr )?reinvest dividend$/, (activity) => readIncome(activity, 'dividend')],
  [/^promotional award/, (activity) => readIncome(activity, 'other_income')],
  [/^(?:nra tax adj|nra withholding|foreign tax)/, withheld],
  [/^(?:journaled shares|journal|security transfer|internal transfer|stock plan activity)/, readMove],
  [/^stock (?:split|div dist|dividend)$/, splitShares],
  [
    /^(?:stock )?spin-? ?off(?: shares?)?$/,
    ({ cells, asset, quantity }) => rejectSpinoff(cells, 'Action', { asset, quantity }),
  ],
  [/^cash in lieu/, ({ cells }) => rejectIncomplete(cells, 'Action', fractionMissing)],
];

function rejectUnknown(cells: Cells): Outcome {
  return cells.rejected('Action', 'unknown_type', unknownAction);
}

function readTrade(activity: SchwabActivity, type: 'buy' | 'sell' | 'short_sell' | 'cover'): Outcome {
  const { cells, asset, amount, time } = activity;
  if (asset === '') cells.reject('Symbol', 'missing', requiredHere);
  const quantity = cells.need('Quantity', magnitude(activity.quantity));
  cells.need('Amount', amount);
  const side = type === 'buy' || type === 'cover' ? 'buy' : 'sell';
  const money = computeGrossAmount(activity, side === 'buy');
  const stated: StatedFields = { type, asset, quantity, ...money };
  if (type === 'buy' || type === 'sell')
    return cells.read(time, asDebt(cells, { stated, description: cells.text('Description'), price: 'Price' }));
  checkPrice(cells, 'Price', { side, units: quantity, gross: money.amount ?? null, fee: money.fee ?? null });
  return cells.read(time, stated);
}

function computeGrossAmount(
  { amount, fee: paid }: SchwabActivity,
  buys: boolean,
): Pick<StatedFields, 'amount' | 'fee'> {
  return { amount: buys ? grossPaid(amount, paid) : grossReceived(amount, paid), fee: paid };
}

function optionTraded(activity: SchwabActivity): Outcome {
  const { cells, asset, time } = activity;
  const option = readOption(asset);
  if (option === undefined) return cells.rejected('Symbol', 'bad_option', noOptionNamed);
  const type = cells.text('Action').toLowerCase().replaceAll(' ', '_') as OptionTrade;
  const quantity = cells.need('Quantity', magnitude(activity.quantity));
  cells.need('Amount', activity.amount);
  return cells.read(time, {
    ...optionStated(option),
    type,
    quantity,
    ...computeGrossAmount(activity, type.startsWith('buy')),
  });
}

function optionEnded(
  { cells, asset, quantity, amount, fee: paid, time }: SchwabActivity,
  type: 'expire' | 'assign' | 'exercise',
): Outcome {
  const option = readOption(asset);
  if (option === undefined) return cells.rejected('Symbol', 'bad_option', noOptionNamed);
  return cells.read(
    time,
    optionEvent(cells, type, option, cells.need('Quantity', quantity), { cash: amount, fee: paid }),
  );
}

function readIncome({ cells, asset, amount, time }: SchwabActivity, type: TransactionType): Outcome {
  return cells.read(time, { type, asset, amount: cells.need('Amount', amount) });
}

function withheld({ cells, asset, amount, time }: SchwabActivity): Outcome {
  return cells.read(time, { type: 'withholding', asset, amount: cells.need('Amount', negateAmount(amount)) });
}

/** Reads shares transferred without money. Their cost has to come from another file. */
function readMove({ cells, asset, quantity, time }: SchwabActivity): Outcome {
  if (asset === '') cells.reject('Symbol', 'missing', requiredHere);
  cells.need('Quantity', quantity);
  return cells.read(time, { ...sharesMoved(quantity), asset });
}

/** Reads a split. The quantity is the number of shares added, and the ratio follows from the shares held. */
function splitShares({ cells, asset, quantity, time }: SchwabActivity): Outcome {
  return cells.read(time, { type: 'split', asset, quantity: cells.need('Quantity', magnitude(quantity)) });
}
