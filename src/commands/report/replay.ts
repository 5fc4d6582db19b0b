import { yearOf } from '../../base/day.ts';
import { type FundInterest, fundInterests } from '../../engine/book/fund-interests.ts';
import { rowsOn } from '../../engine/book/rows-today.ts';
import type { Ledger } from '../../engine/events/ledger.ts';
import type { Disposal, Fact, Issue, Lot, Rules, TaxYearSummary, Transaction } from '../../engine/model.ts';
import { LineSums } from '../../engine/plain/line-sums.ts';
import { type Book, emptyBook, openLots, replay } from '../../engine/replay.ts';
import { type AccountYear, accountYears } from '../../engine/rules/questions/account-types.ts';
import { isNewYearDay, listNearNewYear, type NearNewYear } from '../../engine/rules/questions/new-year.ts';
import {
  differingSales,
  listPurchaseIds,
  type OpeningRow,
  pickSaleFacts,
  rememberReplays,
  replayedRowsMax,
  rulesUnder,
  type StatedSale,
  statedGainIssues,
} from '../../engine/rules/questions/stated-gains.ts';
import { summarize } from '../../engine/rules/year/year.ts';
import { buildLedger, idOfRank, type ReplayInput } from './book-ledger.ts';
import { toTransaction } from './history.ts';
import type { BookRows } from './partition.ts';
import { repeatedRank } from './row-order.ts';
import { FactsByYear, FactsOfYear } from './year-facts.ts';

/** The part of the report that comes from one book. */
export interface BookPart {
  /** The years up to the report's year, netted. A year may occur several times. */
  readonly totals: readonly TaxYearSummary[];
  /** The facts for the report's year, as far as the lists need them. */
  readonly facts: FactsOfYear;
  /** The lots open at the end of that year. */
  readonly lots: readonly Lot[];
  /** The interests in opportunity funds at the end of that year. */
  readonly interests: readonly FundInterest[];
  /** The opportunity fund lines for that year and earlier years. */
  readonly deferrals: readonly Disposal[];
  /** Amounts taxed in that year in accounts that may be tax-advantaged. */
  readonly suspects: readonly AccountYear[];
  /** Sales in all years whose reported gains differ from their lines. */
  readonly gains: readonly Issue[];
  /** Taxable rows near New Year, in all years. */
  readonly near: readonly NearNewYear[];
}

/** Replays all rows in a book: earlier years create the lots, and the following year may wash a loss. */
export function replayBookRows(book: BookRows, input: ReplayInput): BookPart {
  const { year, lists } = input;
  const partFacts = new FactsOfYear();
  const totals: TaxYearSummary[] = [];
  const deferrals: Disposal[] = [];
  const suspects: AccountYear[] = [];
  const near: NearNewYear[] = [];
  const years = new FactsByYear(year, (one, facts) => {
    totals.push(summarize(one, facts));
    if (one !== year) return;
    suspects.push(...accountYears(facts.all(), input.rules));
    partFacts.join(facts, lists);
  });
  // Individual lines are needed only for the report's year, and later years do not even need their sum. Reported gains
  // are compared with lines in every year.
  const stated = new SalesOfBook(book, input);
  const lineSums = new LineSums((one) => stated.isEmpty && (one !== year || !lists.includes('lines')));
  const { lots, interests } = replayBook(book, input, lineSums, (facts, ledger) => {
    years.add(facts);
    near.push(...findRowsNearNewYear(facts, ledger, input.rules));
    if (!stated.isEmpty) stated.add(facts);
    if (lists.includes('deferrals')) deferrals.push(...listDeferrals(facts, year));
  });
  years.settle(null);
  for (const sum of lineSums.summaries()) if (sum.year <= year) totals.push(sum);
  const gains = stated.isEmpty ? [] : stated.issues();
  return { totals, facts: partFacts, lots, interests, deferrals, suspects, gains, near };
}

/** Looks up rows only for the few days that need them. */
function findRowsNearNewYear(facts: readonly Fact[], ledger: Ledger, rules: Rules): NearNewYear[] {
  if (rules.timeZone !== undefined) return [];
  const days = [...new Set(facts.map(({ causedOn }) => causedOn))].filter(isNewYearDay);
  if (days.length === 0) return [];
  const rows = new Map(days.flatMap((day) => [...rowsOn(ledger, day)]));
  return listNearNewYear(facts, rules, (id) => rows.get(id));
}

