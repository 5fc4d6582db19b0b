import type { Money, Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude, negateAmount } from '../cells/amounts.ts';
import { Cells, HeaderColumns } from '../cells/cells.ts';
import { plainNumber, readQuantity, splitUnit } from '../cells/fields.ts';
import { unreadable } from '../cells/number-kinds.ts';
import { type OptionSymbol, readOption } from '../cells/option-symbol.ts';
import { brokerNote, cashFeePaid, cashMoved, fractionMissing, noOptionNamed, requiredHere } from '../cells/reasons.ts';
import { brokerFormat, type Outcome, type Row, type StatedFields } from '../reader.ts';
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
import { CorporateActions } from '../tables/corporate-actions.ts';
import { markDelivered, withDeliveries } from '../tables/deliveries.ts';
import { Gatherer } from '../tables/gatherer.ts';
import { checkPrice } from '../tables/stated-money.ts';

/**
 * Reads Robinhood account activity, newest first. Dates have no time, amounts are net, with parentheses for money paid,
 * quantities may end in S (`4.5S`), and descriptions span several lines.
 */
export const robinhood = brokerFormat(
  { id: 'robinhood', name: 'Robinhood account activity', source: 'Robinhood' },
  [
    {
      id: 'activity',
      price: 'Price',
      header: 'Activity Date | Instrument | Description | Trans Code | Quantity | Price | Amount',
    },
  ],
  (_layout, header, context) => {
    const columns = new HeaderColumns(header);
    const splits = new Gatherer<RobinhoodActivity>(reverseSplit);
    const mergers = new Gatherer<RobinhoodActivity>(readMerger);
    const read = (row: Row) => readRow(new Cells(row, columns, context), { splits, mergers });
    return withDeliveries({ read, end: () => [...splits.end(), ...mergers.end()] });
  },
);

interface RobinhoodActivity {
  readonly cells: Cells;
  readonly code: string;
  readonly asset: string;
  readonly quantity: Quantity | null;
  /** Positive if money was received. */
  readonly amount: Money | null;
}

/** Rows that may belong together: reverse splits by symbol, and mergers by day. */
interface GatheredRows {
  readonly splits: Gatherer<RobinhoodActivity>;
  readonly mergers: Gatherer<RobinhoodActivity>;
}

function readRow(cells: Cells, { splits, mergers }: GatheredRows): readonly Outcome[] {
  const code = cells.text('Trans Code').toUpperCase();
  if (code === '' && cells.text('Activity Date') === '') return [cells.skip(brokerNote)];
  const cash = cashCodes.get(code);
  if (cash !== undefined) return [cells.skip(cash)];
  const activity: RobinhoodActivity = {
    cells,
    code,
    asset: cells.text('Instrument').toUpperCase(),
    quantity: unsignedUnits(cells),
    amount: cells.money('Amount'),
  };
  if (code === 'SPR') return splits.add(activity.asset, activity);
  if (code === 'MRGS') return mergers.add(cells.text('Activity Date'), activity);
  const reader = readers.get(code);
  if (reader !== undefined) return [reader(activity)];
  return [cells.rejected('Trans Code', 'unknown_type', `"${code}" is an unknown transaction code`)];
}

/** Reads a quantity such as `4.5S`. The S only means that shares moved. */
function unsignedUnits(cells: Cells): Quantity | null {
  const { number, unit } = splitUnit(cells.text('Quantity'));
  if (unit === '') return cells.quantity('Quantity');
  const quantity = unit.toUpperCase() === 'S' ? readQuantity(number) : undefined;
  if (quantity === undefined) cells.reject('Quantity', 'bad_number', unreadable('quantity'));
  return quantity ?? null;
}

const cashCodes: ReadonlyMap<string, string> = new Map([
  ...['ACH', 'WIRE', 'RTP', 'XENT', 'XENT_CC', 'DCF', 'CFIR', 'CFRI', 'SWEEP', 'FUTSWP', 'MTCH', 'ITRF'].map(
    (code) => [code, cashMoved] as const,
  ),
  ...['GOLD', 'DFEE', 'AFEE', 'MINT', 'GMPC'].map((code) => [code, cashFeePaid] as const),
]);

