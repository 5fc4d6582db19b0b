import { lastDayOf, yearOf } from '../../base/day.ts';
import type { Money, Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { feeOf, magnitude, negated, ratioOf, sum } from '../cells/amounts.ts';
import { Cells, HeaderColumns } from '../cells/cells.ts';
import type { Stated } from '../cells/drafts.ts';
import { withLines } from '../cells/joined.ts';
import { readOption } from '../cells/option-symbol.ts';
import type { Time } from '../cells/times.ts';
import type { Format, Outcome, Reader, ReadingContext, Row } from '../format.ts';
import {
  grossPaid,
  grossReceived,
  type OptionTrade,
  optionEvent,
  optionStated,
  rejectIncomplete,
  sharesMoved,
} from '../tables/brokers.ts';
import { withDeliveries } from '../tables/deliveries.ts';
import { checkPrice } from '../tables/stated-money.ts';

/**
 * Charles Schwab brokerage transactions, all generations. Dates only, newest first; the amount is net and signed, the
 * quantity mostly is not; `01/20/2024 as of 01/19/2024` takes effect on the second date.
 */
export const schwab: Format = {
  id: 'schwab',
  name: 'Schwab brokerage transactions',
  source: 'Schwab',
  assetClass: 'stock',
  layouts: [
    {
      id: 'brokerage',
      price: 'Price',
      required: ['Date', 'Action', 'Symbol', 'Description', 'Quantity', 'Price', 'Fees & Comm', 'Amount'],
    },
  ],
  open: (_layout, header, context) => withDeliveries(new SchwabReader(new HeaderColumns(header), context)),
};

interface SchwabActivity {
  readonly cells: Cells;
  readonly time: Time | null;
  readonly asset: string;
  readonly quantity: Quantity | null;
  /** Net, positive for money in. */
  readonly amount: Money | null;
  readonly fee: Money | null;
}

/** So many actions wait for their second row: memory stays bounded whatever a file holds. */
const halvesMax = 10_000;

class SchwabReader implements Reader {
  /** Actions of two rows: the first of them, by date and action. */
  private readonly halves = new Map<string, SchwabActivity>();

  constructor(
    private readonly columns: HeaderColumns,
    private readonly context: ReadingContext,
  ) {}

  read(row: Row): Outcome[] {
    const cells = new Cells(row, this.columns, this.context);
    const date = cells.text('Date');
    if (/^transactions total/i.test(date)) return [cells.skip('the total of the file')];
    const action = cells.text('Action').toLowerCase();
    const reason = skippedActions.find(([pattern]) => pattern.test(action))?.[1];
    const quantity = cells.quantity('Quantity');
    if (reason !== undefined && (quantity === null || !/journal|transfer/.test(action))) return [cells.skip(reason)];
    const activity: SchwabActivity = {
      cells,
      time: asOfPriorYear(action, cells.effectiveTime('Date', ['Description'])),
      asset: cells.text('Symbol').toUpperCase(),
      quantity,
      amount: cells.money('Amount'),
      fee: feeOf(cells.money('Fees & Comm')),
    };
    const pair = pairedActions.find(([pattern]) => pattern.test(action));
    if (pair !== undefined) return this.join(pair[1], activity);
    const found = kinds.find(([pattern]) => pattern.test(action));
    return [found === undefined ? unknown(cells) : found[1](activity)];
  }

  end(): Outcome[] {
    return [...this.halves.values()].map((half) => unpaired(half));
  }

  private join(pair: PairedAction, activity: SchwabActivity): Outcome[] {
    if (activity.time === null || activity.cells.flawed) return [activity.cells.refused()];
    const key = `${pair.name} ${activity.time.on} ${pair.bySymbol ? activity.asset : ''}`;
    const first = this.halves.get(key);
    if (first === undefined || !pair.fits(first, activity)) {
      this.halves.set(key, activity);
      const [oldest] = this.halves;
      if (this.halves.size > halvesMax && oldest !== undefined) {
        this.halves.delete(oldest[0]);
        return [unpaired(oldest[1])];
      }
      return first === undefined ? [] : [unpaired(first)];
    }
    this.halves.delete(key);
    const stated = pair.stated(first, activity);
    const lines = [first.cells.line, activity.cells.line];
    if (stated === undefined) {
      return [first, activity].map(({ cells }) =>
        rejectIncomplete(cells, 'Action', 'a corporate action needs its terms'),
      );
    }
    const outcome = first.cells.read(activity.time, stated);
    if (outcome.kind !== 'rejected') return [withLines(outcome, lines)];
    const { column, code, reason } = outcome.issue;
    return [first, activity].map(({ cells }) => cells.rejected(column, code, reason));
  }
}

/** A fund's dividend declared in the last months counts for that year though paid in January (IRC 852(b)(7)). */
function asOfPriorYear(action: string, time: Time | null): Time | null {
  return time === null || !action.startsWith('pr yr') ? time : { at: null, on: lastDayOf(yearOf(time.on) - 1) };
}

interface PairedAction {
  readonly name: string;
  /** Both halves name the same symbol; else one names the old CUSIP. */
  readonly bySymbol: boolean;
  readonly fits: (first: SchwabActivity, second: SchwabActivity) => boolean;
  /** Undefined where the two rows leave out what the books need. */
  readonly stated: (first: SchwabActivity, second: SchwabActivity) => Stated | undefined;
}

/** Shares that come and shares that go. */
const exchanged = (first: SchwabActivity, second: SchwabActivity): boolean =>
  (first.quantity ?? 0n) > 0n !== (second.quantity ?? 0n) > 0n;
/** Money in one row, shares in the other. */
const redeemed = (first: SchwabActivity, second: SchwabActivity): boolean =>
  (first.amount === null) !== (second.amount === null);

const pairedActions: readonly (readonly [RegExp, PairedAction])[] = [
  [/^reverse split/, { name: 'reverse split', bySymbol: false, fits: exchanged, stated: reverseSplit }],
  [
    /^name change|^stock merger|^conversion/,
    { name: 'exchange', bySymbol: false, fits: exchanged, stated: () => undefined },
  ],
  [/^cash merger|^full redemption/, { name: 'redemption', bySymbol: true, fits: redeemed, stated: redemption }],
];

/** The old shares stand under their CUSIP, which nothing else names: the new symbol is the one that was held. */
function reverseSplit(first: SchwabActivity, second: SchwabActivity): Stated | undefined {
  const [added, removed] = (first.quantity ?? 0n) > 0n ? [first, second] : [second, first];
  if (added.quantity === null || removed.quantity === null) return undefined;
  if ((added.amount ?? 0n) !== 0n || (removed.amount ?? 0n) !== 0n) return undefined;
  return { type: 'split', asset: added.asset, ratio: ratioOf(added.quantity, -removed.quantity) };
}

function redemption(first: SchwabActivity, second: SchwabActivity): Stated | undefined {
  const [paid, gone] = first.amount === null ? [second, first] : [first, second];
  return {
    type: 'sell',
    asset: paid.asset,
    quantity: magnitude(gone.quantity ?? paid.quantity),
    amount: grossReceived(paid.amount, paid.fee),
    fee: sum(paid.fee, gone.fee),
  };
}

function unpaired({ cells }: SchwabActivity): Outcome {
  return cells.rejected('Action', 'unpaired', 'the second row of this action is not in the file');
}

const cash = 'money in or out is no gain or loss';
const fee = 'a fee in cash is no part of a gain';

/** Those with a quantity are transfers of shares, read below. */
const skippedActions: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:moneylink|wire|funds|journal|internal transfer|security transfer|atm|visa|check|ach|bank transfer|auto s1)/,
    cash,
  ],
  [/^(?:adr mgmt fee|advisor fee|service fee|margin interest|misc cash entry|foreign custody)/, fee],
];