function listDeferrals(facts: readonly Fact[], year: number): Disposal[] {
  return facts.filter(
    (fact) => fact.kind === 'disposal' && /[YZ]/.test(fact.code) && yearOf(fact.on) <= year,
  ) as Disposal[];
}

/**
 * Passes on the facts in a book day by day, in a list that is emptied afterward. Returns the holdings at the end of the
 * year.
 */
function replayBook(
  book: BookRows,
  input: ReplayInput,
  lineSums: LineSums,
  onDay: (facts: readonly Fact[], ledger: Ledger) => void,
): Pick<BookPart, 'lots' | 'interests'> {
  const { rules, through, year, lists } = input;
  let held: Pick<BookPart, 'lots' | 'interests'> = { lots: [], interests: [] };
  const keepLots = (ended: number, book: Book): void => {
    if (ended <= year) held = { lots: openLots(book), interests: fundInterests(book) };
  };
  const onState = lists.includes('openLots') || lists.includes('fundInterests') ? keepLots : undefined;
  const ledger = buildLedger(book, input);
  replay(emptyBook(), ledger, rules, book.keys, { onState, through, lineSums, onDay: (facts) => onDay(facts, ledger) });
  return held;
}

/** The sales in a book whose gains their files report, and the facts that these gains are compared with. */
class SalesOfBook {
  private readonly sales: StatedSale[] = [];
  private readonly ids: ReadonlySet<string>;
  private readonly facts: Fact[] = [];

  constructor(
    private readonly book: BookRows,
    private readonly input: ReplayInput,
  ) {
    for (const row of input.history.statedGains.size === 0 ? [] : rowsInDollars(book, input)) {
      if (row.statedGain !== null) this.sales.push({ ...row, statedGain: row.statedGain });
    }
    this.ids = new Set(this.sales.map(({ id }) => id));
  }

  get isEmpty(): boolean {
    return this.sales.length === 0;
  }

  /** Adds the facts for one day. */
  add(facts: readonly Fact[]): void {
    for (const fact of facts) {
      const isOfSale = fact.kind === 'disposal' && this.ids.has(fact.saleId);
      if (isOfSale || fact.kind === 'wash') this.facts.push(fact);
    }
  }

  issues(): Issue[] {
    const facts = pickSaleFacts(this.facts);
    const openings = this.openings(listPurchaseIds(this.sales, facts));
    const differing = differingSales(this.sales, facts, openings);
    if (differing.length === 0) return [];
    const { rules, through } = this.input;
    const transactions = [...buildLedger(this.book, this.input).transactions()];
    const replayUnder = rememberReplays((method) => {
      if (transactions.length >= replayedRowsMax) return null;
      const run = replay(emptyBook(), transactions, rulesUnder(method, rules), this.book.keys, { through });
      return pickSaleFacts(run.facts);
    });
    return statedGainIssues(differing, openings, rules, replayUnder);
  }

  private openings(ids: readonly string[]): Map<string, OpeningRow> {
    const purchaseIds = new Set(ids);
    return new Map(
      [...rowsInDollars(this.book, this.input)].filter(({ id }) => purchaseIds.has(id)).map((row) => [row.id, row]),
    );
  }
}

/** Yields the rows in a book as in their files, except those in other currencies. */
function* rowsInDollars({ trades, others }: BookRows, { history, ranks }: ReplayInput): Generator<Transaction> {
  for (const { ledger, rows } of trades) {
    for (const [at, row] of rows.entries()) {
      const rank = ranks[row] as number;
      if (rank === repeatedRank) continue;
      const statedGain = history.statedGains.get(row) ?? null;
      yield { ...ledger.trade(at), id: idOfRank(rank), statedGain };
    }
  }
  for (const other of others) {
    const rank = ranks[other.row] as number;
    if (rank === repeatedRank) continue;
    const row = toTransaction(other, idOfRank(rank), history.getPosition(other.row));
    const statedGain = history.statedGains.get(other.row) ?? null;
    if (row.currency === 'USD' || row.currency === '') yield { ...row, statedGain };
  }
}
