import { allEnded } from '../../../../base/deadline.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Rules, TaxYearSummary } from '../../../../engine/model.ts';
import type { Book } from '../../../../engine/replay.ts';
import { hasContracts } from '../../../../engine/rules/year/year-end.ts';
import { compareDays, type Days, daysFromText, type Rewriting, replaceFacts, rewriteFacts } from '../fact-writer.ts';
import { deleteFacts, spanAllDays } from '../facts.queries.ts';
import { addChanges, type BookChanges, forgetBookYears, netBookChanges, netBooks, noChanges } from '../summaries.ts';
import { type EmptiedBook, storedLots, writeCheckpoints } from './open.ts';
import type { ReplayedBook } from './replayed.ts';
import { deleteBooks, deleteStates, insertBooks, selectDays } from './state.queries.ts';
import { storeLots } from './stored-lots.ts';

/** Stores the results of a replay. Writes only the differences. */
export async function closeBooks(
  sql: Sql,
  taxpayerId: string,
  books: readonly (ReplayedBook | EmptiedBook)[],
  rules: Rules,
): Promise<BookChanges> {
  const emptied = books.filter((one) => one.kind === 'emptied');
  const replayed = books.filter((one) => one.kind === 'replayed');
  const all = noChanges();
  addChanges(
    all,
    await dissolve(
      sql,
      taxpayerId,
      emptied.map(({ book }) => book),
    ),
  );
  const compared = await compareFacts(sql, taxpayerId, replayed);
  const checkpoints = compared.map(({ one, digests }) => ({ ...one, book: one.request.book, days: digests }));
  // Different tables, so that the database gets the next statement of one while it runs that of another.
  const [changes] = await allEnded([
    writeFacts(sql, taxpayerId, compared),
    writeLots(sql, taxpayerId, replayed, rules),
    writeCheckpoints(sql, taxpayerId, checkpoints, rules),
    writeMembers(sql, taxpayerId, replayed),
  ]);
  addChanges(all, changes);
  return all;
}

/** Deletes everything stored for some books. */
export async function dissolve(sql: Sql, taxpayerId: string, books: readonly string[]): Promise<BookChanges> {
  if (books.length === 0) return noChanges();
  const years = new Set(await deleteFacts(sql, taxpayerId, books.map(spanAllDays)));
  await deleteStates(sql, taxpayerId, books);
  const changes = await forgetBookYears(sql, taxpayerId, books);
  await deleteBooks(sql, taxpayerId, books);
  return { years, changes };
}

/** Stores the asset keys of the books that have other keys than before. */
async function writeMembers(sql: Sql, taxpayerId: string, replayed: readonly ReplayedBook[]): Promise<void> {
  const begun = replayed.map(({ request }) => request).filter(({ regrouped }) => regrouped);
  const known = begun.filter(({ fresh }) => !fresh).map(({ book }) => book);
  if (known.length > 0) await deleteBooks(sql, taxpayerId, known);
  const members = begun.flatMap(({ book, keys }) => keys.map((key) => ({ book, key })));
  if (members.length > 0) await insertBooks(sql, taxpayerId, members);
}

/**
 * The facts of a book to write, and the digests of all days of the replay. `rewriting` is null if the replay has
 * already written all facts.
 */
interface ReplayedFacts {
  readonly one: ReplayedBook;
  readonly rewriting: Rewriting | null;
  readonly digests: Days;
}

