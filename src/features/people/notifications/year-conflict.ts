import type { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { takeSubjects } from './notifications.queries.ts';
import { notify } from './notify.ts';

const kind = 'year_conflict';
/** Days until the same conflict is notified again, because every retry fails with it. */
const silentDays = 90;

interface YearConflict {
  /** The subject of the notification title, such as “A new exchange rate”. */
  readonly cause: string;
  readonly refusal: Refusal;
  readonly at: Date;
}

/** Notifies the taxpayer that a background job could not change a locked year. No user sees the job's response. */
export async function notifyYearConflict(
  sql: Sql,
  taxpayerId: string,
  { cause, refusal, at }: YearConflict,
): Promise<void> {
  const year = Number(refusal.more.members?.year);
  const today = at.toISOString().slice(0, 10);
  const untilOn = new Date(at.getTime() + silentDays * 86_400_000).toISOString().slice(0, 10);
  const newSubjects = await takeSubjects(sql, taxpayerId, kind, [{ subject: `${year} ${cause}`, untilOn }], today);
  if (newSubjects.size === 0) return;
  await notify(sql, taxpayerId, {
    kind,
    title: `${cause} would change ${year}, which is locked`,
    body: refusal.detail,
    link: `/v1/tax/summary?${new URLSearchParams({ year: String(year) })}`,
    at,
  });
}
