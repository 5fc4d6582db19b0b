import type { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import { notify } from './notify.ts';
import { takeSubjects } from './queries.ts';

const kind = 'year_conflict';
/** Every retry hits the same conflict, so it is notified again only after this many days. */
const silentDays = 90;

interface YearConflict {
  /** The subject of the sentence `… would alter lines of a locked year.` */
  readonly cause: string;
  readonly refusal: Refusal;
  readonly at: Date;
}

/** Notifies that a background job could not change a locked year, because no user reads its response. */
export async function notifyYearConflict(
  sql: Sql,
  taxpayerId: string,
  { cause, refusal, at }: YearConflict,
): Promise<void> {
  const year = Number(refusal.more.members?.year);
  const today = at.toISOString().slice(0, 10);
  const untilOn = new Date(at.getTime() + silentDays * 86_400_000).toISOString().slice(0, 10);
  const taken = await takeSubjects(sql, taxpayerId, kind, [{ subject: `${year} ${cause}`, untilOn }], today);
  if (taken.size === 0) return;
  await notify(sql, taxpayerId, {
    kind,
    title: `${cause} would change ${year}, which is locked`,
    body: refusal.detail,
    link: `/v1/tax/summary?${new URLSearchParams({ year: String(year) })}`,
    at,
  });
}
