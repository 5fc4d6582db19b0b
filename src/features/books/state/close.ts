import type { Sql } from '../../../db/connection.ts';
import type { Rules } from '../../../engine/model.ts';
import { hasContracts } from '../../../engine/rules/year/year-end.ts';
import { compareDays, type Days, daysFromText } from '../facts/days.ts';
import { type BookScope, deleteAllFacts } from '../facts/queries.ts';
import { type Rewriting, replaceFacts, rewriteFacts } from '../facts/rewrite.ts';
import { type BookChanges, forgetBookYears, netBook, netBookChanges } from '../summaries/summaries.ts';
import type { Opened } from './open.ts';
import { deleteBook, deleteStates, insertBook, selectDays } from './queries.ts';
import type { Replayed } from './replayed.ts';
import { lotsThere, storeLots } from './store.ts';
import { writeStates } from './write-states.ts';

/** What was replayed becomes what is stored, by difference. */
export async function closeBook(sql: Sql, replayed: Replayed | Opened, rules: Rules): Promise<BookChanges> {
  if (!('timeline' in replayed)) return dissolve(sql, replayed.scope);
  const { opened } = replayed;
  const { scope, kept, keys, fresh } = opened;
  const after = await writeFacts(sql, replayed);
  await writeLots(sql, replayed, rules);
  await writeStates(sql, replayed, rules, after.days);
  if (kept === null) {
    if (!fresh) await deleteBook(sql, scope);
    await insertBook(sql, scope, keys);
  }
  return after.changes;
}

/** Nothing of a book stays. */
export async function dissolve(sql: Sql, scope: BookScope): Promise<BookChanges> {
  const years = new Set(await deleteAllFacts(sql, scope));
  await deleteStates(sql, scope);
  const changes = await forgetBookYears(sql, scope);
  await deleteBook(sql, scope);
  return { years, changes };
}

async function writeFacts(
  sql: Sql,
  { opened, facts, book }: Replayed,
): Promise<{ readonly changes: BookChanges; readonly days: Days }> {
  const { scope, kept, heads, fresh } = opened;
  const { asOf } = book;
  const days = facts.digestsUntil(asOf);
  const last = heads.at(-1)?.day ?? null;
  const known = last !== null && last !== kept?.day ? await selectDays(sql, scope, kept?.day ?? null) : [];
  const before = new Map(known.flatMap(daysFromText));
  const waits = kept === null || !kept.last || kept.rest.transits.length > 0 || hasContracts(kept.rest);
  const waitedAfter = waits ? last : null;
  const rewriting: Rewriting = { days: facts.byDay, changed: compareDays(before, days), asOf, waitedAfter };
  if (kept !== null) {
    const written = await rewriteFacts(sql, scope, rewriting, facts.all);
    const changes = await netBookChanges(sql, scope, written);
    return { changes: { years: new Set(changes.keys()), changes }, days };
  }
  // Of a book without states it is not known which facts it has.
  const years = !fresh && last === null ? await deleteAllFacts(sql, scope) : [];
  years.push(...(await replaceFacts(sql, scope, rewriting)));
  return { changes: { years: new Set(years), changes: await netBook(sql, scope, facts.summaries) }, days };
}

async function writeLots(sql: Sql, { opened, loaded, timeline, book }: Replayed, rules: Rules): Promise<void> {
  const { scope, kept, fresh } = opened;
  const isAsThere = fresh || kept?.last === true;
  const there = isAsThere ? loaded : await lotsThere(sql, scope, loaded, kept?.day ?? null);
  await storeLots(sql, scope, timeline, there, book, rules);
}
