import type { Sql } from '../../../db/connection.ts';
import type { AssumedForm } from '../../../forms/assumed-forms.ts';
import { takeSubjects } from '../../people/notifications/notifications.queries.ts';
import { notify } from '../../people/notifications/notify.ts';

const kind = 'confirm_form';

/**
 * Asks the taxpayer to confirm the form of each account if the rows or the name suggest one. Asks once, when the first
 * report includes lines of the account.
 */
export async function askForForms(
  sql: Sql,
  taxpayerId: string,
  assumed: readonly AssumedForm[],
  at: Date,
): Promise<void> {
  const suggested = assumed.filter(({ suggestedForm }) => suggestedForm !== null);
  if (suggested.length === 0) return;
  const subjects = suggested.map(({ account }) => ({ subject: account, untilOn }));
  const unasked = await takeSubjects(sql, taxpayerId, kind, subjects, at.toISOString().slice(0, 10));
  for (const { account, text: body } of suggested) {
    if (!unasked.has(account)) continue;
    const title = `Confirm the tax form of ${account}`;
    await notify(sql, taxpayerId, { kind, title, body, link: '/v1/tax/settings', at });
  }
}

/** An account is never asked about again. */
const untilOn = '9999-12-31';
