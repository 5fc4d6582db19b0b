import { type Day, yearOf } from '../../base/day.ts';
import { type FundInterest, fundInterests } from '../../engine/book/fund-interests.ts';
import { isForeign, withoutForeignReversed } from '../../engine/events/corrections.ts';
import { Ledger } from '../../engine/events/ledger.ts';
import type { Disposal, Fact, Lot, Rules, TaxYearSummary, Transaction } from '../../engine/model.ts';
import { LineSums } from '../../engine/plain/line-sums.ts';
import { type Book, emptyBook, openLots, replay } from '../../engine/replay.ts';
import { type AccountYear, accountYears } from '../../engine/rules/questions/account-types.ts';
import { summarize } from '../../engine/rules/year/year.ts';
import type { ListName } from '../../forms/report.ts';
import { type AssetTrades, type FileHistory, type OtherRow, transactionOf } from './history.ts';
import type { BookRows } from './partition.ts';
import { type PriceTable, valuing } from './prices.ts';
import { repeated } from './row-order.ts';
import { FactsByYear, FactsOfYear } from './year-facts.ts';

/** What every book is replayed from, and for. */
export interface ReplayInput {
  readonly history: FileHistory;
  /** The rank of each row in the order of all (`ranksOf`). */
  readonly ranks: Int32Array;
  readonly rules: Rules;
  readonly prices: PriceTable;
  /** The year of the report. */
  readonly year: number;
  /** The last day of any row. */
  readonly through: Day;
  /** Which of the books' lists are read: the others stay empty, but for the issues. */
  readonly lists: readonly ListName[];
}

/** What one book adds to the report. */
export interface BookPart {
  /** The years up to that of the report, netted; a year may stand here several times. */
  readonly totals: readonly TaxYearSummary[];
  /** Of the year of the report, as far as the lists ask for them. */
  readonly facts: FactsOfYear;
  /** Those open at the end of that year. */
  readonly lots: readonly Lot[];
  /** The interests in opportunity funds at the end of that year. */
  readonly interests: readonly FundInterest[];
  /** The lines of opportunity funds of that year and those before. */
  readonly deferrals: readonly Disposal[];
  /** Of that year: what is taxed in accounts that may be tax-free. */
  readonly suspects: readonly AccountYear[];
}

/** Replays all rows of a book: years before bring the lots, the one after may wash a loss. */
export function partOf(book: BookRows, input: ReplayInput): BookPart {
  const { year, lists } = input;
  const own = new FactsOfYear();
  const totals: TaxYearSummary[] = [];
  const deferrals: Disposal[] = [];
  const suspects: AccountYear[] = [];
  const years = new FactsByYear(year, (one, facts) => {
    totals.push(summarize(one, facts));
    if (one !== year) return;
    suspects.push(...accountYears(facts.all(), input.rules));
    own.join(facts, lists);
  });
  // Only of the year of the report are lines wanted one by one, and of later ones not even their sum.
  const lineSums = new LineSums((one) => one !== year || !lists.includes('lines'));
  const { lots, interests } = replayBook(book, input, lineSums, (facts) => {
    years.add(facts);
    if (lists.includes('deferrals')) deferrals.push(...deferralsIn(facts, year));
  });
  years.settle(null);
  for (const sum of lineSums.summaries()) if (sum.year <= year) totals.push(sum);
  return { totals, facts: own, lots, interests, deferrals, suspects };
}

function deferralsIn(facts: readonly Fact[], year: number): Disposal[] {
  return facts.filter(
    (fact) => fact.kind === 'disposal' && /[YZ]/.test(fact.code) && yearOf(fact.on) <= year,
  ) as Disposal[];
}

/** Hands on the facts of a book day by day, in a list that is empty afterwards. Returns what it holds at the end of the year. */
function replayBook(
  book: BookRows,
  input: ReplayInput,
  lineSums: LineSums,
  onDay: (facts: readonly Fact[]) => void,
): Pick<BookPart, 'lots' | 'interests'> {
  const { rules, through, year, lists } = input;
  let held: Pick<BookPart, 'lots' | 'interests'> = { lots: [], interests: [] };
  const keepLots = (ended: number, book: Book): void => {
    if (ended <= year) held = { lots: openLots(book), interests: fundInterests(book) };
  };
  const onState = lists.includes('openLots') || lists.includes('fundInterests') ? keepLots : undefined;
  replay(emptyBook(), ledgerOf(book, input), rules, book.keys, { onState, through, lineSums, onDay });
  return held;
}

type LedgerInput = Pick<ReplayInput, 'history' | 'ranks' | 'prices'>;

/** Under ids of their ranks, at their places. */
export function ledgerOf({ trades, others }: BookRows, input: LedgerInput): Ledger {
  const ledger = new Ledger();
  for (const one of trades) addTrades(ledger, one, input);
  const { history, ranks, prices } = input;
  const valued = valuing(prices);
  const rankIn = ({ row }: OtherRow): number => ranks[row] as number;
  const foreign: Transaction[] = [];
  for (const other of others.toSorted((a, b) => rankIn(a) - rankIn(b))) {
    const rank = rankIn(other);
    if (rank === repeated) continue;
    const transaction = transactionOf(other, idOfRank(rank), history.placeOf(other.row));
    // What reverses another row states the same amount again: at the rate of another day they would not match.
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
    if (rank === repeated) continue;
    ledger.addTrade({ ...stored.plainTrade(trade), id: idOfRank(rank), line: history.placeOf(row) });
  }
}

/** The transaction's id in the report: its rank, whatever the files were. Ranks and ids have the same order. */
export function idOfRank(rank: number): string {
  const low = rank % endings;
  // Most ids begin as the one before: joining two known texts takes a fifth of the time.
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