async function compareFacts(sql: Sql, taxpayerId: string, replayed: readonly ReplayedBook[]): Promise<ReplayedFacts[]> {
  const areRead = ({ stored: { heads, kept } }: ReplayedBook): boolean => kept === null && heads[0]?.days !== null;
  const asked = replayed.flatMap((one): [string, string | null][] => {
    const { request, stored } = one;
    const { heads, kept } = stored;
    const last = heads.at(-1);
    const isKnown = last === undefined || last.day === kept?.day || areRead(one);
    return isKnown ? [] : [[request.book, kept?.day ?? null]];
  });
  const known = asked.length === 0 ? [] : await selectDays(sql, taxpayerId, new Map(asked));
  const daysOf = Map.groupBy(known, ({ book }) => book);
  return replayed.map((one) => {
    const { request, stored, facts, book } = one;
    const { kept, heads } = stored;
    const { asOf } = book;
    const digests = facts.digestsUntil(asOf);
    if (facts.kind === 'written') return { one, rewriting: null, digests };
    const texts = areRead(one) ? heads : (daysOf.get(request.book) ?? []);
    const before = new Map(texts.flatMap(({ days }) => daysFromText(days ?? '')));
    const waits = kept === null || !kept.last || hasWaiting(kept.withoutLots);
    // If a stored book has no checkpoints, its stored facts are unknown, so all of them must be removed.
    const unknown = request.fresh ? null : '-infinity';
    const waitedAfter = waits ? (heads.at(-1)?.day ?? unknown) : null;
    const changed = compareDays(before, digests);
    return { one, rewriting: { book: request.book, days: facts.byDay, changed, asOf, waitedAfter }, digests };
  });
}

async function writeFacts(sql: Sql, taxpayerId: string, books: readonly ReplayedFacts[]): Promise<BookChanges> {
  const [begun, resumed] = [books.filter(isBegun), books.filter((book) => !isBegun(book))];
  const changes = await netBookChanges(sql, taxpayerId, await rewriteFacts(sql, taxpayerId, rewritingsOf(resumed)));
  const all = { years: new Set(changes.keys()), changes };
  if (begun.length === 0) return all;
  const years = new Set(await replaceFacts(sql, taxpayerId, rewritingsOf(begun)));
  const summaries = new Map<string, TaxYearSummary[]>();
  for (const { one } of begun) {
    const bookSummaries = await one.facts.sum();
    for (const { year } of bookSummaries) years.add(year);
    summaries.set(one.request.book, bookSummaries);
  }
  const known = begun.filter(({ one }) => !one.request.fresh).map(({ one }) => one.request.book);
  addChanges(all, { years, changes: await netBooks(sql, taxpayerId, summaries, known) });
  return all;
}

function isBegun({ one }: ReplayedFacts): boolean {
  return one.stored.kept === null;
}

function rewritingsOf(books: readonly ReplayedFacts[]): Rewriting[] {
  return books.flatMap(({ rewriting }) => rewriting ?? []);
}

/** Returns whether the book may have facts dated after its last day, such as issues that a later day may withdraw. */
function hasWaiting(
  book: Pick<
    Book,
    | 'transits'
    | 'deferrals'
    | 'losses'
    | 'shortLosses'
    | 'straddleLosses'
    | 'questions'
    | 'pools'
    | 'shorts'
    | 'written'
  >,
): boolean {
  const waiting = [book.transits, book.deferrals, book.losses, book.shortLosses, book.straddleLosses, book.questions];
  return waiting.some(({ length }) => length > 0) || hasContracts(book) || book.shorts.some(({ byOption }) => byOption);
}

async function writeLots(sql: Sql, taxpayerId: string, replayed: readonly ReplayedBook[], rules: Rules): Promise<void> {
  const read = replayed.filter(({ request, stored }) => !request.fresh && stored.kept?.last !== true);
  const states = new Map(
    read.map(({ request, loaded, stored, lots: { current, versions } }) => {
      const lots = current.size + versions.length;
      return [request.book, { loaded, checkpoint: stored.kept, lots }] as const;
    }),
  );
  const stored = await storedLots(sql, taxpayerId, states);
  const books = replayed.map(({ request, lots, loaded, book }) => {
    return { name: request.book, lots, stored: stored.get(request.book) ?? loaded, book };
  });
  await storeLots(sql, taxpayerId, books, rules);
}
