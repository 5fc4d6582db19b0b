import type { Sql } from '../../../db/connection.ts';
import type { Rules } from '../../../engine/model.ts';
import { dayOf } from '../../transactions/rows/columns.ts';
import { type Days, daysText } from '../facts/days.ts';
import { chosenOf } from './choice.ts';
import { deletePastLotsBetween } from './lots/versions/queries.ts';
import {
  type CheckpointHead,
  deleteCheckpoints,
  insertCheckpoints,
  type KeepableRow,
  selectDaysOf,
  updateDays,
} from './queries.ts';
import type { Replayed } from './replayed.ts';
import { stampOf } from './store.ts';

/** The states that a replay left become those that are kept, with digests of the facts of their days. */
export async function writeStates(sql: Sql, { opened, states }: Replayed, rules: Rules, days: Days): Promise<void> {
  const { scope, kept, heads, choice } = opened;
  const isBefore = ({ day }: CheckpointHead): boolean => kept !== null && day <= kept.day;
  const before = heads.filter(isBefore);
  const chosen = new Set<CheckpointHead | KeepableRow>(chosenOf([...before, ...states], choice));
  const dropped = before.filter((head) => !chosen.has(head));
  const texts = await daysTextsOf(sql, opened, dropped, chosen);
  const gone = [...heads.filter((head) => !isBefore(head)), ...dropped].map(({ day }) => day);
  if (gone.length > 0) await deleteCheckpoints(sql, scope, gone);
  // What a state tells of that is kept no more, the next one that is kept tells.
  let [waiting, isPlain, previous]: [string, boolean, string | null] = ['', true, null];
  let firstDropped: string | null = null;
  for (const head of before) {
    if (!chosen.has(head)) {
      waiting = joined(waiting, texts.get(head.day) ?? '');
      isPlain &&= head.plain;
      firstDropped ??= head.day;
      continue;
    }
    if (firstDropped !== null) {
      const own = joined(waiting, texts.get(head.day) ?? '');
      await updateDays(sql, scope, { day: head.day, days: own, plain: head.plain && isPlain });
      await deletePastLotsBetween(sql, scope, { after: previous, from: firstDropped, before: head.day });
    }
    [waiting, isPlain, previous, firstDropped] = ['', true, head.day, null];
  }
  const first = states[0];
  if (first === undefined) return;
  if (firstDropped !== null && firstDropped !== kept?.day) {
    await deletePastLotsBetween(sql, scope, { after: previous, from: firstDropped, before: first.day });
  }
  const rows = withDays(states, days);
  const [own, ...later] = rows as [KeepableRow, ...KeepableRow[]];
  const head = { ...own, days: joined(waiting, own.days), plain: own.plain && isPlain };
  await insertCheckpoints(sql, scope, stampOf(rules), [head, ...later]);
}

/** What states tell of their days, where another is to tell it. */
async function daysTextsOf(
  sql: Sql,
  { scope, kept, keptDays }: Replayed['opened'],
  dropped: readonly CheckpointHead[],
  chosen: ReadonlySet<CheckpointHead | KeepableRow>,
): Promise<ReadonlyMap<string, string>> {
  if (kept === null || dropped.length === 0) return new Map();
  if (dropped.every(({ day }) => day === kept.day)) return new Map([[kept.day, keptDays]]);
  const asked = [...dropped, ...chosen].map(({ day }) => day).filter((day) => day <= kept.day);
  return selectDaysOf(sql, scope, asked);
}

/** Each state with the digests of the days since the one before. */
export function withDays(states: readonly KeepableRow[], days: Days): KeepableRow[] {
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
