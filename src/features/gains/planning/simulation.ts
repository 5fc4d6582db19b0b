import { type Day, formatDay } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { withoutReversed } from '../../../engine/events/corrections.ts';
import { countsOn } from '../../../engine/events/events.ts';
import { withBookNames } from '../../../engine/events/form-names.ts';
import type { Fact, LotMethod, Rules, Transaction } from '../../../engine/model.ts';
import { type Book, replay } from '../../../engine/replay.ts';
import { canResume } from '../../../engine/resume/resuming.ts';
import { factKinds } from '../../ledger/books/fact-tables.ts';
import { selectFacts } from '../../ledger/books/facts.queries.ts';
import { readHistory } from '../../ledger/books/state/history.ts';
import { resumeBefore } from '../../ledger/books/state/open.ts';
import {
  type AcceptedIssues,
  readAccepted,
  readRestatements,
  withoutAccepted,
} from '../../ledger/transactions/resolutions.ts';

/** A stored book, opened for a simulation. The simulation stores nothing. */
export interface SimulatedBook {
  readonly book: string;
  readonly keys: ReadonlySet<string>;
  /** The state before `history`, and the facts up to that state. */
  readonly state: Book;
  readonly facts: readonly Fact[];
  readonly history: readonly Transaction[];
  /** The issues that the taxpayer has accepted. */
  readonly accepted: AcceptedIssues;
}

/** Opens a book at its last checkpoint before a day, or at its beginning. Removes reversed rows from the history. */
export async function openSimulatedBook(
  sql: Sql,
  scope: { readonly taxpayerId: string; readonly book: string },
  keys: readonly string[],
  from: Day,
  rules: Rules,
): Promise<SimulatedBook> {
  const restatements = await readRestatements(sql, scope.taxpayerId);
  let start = await resumeBefore(sql, scope, formatDay(from), rules);
  let history = (await readHistory(sql, scope.taxpayerId, { keys, after: start.day }, restatements)).transactions();
  // A reversal or the first short sale may affect rows before the checkpoint.
  while (start.day !== null && !canResume(start.book, withBookNames(history, rules))) {
    start = await resumeBefore(sql, scope, start.day, rules);
    history = (await readHistory(sql, scope.taxpayerId, { keys, after: start.day }, restatements)).transactions();
  }
  return {
    book: scope.book,
    keys: new Set(keys),
    state: start.book,
    facts: start.day === null ? [] : await factsUntil(sql, scope, start.day),
    history: withoutReversed(history),
    accepted: await readAccepted(sql, scope.taxpayerId),
  };
}

async function factsUntil(
  sql: Sql,
  scope: { readonly taxpayerId: string; readonly book: string },
  causedUntil: string,
): Promise<Fact[]> {
  const within = { ...scope, causedUntil };
  const facts: Fact[][] = [];
  for (const kind of factKinds) facts.push(await selectFacts(sql, kind, within));
  return facts.flat();
}

/** A planned sale and its lot method. Null means the current method. */
export interface HypotheticalSale {
  readonly transaction: Transaction;
  readonly method: LotMethod | null;
}

/**
 * Returns all facts of a book, including the planned sales. Replays each day with planned sales separately, so that a
 * sale's method applies only to that day, account and book.
 */
export function simulate(
  book: SimulatedBook,
  sales: readonly HypotheticalSale[],
  rules: Rules,
  through: Day | null,
): Fact[] {
  const facts = [...book.facts];
  let state = book.state;
  let following = book.history;
  const days = [...new Set(sales.map((sale) => sale.transaction.on))].sort((a, b) => a - b);
  const advance = (part: readonly Transaction[], under: Rules): void => {
    if (part.length === 0) return;
    const replayed = replay(state, part, under, book.keys);
    state = replayed.book;
    // Skips facts after `asOf`, because the next part produces them again.
    const { asOf } = state;
    for (const fact of replayed.facts) if (asOf !== null && fact.causedOn <= asOf) facts.push(fact);
  };
  for (const day of days) {
    const daySales = sales.filter((sale) => sale.transaction.on === day);
    advance(
      following.filter((one) => countsOn(one) < day),
      rules,
    );
    const today = following.filter((one) => countsOn(one) === day);
    advance([...today, ...daySales.map((sale) => sale.transaction)], rulesOfDay(rules, daySales));
    following = following.filter((one) => countsOn(one) > day);
  }
  for (const fact of replay(state, following, rules, book.keys, { through }).facts) facts.push(fact);
  return withoutAccepted(facts, book.accepted);
}

/** Returns the state of a book at the end of a day, without planned sales. */
export function bookOn(book: SimulatedBook, on: Day, rules: Rules): Book {
  const until = book.history.filter((one) => countsOn(one) <= on);
  return until.length === 0 ? book.state : replay(book.state, until, rules, book.keys).book;
}

function rulesOfDay(rules: Rules, sales: readonly HypotheticalSale[]): Rules {
  const stated = sales.flatMap(({ transaction, method }) => (method === null ? [] : [[transaction.account, method]]));
  if (stated.length === 0) return rules;
  return { ...rules, methodByAccount: { ...rules.methodByAccount, ...Object.fromEntries(stated) } };
}
