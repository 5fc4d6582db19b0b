import type { Sql } from '../../../db/connection.ts';
import type { Rules } from '../../../engine/model.ts';
import type { Book } from '../../../engine/replay.ts';
import { hasContracts } from '../../../engine/rules/year/year-end.ts';
import { compareDays, type Days, daysFromText } from '../facts/days.ts';
import { type BookScope, deleteAllFacts } from '../facts/queries.ts';
import { type Rewriting, replaceFacts, rewriteFacts } from '../facts/rewrite.ts';
import { type BookChanges, forgetBookYears, netBook, netBookChanges } from '../summaries/summaries.ts';
import { writeCheckpoints } from './checkpoints.ts';
import { storedLots } from './load.ts';
import { storeLots } from './lots/store.ts';
import type { EmptiedBook } from './open.ts';
import { deleteBook, deleteState, insertBook, selectDays } from './queries.ts';
import type { ReplayedBook } from './replayed.ts';

/** What was replayed becomes what is stored, by difference. */
export async function closeBook(sql: Sql, replayed: ReplayedBook | EmptiedBook, rules: Rules): Promise<BookChanges> {
  if (replayed.kind === 'emptied') return dissolve(sql, replayed.scope);
  const { scope, keys, fresh } = replayed.order;
  const { stored, checkpoints } = replayed;
  const { changes, days } = await writeFacts(sql, replayed);
  await writeLots(sql, replayed, rules);
  await writeCheckpoints(sql, scope, stored, { checkpoints, days, rules });
  if (stored.kept === null) {
    if (!fresh) await deleteBook(sql, scope);
    await insertBook(sql, scope, keys);
  }
  return changes;
}

/** Nothing of a book stays. */
export async function dissolve(sql: Sql, scope: BookScope): Promise<BookChanges> {
  const years = new Set(await deleteAllFacts(sql, scope));
  await deleteState(sql, scope);
  const changes = await forgetBookYears(sql, scope);
  await deleteBook(sql, scope);
  return { years, changes };
}

async function writeFacts(
  sql: Sql,
  { order, stored, facts, book }: ReplayedBook,
): Promise<{ readonly changes: BookChanges; readonly days: Days }> {
  const { scope, fresh } = order;
  const { kept, heads } = stored;
  const { asOf } = book;
  const days = facts.digestsUntil(asOf);
  const last = heads.at(-1)?.day ?? null;
  const known = last !== null && last !== kept?.day ? await selectDays(sql, scope, kept?.day ?? null) : [];
  const before = new Map(known.flatMap(daysFromText));
  const waits = kept === null || !kept.last || hasWaiting(kept.withoutLots);
  const waitedAfter = waits ? last : null;
  const rewriting: Rewriting = { days: facts.byDay, changed: compareDays(before, days), asOf, waitedAfter };
  if (kept !== null) {
    const written = await rewriteFacts(sql, scope, rewriting);
    const changes = await netBookChanges(sql, scope, written);
    return { changes: { years: new Set(changes.keys()), changes }, days };
  }
  // Of a book without checkpoints it is not known which facts it has.
  const years = !fresh && last === null ? await deleteAllFacts(sql, scope) : [];
  years.push(...(await replaceFacts(sql, scope, rewriting)));
  return { changes: { years: new Set(years), changes: await netBook(sql, scope, await facts.sum()) }, days };
}

/** Whether facts may be dated after the last day of the book: issues that a later day may withdraw. */
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

async function writeLots(sql: Sql, replayed: ReplayedBook, rules: Rules): Promise<void> {
  const { order, stored, loaded, lots, book } = replayed;
  const isLast = order.fresh || stored.kept?.last === true;
  const rows = isLast ? loaded : await storedLots(sql, order.scope, loaded, stored.kept);
  await storeLots(sql, order.scope, lots, rows, book, rules);
}
