import { addDays, firstDay, formatDay } from '../../../base/day.ts';
import { canonicalJson } from '../../../base/json.ts';
import type { Sql } from '../../../db/connection.ts';
import { findFormNames, linksOfFormNames, openShortDaysMax } from '../../../engine/events/form-names.ts';
import type { FormAssetNames } from '../../../engine/model.ts';
import { updateSettings } from '../books/books.queries.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import { toTransaction, touch } from '../transactions/rows/columns.ts';
import type { Arrivals } from '../transactions/staged/arrivals.ts';
import {
  selectFormNames,
  selectFormsOfNames,
  selectHasForms,
  selectNamedHistory,
  selectSalesNear,
} from './recompute.queries.ts';
import type { Settled, StepContext } from './step.ts';

/**
 * Matches assets that Forms 1099 name differently from the transactions (`engine/events/form-names.ts`). If a name is
 * matched or unmatched, marks its books to be recomputed from their first row on.
 */
export async function settleFormNames(
  { sql, taxpayerId, arrivals }: StepContext,
  { touched, settings }: Settled,
): Promise<Settled> {
  const { formNames: known, ...others } = settings;
  const formNames = await readFormNames(sql, taxpayerId, settings, arrivals);
  if (canonicalJson(known ?? {}) === canonicalJson(formNames ?? {})) return { touched, settings };
  const after: StoredSettings = formNames === undefined ? others : { ...others, formNames };
  await updateSettings(sql, taxpayerId, after);
  if (touched === 'all') return { touched, settings: after };
  const all = new Map([...touched]);
  for (const names of [known, formNames])
    for (const [account, own] of Object.entries(names ?? {})) {
      const changed = Object.entries(own).filter(
        ([key, name]) =>
          canonicalJson(name) !== canonicalJson((names === known ? formNames : known)?.[account]?.[key] ?? {}),
      );
      for (const key of linksOfFormNames({ [account]: Object.fromEntries(changed) }).flat()) touch(all, key, firstDay);
    }
  return { touched: all, settings: after };
}

async function readFormNames(
  sql: Sql,
  taxpayerId: string,
  { assets }: StoredSettings,
  arrivals: Arrivals,
): Promise<FormAssetNames | undefined> {
  if (!(await selectHasForms(sql, taxpayerId))) return undefined;
  // Staged rows may contain transactions under a name.
  await arrivals.bring();
  const names = (await selectFormNames(sql, taxpayerId)).filter(
    ({ asset, has_history }) => !has_history || assets?.[asset]?.formNameOf !== undefined,
  );
  if (names.length === 0) return undefined;
  const forms = (await selectFormsOfNames(sql, taxpayerId, names)).map(toTransaction);
  const days = forms.map(({ on }) => on).sort((a, b) => a - b);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const span = {
    first: formatDay(addDays(first, -openShortDaysMax)),
    last: formatDay(addDays(last, openShortDaysMax)),
  };
  const history = await selectNamedHistory(sql, taxpayerId);
  const sales = await selectSalesNear(sql, taxpayerId, names, span);
  const rows = new Map([...history, ...sales].map((row) => [row.id, row]));
  return findFormNames([...forms, ...[...rows.values()].map(toTransaction)], assets);
}
