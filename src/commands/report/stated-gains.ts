import type { Fact, Issue, Transaction } from '../../engine/model.ts';
import { emptyBook, replay } from '../../engine/replay.ts';
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
import { buildLedger, idOfRank, type ReplayInput } from './book-ledger.ts';
import { toTransaction } from './history.ts';
import type { BookRows } from './partition.ts';
import { repeatedRank } from './row-order.ts';

/** The sales in a book whose gains their files report, and the facts that these gains are compared with. */
export class SalesOfBook {
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