const kinds: readonly (readonly [RegExp, (activity: SchwabActivity) => Outcome])[] = [
  [/^(?:buy|reinvest shares)$/, (activity) => traded(activity, 'buy')],
  [/^sell$/, (activity) => traded(activity, 'sell')],
  [/^sell short$/, (activity) => traded(activity, 'short_sell')],
  [/^(?:buy to cover|cover short)$/, (activity) => traded(activity, 'cover')],
  [/^(?:buy|sell) to (?:open|close)$/, optionTraded],
  [/^expired$/, (activity) => optionEnded(activity, 'expire')],
  [/^assigned$/, (activity) => optionEnded(activity, 'assign')],
  [/^exchange or exercise$/, (activity) => optionEnded(activity, 'exercise')],
  [/long term cap gain/, (activity) => earned(activity, 'capital_gain_distribution')],
  // A short-term gain that a fund distributes is an ordinary dividend (Pub. 550, "Capital Gain Distributions").
  [/short term cap gain/, (activity) => earned(activity, 'dividend')],
  [/^return of capital/, (activity) => earned(activity, 'return_of_capital')],
  [/interest/, (activity) => earned(activity, 'interest')],
  [/^stock div dist/, splitShares],
  [/div/, (activity) => earned(activity, 'dividend')],
  [/^promotional award/, (activity) => earned(activity, 'other_income')],
  [/^(?:nra tax adj|nra withholding|foreign tax)/, withheld],
  [/^(?:journaled shares|journal|security transfer|internal transfer|stock plan activity)/, moved],
  [/^stock split/, splitShares],
  [/^spin-?off/, ({ cells }) => rejectIncomplete(cells, 'Action', "a spin-off needs the issuer's allocation of basis")],
  [/^cash in lieu/, ({ cells }) => rejectIncomplete(cells, 'Action', 'cash in lieu needs the fraction sold')],
];

