import type { Sql } from '../../../db/connection.ts';
import type { Rules } from '../../../engine/model.ts';
import { dayOf } from '../../transactions/rows/columns.ts';
import { type Days, daysText } from '../facts/days.ts';
import { isReplacedBy } from './load.ts';
import { deleteCheckpoints, insertCheckpoints, type KeepableRow } from './queries.ts';
import type { Replayed } from './replayed.ts';
import { stampOf } from './store.ts';

/** The states that a replay left become those that are kept, with digests of the facts of their days. */
export async function writeStates(sql: Sql, { opened, states }: Replayed, rules: Rules, days: Days): Promise<void> {
  const { scope, kept, keptDays, heads } = opened;
  const first = states[0];
  const isReplaced = kept !== null && first !== undefined && isReplacedBy(kept, first.day);
  const stays = (day: string): boolean => kept !== null && (isReplaced ? day < kept.day : day <= kept.day);
  const gone = heads.filter(({ day }) => !stays(day)).map(({ day }) => day);
  if (gone.length > 0) await deleteCheckpoints(sql, scope, gone);
  if (first === undefined) return;
  const [own, ...later] = withDays(states, days) as [KeepableRow, ...KeepableRow[]];
  // What a state tells of its days that is kept no more, the next one tells.
  const head = isReplaced ? { ...own, days: joined(keptDays, own.days) } : own;
  await insertCheckpoints(sql, scope, stampOf(rules), [head, ...later]);
}

/** Each state with the digests of the days since the one before. */
function withDays(states: readonly KeepableRow[], days: Days): KeepableRow[] {
  const all = [...days].sort(([a], [b]) => a - b);
  let at = 0;
  return states.map((state) => {
    const until = dayOf(state.day);
    const from = at;
    while (at < all.length && (all[at]?.[0] ?? 0) <= until) at++;
    return { ...state, days: daysText(new Map(all.slice(from, at))) };
  });
}

function joined(a: string, b: string): string {
  return a === '' || b === '' ? a + b : `${a} ${b}`;
}
