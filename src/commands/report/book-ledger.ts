import type { Day } from '../../base/day.ts';
import { isForeign, withoutForeignReversed } from '../../engine/events/corrections.ts';
import { Ledger, type PlainTrade } from '../../engine/events/ledger.ts';
import type { Rules, Transaction } from '../../engine/model.ts';
import type { ListName } from '../../forms/report.ts';
import { type AssetTrades, type FileHistory, type OtherRow, toTransaction } from './history.ts';
import type { BookRows } from './partition.ts';
import { createDollarConverter, type PriceTable } from './prices.ts';
import { repeatedRank } from './row-order.ts';

/** The input and purpose of replaying every book. */
export interface ReplayInput {
  readonly history: FileHistory;
  /** The rank of each row in the overall order (`computeRanks`). */
  readonly ranks: Int32Array;
  readonly rules: Rules;
  readonly prices: PriceTable;
  /** The year of the report. */
  readonly year: number;
  /** The last day of any row. */
  readonly through: Day;
  /** The lists that are read from the books. All other lists stay empty, except for the issues. */
  readonly lists: readonly ListName[];
}

type LedgerInput = Pick<ReplayInput, 'history' | 'ranks' | 'prices'>;

/** Returns transactions with ids and positions by rank. */
export function buildLedger({ trades, others }: BookRows, input: LedgerInput): Ledger {
  const ledger = new Ledger();
  for (const one of trades) addTrades(ledger, one, input);
  const { history, ranks, prices } = input;
  const valued = createDollarConverter(prices);
  const getRank = ({ row }: OtherRow): number => ranks[row] as number;
  const foreign: Transaction[] = [];
  for (const other of others.toSorted((a, b) => getRank(a) - getRank(b))) {
    const rank = getRank(other);
    if (rank === repeatedRank) continue;
    const transaction = toTransaction(other, idOfRank(rank), history.getPosition(other.row));
    // A reversal has the same amount as the original row. At the rate for a different day, they would not match.
    if (isForeign(transaction)) foreign.push(transaction);
    else ledger.add(valued(transaction));
  }
  for (const transaction of withoutForeignReversed(foreign)) ledger.add(valued(transaction));
  return ledger;
}

function addTrades(ledger: Ledger, { ledger: stored, rows }: AssetTrades, { history, ranks }: LedgerInput): void {
  for (let trade = 0; trade < rows.length; trade++) {
    const row = rows[trade] as number;
    const rank = ranks[row] as number;
    if (rank === repeatedRank) continue;
    // Every call returns a new object, and copying it for each of a million trades takes time.
    const plain: { -readonly [Name in keyof PlainTrade]: PlainTrade[Name] } = stored.plainTrade(trade);
    plain.id = idOfRank(rank);
    plain.line = history.getPosition(row);
    ledger.addTrade(plain);
  }
}

/**
 * Returns the transaction's id in the report, which is its rank, independent of the files. Ranks and ids have the same
 * order.
 */
export function idOfRank(rank: number): string {
  const low = rank % endings;
  // Most ids start like the previous one. Joining two existing texts takes a fifth of the time.
  return threeDigits((rank - low) / endings) + threeDigits(low);
}

export function rankOfId(id: string): number {
  return Number.parseInt(id, 36);
}

function threeDigits(number: number): string {
  const known = digits[number] ?? number.toString(36).padStart(3, '0');
  digits[number] = known;
  return known;
}

const endings = 36 ** 3;
const digits: (string | undefined)[] = [];