function unknown(cells: Cells): Outcome {
  return cells.rejected('Action', 'unknown_type', 'this is no action we know');
}

function traded(activity: SchwabActivity, type: 'buy' | 'sell' | 'short_sell' | 'cover'): Outcome {
  const { cells, asset, amount, time } = activity;
  if (asset === '') cells.reject('Symbol', 'missing', 'this kind of row needs it');
  const quantity = cells.need('Quantity', magnitude(activity.quantity));
  cells.need('Amount', amount);
  const side = type === 'buy' || type === 'cover' ? 'buy' : 'sell';
  const money = grossOf(activity, side === 'buy');
  checkPrice(cells, 'Price', { side, units: quantity, gross: money.amount ?? null, fee: money.fee ?? null });
  return cells.read(time, { type, asset, quantity, ...money });
}

function grossOf({ amount, fee: paid }: SchwabActivity, buys: boolean): Pick<Stated, 'amount' | 'fee'> {
  return { amount: buys ? grossPaid(amount, paid) : grossReceived(amount, paid), fee: paid };
}

function optionTraded(activity: SchwabActivity): Outcome {
  const { cells, asset, time } = activity;
  const option = readOption(asset);
  if (option === undefined) return cells.rejected('Symbol', 'bad_option', 'no option is named here');
  const type = cells.text('Action').toLowerCase().replaceAll(' ', '_') as OptionTrade;
  const quantity = cells.need('Quantity', magnitude(activity.quantity));
  cells.need('Amount', activity.amount);
  return cells.read(time, { ...optionStated(option), type, quantity, ...grossOf(activity, type.startsWith('buy')) });
}

function optionEnded(
  { cells, asset, quantity, amount, fee: paid, time }: SchwabActivity,
  type: 'expire' | 'assign' | 'exercise',
): Outcome {
  const option = readOption(asset);
  if (option === undefined) return cells.rejected('Symbol', 'bad_option', 'no option is named here');
  return cells.read(
    time,
    optionEvent(cells, type, option, cells.need('Quantity', quantity), { cash: amount, fee: paid }),
  );
}

function earned({ cells, asset, amount, time }: SchwabActivity, type: TransactionType): Outcome {
  return cells.read(time, { type, asset, amount: cells.need('Amount', amount) });
}

function withheld({ cells, asset, amount, time }: SchwabActivity): Outcome {
  return cells.read(time, { type: 'withholding', asset, amount: cells.need('Amount', negated(amount)) });
}

/** Shares in or out without money. What they cost, another file must say. */
function moved({ cells, asset, quantity, time }: SchwabActivity): Outcome {
  if (asset === '') cells.reject('Symbol', 'missing', 'this kind of row needs it');
  cells.need('Quantity', quantity);
  return cells.read(time, { ...sharesMoved(quantity), asset });
}

/** The quantity is what came on top; the ratio follows from what was held. */
function splitShares({ cells, asset, quantity, time }: SchwabActivity): Outcome {
  return cells.read(time, { type: 'split', asset, quantity: cells.need('Quantity', magnitude(quantity)) });
}
