import type { Sql } from '../../db/connection.ts';
import type { AssumedForm } from '../../forms/assumed-forms.ts';
import { notify } from '../notifications/notify.ts';
import { selectTitles } from '../notifications/queries.ts';

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
  const titles = await selectTitles(sql, taxpayerId, kind, suggested.map(formatTitle));
  for (const one of suggested) {
    const title = formatTitle(one);
    if (titles.includes(title)) continue;
    await notify(sql, taxpayerId, { kind, title, body: one.text, link: '/v1/tax/settings', at });
  }
}

function formatTitle({ account }: AssumedForm): string {
  return `Confirm the tax form of ${account}`;
}