const readers: ReadonlyMap<string, (activity: RobinhoodActivity) => Outcome> = new Map([
  ['BUY', readPurchase],
  ['SELL', readSale],
  ['BTO', (activity: RobinhoodActivity) => optionTraded(activity, 'buy_to_open')],
  ['STO', (activity: RobinhoodActivity) => optionTraded(activity, 'sell_to_open')],
  ['BTC', (activity: RobinhoodActivity) => optionTraded(activity, 'buy_to_close')],
  ['STC', (activity: RobinhoodActivity) => optionTraded(activity, 'sell_to_close')],
  ['OEXP', (activity: RobinhoodActivity) => optionEnded(activity, 'expire')],
  ['OASGN', (activity: RobinhoodActivity) => optionEnded(activity, 'assign')],
  ['OEXCS', (activity: RobinhoodActivity) => optionEnded(activity, 'exercise')],
  ['CDIV', (activity: RobinhoodActivity) => readIncome(activity, 'dividend')],
  ['MDIV', (activity: RobinhoodActivity) => readIncome(activity, 'other_income')],
  ['QDIV', (activity: RobinhoodActivity) => readIncome(activity, 'dividend')],
  ['SLIP', (activity: RobinhoodActivity) => readIncome(activity, 'other_income')],
  ['GDBP', (activity: RobinhoodActivity) => readIncome(activity, 'other_income')],
  ['INT', (activity: RobinhoodActivity) => readIncome(activity, 'interest')],
  ['DTAX', withheld],
  ['NRAT', withheld],
  ['REC', readReward],
  ['ACATI', (activity: RobinhoodActivity) => readTransfer(activity, 'deposit')],
  ['ACATO', (activity: RobinhoodActivity) => readTransfer(activity, 'withdrawal')],
  ['SPL', splitShares],
  [
    'SOFF',
    (activity: RobinhoodActivity) =>
      rejectSpinoff(activity.cells, 'Trans Code', { asset: activity.asset, quantity: activity.quantity }),
  ],
  ['CIL', (activity: RobinhoodActivity) => rejectIncomplete(activity.cells, 'Trans Code', fractionMissing)],
]);

function readPurchase(activity: RobinhoodActivity): Outcome {
  return readTrade(activity, 'buy', grossPaid(activity.amount, null));
}

function readSale(activity: RobinhoodActivity): Outcome {
  return readTrade(activity, 'sell', grossReceived(activity.amount, null));
}

function readTrade({ cells, asset, quantity }: RobinhoodActivity, type: 'buy' | 'sell', amount: Money | null): Outcome {
  const stated: StatedFields = {
    type,
    asset: needText(cells, 'Instrument', asset),
    quantity: magnitude(quantity),
    amount,
  };
  cells.need('Quantity', quantity);
  cells.need('Amount', amount);
  checkPrice(cells, 'Price', { side: type, units: stated.quantity ?? null, gross: amount, fee: null });
  return markDelivered(
    cells.read(readRowTime(cells), stated),
    /\boptions? (?:assigned|exercised)/i.test(cells.text('Description')),
  );
}

function optionTraded({ cells, quantity, amount }: RobinhoodActivity, type: OptionTrade): Outcome {
  const option = readExpiredOption(cells);
  if (option === undefined) return cells.rejected('Description', 'bad_option', noOptionNamed);
  cells.need('Quantity', quantity);
  const gross = cells.need('Amount', type.startsWith('buy') ? grossPaid(amount, null) : amount);
  return cells.read(readRowTime(cells), {
    ...optionStated(option),
    type,
    quantity: magnitude(quantity),
    amount: gross,
  });
}

function optionEnded({ cells, quantity, amount }: RobinhoodActivity, type: 'expire' | 'assign' | 'exercise'): Outcome {
  const option = readExpiredOption(cells);
  if (option === undefined) return cells.rejected('Description', 'bad_option', noOptionNamed);
  return cells.read(
    readRowTime(cells),
    optionEvent(cells, type, option, cells.need('Quantity', quantity), { cash: amount }),
  );
}

