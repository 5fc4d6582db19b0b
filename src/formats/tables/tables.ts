import type { Money } from '../../base/decimal.ts';
import type { Cells } from '../cells/cells.ts';
import { rejections, skips } from '../cells/reasons.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import { findLabelType, incomeLabels, outgoingLabels } from './kinds.ts';
import { readSide, roundToMoney, sideWith } from './legs.ts';
import { readMovement } from './movements.ts';
import { checkPairPrice, readPairTrade, readUnits, splitPair } from './pairs.ts';
import { checkAgain } from './stated-money.ts';

/** The two columns for a side. '' if there are none. */
type SideColumns = readonly [asset: string, quantity: string];
const none: SideColumns = ['', ''];

/** Columns for rows with units sent, units received, a fee on top, and a label for one-sided rows. */
interface LegColumns {
  readonly date: string;
  readonly sent: SideColumns;
  readonly received: SideColumns;
  readonly fee?: SideColumns;
  readonly label?: string;
  readonly id?: string;
  readonly note?: string;
  readonly account?: string;
  readonly worth?: readonly [currency: string, amount: string];
}

export function legs(columns: LegColumns): (cells: Cells) => Outcome {
  const { date, sent, received, fee = none, label = '', id = '', note = '', account = '', worth = none } = columns;
  return (cells) => {
    const time = cells.time(date);
    const sides = {
      given: readSide(cells, ...sent),
      received: readSide(cells, ...received),
      fee: readSide(cells, ...fee),
    };
    const word = cells.text(label).toLowerCase().replaceAll('_', ' ');
    const value = readDollarWorth(cells, ...worth);
    if (cells.flawed) return cells.refused();
    if (/margin|realized|futures/.test(word)) {
      return cells.rejected(label, rejections.marginGains);
    }
    const kind = findLabelType(word, sides.received === null ? outgoingLabels : incomeLabels);
    const common = { externalId: cells.text(id), note: cells.text(note), account: cells.text(account) };
    return readMovement(cells, time, { ...sides, kind, worth: value }, common);
  };
}

function readDollarWorth(cells: Cells, currency: string, amount: string): Money | null {
  return currency !== '' && cells.text(currency).toUpperCase() === 'USD' ? cells.roundedMoney(amount) : null;
}

/**
 * Columns for order fills: units of the base for a total in the quote. A fee on top is in either coin or a third one.
 */
interface TradeColumns {
  readonly date: string;
  readonly side: string;
  /** One column with `ETH/BTC`, or two columns for base and quote. */
  readonly pair: string | readonly [base: string, quote: string];
  readonly quantity: string;
  readonly total: string;
  readonly fee: string;
  /** The column with the fee's coin. Default: the quote. */
  readonly feeAsset?: string;
  /** The price column. Trades for a currency are checked against it. */
  readonly price?: string;
  /** The column with the value of either side in dollars. */
  readonly worth?: string;
  readonly id?: string;
}

export function trades(columns: TradeColumns): (cells: Cells) => Outcome {
  const { date, side, pair, quantity, total, fee, feeAsset, price = '', worth = '', id = '' } = columns;
  return (cells) => {
    const names = typeof pair === 'string' ? splitPair(cells, pair) : pair.map((name) => cells.text(name));
    const [base, quote] = names ?? [];
    const sides = {
      base: readUnits(cells, quantity, base),
      quote: readUnits(cells, total, quote),
      fee: feeAsset === undefined ? readUnits(cells, fee, quote) : readSide(cells, feeAsset, fee),
    };
    checkPairPrice(cells, price, sides.base, sides.quote);
    if (sides.quote?.asset === 'USD') checkAgain(cells, worth, roundToMoney(sides.quote.quantity), 'the total');
    const value = cells.roundedMoney(worth);
    return readPairTrade(cells, cells.time(date), side, { ...sides, value }, { externalId: cells.text(id) });
  };
}

/** Columns for deposits and withdrawals of coins. */
interface TransferColumns {
  /** The column, or a reader if the source uses its own date format. */
  readonly date: string | ((cells: Cells) => Time | null);
  readonly moved: SideColumns;
  readonly way: 'in' | 'out' | ((cells: Cells) => 'in' | 'out' | null);
  /** The column that errors name if the direction is unclear. */
  readonly wayColumn?: string;
  /** The column with the network fee, in units of the same asset, on top. */
  readonly fee?: string;
  /** Whether the units moved include the fee. */
  readonly feeWithin?: true;
  readonly status?: string;
  readonly id: string;
}

export function transfers(columns: TransferColumns): (cells: Cells) => Outcome {
  const { date, moved, way, wayColumn = '', fee = '', feeWithin = false, status = '', id } = columns;
  return (cells) => {
    const side = readSide(cells, ...moved);
    const network = readUnits(cells, fee, side?.asset);
    const time = typeof date === 'string' ? cells.time(date) : date(cells);
    if (/cancel|fail|reject|pending|declin|expired|unconfirmed|processing/i.test(cells.text(status)))
      return cells.skip(skips.transferNotCompleted);
    const direction = typeof way === 'string' ? way : way(cells);
    if (direction === null) return cells.rejected(wayColumn, rejections.neitherDepositNorWithdrawal);
    const given = feeWithin ? sideWith(side, -(network?.quantity ?? 0n)) : side;
    const fees = direction === 'out' || feeWithin ? network : null;
    const sides = direction === 'out' ? { given, received: null } : { given: null, received: side };
    cells.need(moved[1], side);
    return readMovement(cells, time, { ...sides, fee: fees }, { externalId: cells.text(id) });
  };
}

/** Columns for coins earned. A file contains one type of income, with values in dollars if the source provides them. */
interface IncomeColumns {
  readonly date: string;
  readonly earned: SideColumns;
  readonly type: 'interest' | 'staking';
  readonly worth?: string;
}

export function earnings({ date, earned, type, worth = '' }: IncomeColumns): (cells: Cells) => Outcome {
  return (cells) => {
    const side = readSide(cells, ...earned);
    const value = cells.roundedMoney(worth);
    const time = cells.time(date);
    cells.need(earned[1], side);
    const movement = { received: side, kind: type, worth: value };
    return readMovement(cells, time, movement, {});
  };
}

/** Returns a reader that takes the direction from the sign of an amount. */
export function bySign(column: string): (cells: Cells) => 'in' | 'out' {
  return (cells) => ((cells.roundedQuantity(column) ?? 0n) < 0n ? 'out' : 'in');
}

/** Returns a reader that takes the direction from the word in a column. */
export function byWord(column: string): (cells: Cells) => 'in' | 'out' | null {
  return (cells) => {
    const word = cells.text(column).toLowerCase();
    if (/withdraw|^sen[dt]|payout/.test(word)) return 'out';
    return /deposit|^receiv|payin/.test(word) ? 'in' : null;
  };
}
