import { type Day, formatDay } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import { withoutReversed } from '../../engine/events/corrections.ts';
import { countsOn } from '../../engine/events/events.ts';
import type { Fact, LotMethod, Rules, Transaction } from '../../engine/model.ts';
import { type Book, replay } from '../../engine/replay.ts';
import { canGoOn } from '../../engine/resume/resuming.ts';
import { resumeBefore } from '../books/checkpoints.ts';
import { selectFacts } from '../books/facts/queries.ts';
import { factKinds } from '../books/facts/tables.ts';
import { readHistory } from '../books/state/history.ts';
import { type Accepted, readAccepted, withoutAccepted } from '../transactions/resolutions/accepted.ts';
import { readRestatements } from '../transactions/resolutions/restate.ts';

/** A book as it is stored, opened on a day: nothing that is done to it is kept. */
export interface Stage {
  readonly book: string;
  readonly keys: ReadonlySet<string>;
  /** The state before all of the history below, and the facts that led there. */
  readonly state: Book;
  readonly facts: readonly Fact[];
  readonly history: readonly Transaction[];
  /** The issues that the taxpayer lives with. */
  readonly accepted: Accepted;
}

/** From the last checkpoint before a day on, or from the beginning. What is taken back leaves before the history is parted. */
export async function openStage(
  sql: Sql,
  scope: { readonly taxpayerId: string; readonly book: string },
  keys: readonly string[],
  from: Day,
  rules: Rules,
): Promise<Stage> {
  const restatements = await readRestatements(sql, scope.taxpayerId);
  let start = await resumeBefore(sql, scope, formatDay(from), rules);
  let history = (await readHistory(sql, scope.taxpayerId, keys, start.day, restatements)).transactions();
  // A row that takes back a trade, or the first short sale, may mean one from before the checkpoint.
  while (start.day !== null && !canGoOn(start.book, history)) {
    start = await resumeBefore(sql, scope, start.day, rules);
    history = (await readHistory(sql, scope.taxpayerId, keys, start.day, restatements)).transactions();
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

/** A sale that is not stored, and the order in which it would take lots; null for the method in force. */
export interface SupposedSale {
  readonly transaction: Transaction;
  readonly method: LotMethod | null;
}

/**
 * All facts of a book with these sales in it. The day is the step of a replay, so that a method stated for a sale holds
 * on its day, in its account and book.
 */
export function simulate(stage: Stage, sales: readonly SupposedSale[], rules: Rules, through: Day | null): Fact[] {
  const facts = [...stage.facts];
  let book = stage.state;
  let rest = stage.history;
  const days = [...new Set(sales.map((sale) => sale.transaction.on))].sort((a, b) => a - b);
  const advance = (part: readonly Transaction[], under: Rules): void => {
    if (part.length === 0) return;
    const replayed = replay(book, part, under, stage.keys);
    book = replayed.book;
    // What a replay tells of the days after its last one, the next part tells again.
    const reached = book.asOf;
    for (const fact of replayed.facts) if (reached !== null && fact.causedOn <= reached) facts.push(fact);
  };
  for (const day of days) {
    const own = sales.filter((sale) => sale.transaction.on === day);
    advance(
      rest.filter((one) => countsOn(one) < day),
      rules,
    );
    const today = rest.filter((one) => countsOn(one) === day);
    advance([...today, ...own.map((sale) => sale.transaction)], rulesOfDay(rules, own));
    rest = rest.filter((one) => countsOn(one) > day);
  }
  for (const fact of replay(book, rest, rules, stage.keys, { through }).facts) facts.push(fact);
  return withoutAccepted(facts, stage.accepted);
}

/** The book at the end of a day, without any supposed sale. */
export function bookOn(stage: Stage, on: Day, rules: Rules): Book {
  const until = stage.history.filter((one) => countsOn(one) <= on);
  return until.length === 0 ? stage.state : replay(stage.state, until, rules, stage.keys).book;
}

function rulesOfDay(rules: Rules, sales: readonly SupposedSale[]): Rules {
  const stated = sales.flatMap(({ transaction, method }) => (method === null ? [] : [[transaction.account, method]]));
  if (stated.length === 0) return rules;
  return { ...rules, methodByAccount: { ...rules.methodByAccount, ...Object.fromEntries(stated) } };
}
