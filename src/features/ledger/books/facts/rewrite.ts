import { addDays, type Day, formatDay, yearOf } from '../../../../base/day.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Fact } from '../../../../engine/model.ts';
import type { ChangedDays } from './days.ts';
import { type CausedSpan, deleteFacts, selectFactsOfBooks, takeFacts } from './facts.queries.ts';
import { writeFacts } from './writer.ts';

/** The facts of a book that must be written again. */
export interface Rewriting {
  readonly book: string;
  /** All facts of the replay, by the day that caused them. */
  readonly days: ReadonlyMap<Day, readonly Fact[]>;
  readonly changed: ChangedDays;
  /** The last day of the book. Facts caused later apply to a future day, and each replay creates them again. */
  readonly asOf: Day | null;
  /**
   * The previous last day of the book. Stored facts after it applied to a future day and are removed. Null if there are
   * none.
   */
  readonly waitedAfter: string | null;
}

/** A book's removed and added facts, and the unchanged facts that belong to the same lines. */
export interface FactChanges {
  readonly gone: readonly Fact[];
  readonly come: readonly Fact[];
  readonly beside: readonly Fact[];
}

/** Replaces the facts of the given books. Unchanged days are neither read nor written. Returns the changes by book. */
export async function rewriteFacts(
  sql: Sql,
  taxpayerId: string,
  books: readonly Rewriting[],
): Promise<Map<string, FactChanges>> {
  const factsByBook = Map.groupBy(
    await takeFacts(sql, taxpayerId, books.flatMap(listRemovedSpans)),
    ({ book }) => book,
  );
  const changes = books.map((one) => {
    const gone = (factsByBook.get(one.book) ?? []).map(({ fact }) => fact);
    return { book: one.book, gone, come: listAddedFacts(one) };
  });
  const beside = await selectRelatedFacts(sql, taxpayerId, changes);
  await writeFacts(sql, taxpayerId, changes);
  return new Map(
    changes.map(({ book, gone, come }, at) => [book, { gone, come, beside: beside[at] as readonly Fact[] }]),
  );
}

/** Like `rewriteFacts`, but does not read the removed facts. Returns the years whose facts changed. */
export async function replaceFacts(sql: Sql, taxpayerId: string, books: readonly Rewriting[]): Promise<number[]> {
  const lost = await deleteFacts(sql, taxpayerId, books.flatMap(listRemovedSpans));
  const coming = books.map((one) => ({ book: one.book, come: listAddedFacts(one) }));
  await writeFacts(sql, taxpayerId, coming);
  return [...new Set([...lost, ...coming.flatMap(({ come }) => come.map((fact) => yearOf(fact.on)))])];
}

/** Returns the days whose facts must be removed, with consecutive days merged into one span. */
function listRemovedSpans({ book, changed, waitedAfter }: Rewriting): CausedSpan[] {
  const spans: CausedSpan[] = [];
  const days = changed.gone.toSorted((a, b) => a - b);
  for (let at = 0; at < days.length; at++) {
    const first = days[at] as Day;
    while (days[at + 1] === (days[at] as Day) + 1) at++;
    spans.push({ book, after: formatDay(addDays(first, -1)), until: formatDay(days[at] as Day) });
  }
  if (waitedAfter !== null) spans.push({ book, after: waitedAfter, until: 'infinity' });
  return spans;
}

function listAddedFacts({ days, changed, asOf }: Rewriting): Fact[] {
  return [...days].flatMap(([day, facts]) => (changed.come.has(day) || asOf === null || day > asOf ? facts : []));
}

/**
 * Selects the unchanged disposals and wash sales of changed lines. A line on Form 8949 is a disposal with its wash
 * sales, so a change to one part requires the other. Searches only this book, because the row's previous book may still
 * contain facts that the row caused.
 */
async function selectRelatedFacts(
  sql: Sql,
  taxpayerId: string,
  changes: readonly { readonly book: string; readonly gone: readonly Fact[]; readonly come: readonly Fact[] }[],
): Promise<Fact[][]> {
  const asked = changes.map(({ book, gone, come }) => ({ book, ...collectChangedLines(gone, come) }));
  const disposals = await selectFactsOfBooks(sql, 'disposal', taxpayerId, asked.flatMap(listLineDays('disposals')));
  const washes = await selectFactsOfBooks(sql, 'wash', taxpayerId, asked.flatMap(listLineDays('washes')));
  const [disposalsOf, washesOf] = [Map.groupBy(disposals, bookOf), Map.groupBy(washes, bookOf)];
  return asked.map((one) => [
    ...(disposalsOf.get(one.book) ?? []).map(({ fact }) => fact).filter(({ id }) => one.disposals.has(id)),
    ...(washesOf.get(one.book) ?? []).map(({ fact }) => fact).filter(({ disposalId }) => one.washes.has(disposalId)),
  ]);
}

/** The days of the disposals and of the wash sales to select, by disposal id. */
interface ChangedLines {
  readonly disposals: ReadonlyMap<string, Day>;
  readonly washes: ReadonlyMap<string, Day>;
}

function collectChangedLines(gone: readonly Fact[], come: readonly Fact[]): ChangedLines {
  const here = new Set<string>();
  // A wash sale has the same day as its disposal.
  const washed = new Map<string, Day>();
  for (const fact of come) {
    if (fact.kind === 'disposal') here.add(fact.id);
    else if (fact.kind === 'wash') washed.set(fact.disposalId, fact.on);
  }
  for (const fact of gone) {
    if (fact.kind === 'wash') washed.set(fact.disposalId, fact.on);
    else if (fact.kind === 'disposal') {
      here.add(fact.id);
      washed.set(fact.id, fact.on);
    }
  }
  const disposals = new Map([...washed].filter(([id]) => !here.has(id)));
  return { disposals, washes: gone.length === 0 ? disposals : washed };
}

function listLineDays(kind: keyof ChangedLines) {
  return (lines: ChangedLines & { readonly book: string }): { book: string; day: string }[] =>
    [...new Set(lines[kind].values())].map((on) => ({ book: lines.book, day: formatDay(on) }));
}

function bookOf({ book }: { readonly book: string }): string {
  return book;
}