/** Finds the option in "Option Expiration for AAPL 3/15/2024 Call $200.00". */
function readExpiredOption(cells: Cells): OptionSymbol | undefined {
  const match = /[A-Z][A-Z0-9.]{0,9} \d{1,2}\/\d{1,2}\/\d{4} (?:Call|Put) \$[\d,]+(?:\.\d+)?/.exec(
    cells.text('Description'),
  );
  return match === null ? undefined : readOption(match[0]);
}

function readIncome({ cells, asset, amount }: RobinhoodActivity, type: TransactionType): Outcome {
  return cells.read(readRowTime(cells), { type, asset, amount: cells.need('Amount', amount) });
}

function withheld({ cells, asset, amount }: RobinhoodActivity): Outcome {
  return cells.read(readRowTime(cells), {
    type: 'withholding',
    asset,
    amount: cells.need('Amount', negateAmount(amount)),
  });
}

/** Reads a share received as a reward. Its value is income if the row contains a price. */
function readReward({ cells, asset, quantity, amount }: RobinhoodActivity): Outcome {
  const value = plainNumber(cells.text('Price')) === undefined ? null : magnitude(amount);
  const stated: StatedFields = { type: 'reward', asset, quantity: magnitude(quantity), amount: value };
  cells.need('Quantity', quantity);
  return cells.read(readRowTime(cells), stated);
}

function readTransfer({ cells, asset, quantity }: RobinhoodActivity, type: 'deposit' | 'withdrawal'): Outcome {
  if (asset === '' || quantity === null) return cells.skip(cashMoved);
  return cells.read(readRowTime(cells), { ...sharesMoved(quantity), type, asset });
}

/** Reads a split. The file contains the number of shares received. The ratio follows from the shares held. */
function splitShares({ cells, asset, quantity }: RobinhoodActivity): Outcome {
  return cells.read(readRowTime(cells), {
    type: 'split',
    asset,
    quantity: cells.need('Quantity', magnitude(quantity)),
  });
}

/**
 * Reads a reverse split, which has one row for the old and one for the new shares, without signs. The larger number is
 * the old shares. With any other number of rows, the ratio is unknown.
 */
function reverseSplit(rows: readonly RobinhoodActivity[]): readonly Outcome[] {
  const incomplete = 'A reverse split needs one row for the old shares and one for the new shares';
  const pair = rows.map((row) => ({
    ...row,
    time: readRowTime(row.cells),
    units: magnitude(row.quantity) ?? (0n as Quantity),
  }));
  const [first, second, third] = pair.sort((a, b) => (a.units > b.units ? -1 : 1));
  const days = (first?.time?.on ?? 0) - (second?.time?.on ?? 0);
  const isPair = second !== undefined && third === undefined && first !== undefined && days >= -5 && days <= 5;
  if (!isPair || second.units === 0n || first.units === second.units)
    return rows.map(({ cells }) =>
      cells.flawed ? cells.refused() : rejectIncomplete(cells, 'Trans Code', incomplete),
    );
  const actions = new CorporateActions();
  const row = ({ cells, time, asset }: (typeof pair)[number], quantity: Quantity): readonly Outcome[] =>
    actions.add({ cells, column: 'Trans Code', time, kind: 'split', asset, quantity });
  return [...row(first, -first.units as Quantity), ...row(second, second.units), ...actions.end()];
}

/**
 * Reads shares exchanged for cash in a merger. In any other merger, the rows do not show which shares were removed and
 * which were received.
 */
function readMerger(rows: readonly RobinhoodActivity[]): readonly Outcome[] {
  const isForCash = rows.every(({ amount }) => amount !== null && amount > 0n);
  return rows.map(({ cells, asset, quantity, amount }) => {
    if (!isForCash) return rejectIncomplete(cells, 'Trans Code', 'The terms of this merger are missing');
    const units = cells.need('Quantity', magnitude(quantity));
    checkPrice(cells, 'Price', { side: 'sell', units, gross: amount, fee: null });
    const stated = { asset: needText(cells, 'Instrument', asset), quantity: units, amount };
    return cells.read(readRowTime(cells), { type: 'sell', ...stated });
  });
}

function needText(cells: Cells, column: string, text: string): string {
  if (text === '') cells.reject(column, 'missing', requiredHere);
  return text;
}

function readRowTime(cells: Cells): ReturnType<Cells['time']> {
  return cells.effectiveTime('Activity Date', ['Description']);
}
