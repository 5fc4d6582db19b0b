import type { Sql } from '../../db/connection.ts';
import type { AssumedForm } from '../../forms/assumed-forms.ts';
import { notify } from '../notifications/notify.ts';
import { selectTitles } from '../notifications/queries.ts';

const kind = 'confirm_form';

/** Asks for the form of each account whose boxes are assumed: once an account, by the first report that has lines of it. */
export async function askForForms(
  sql: Sql,
  taxpayerId: string,
  assumed: readonly AssumedForm[],
  at: Date,
): Promise<void> {
  if (assumed.length === 0) return;
  const asked = await selectTitles(sql, taxpayerId, kind, assumed.map(titleOf));
  for (const one of assumed) {
    const title = titleOf(one);
    if (asked.includes(title)) continue;
    await notify(sql, taxpayerId, { kind, title, body: one.text, link: '/v1/tax/settings', at });
  }
}

function titleOf({ account }: AssumedForm): string {
  return `Confirm the form of ${account}`;
}
