import type { Sql } from '../../db/connection.ts';
import { typeInName } from '../../engine/rules/questions/account-names.ts';
import { formats } from '../../formats/index.ts';
import { suggestForm } from '../../forms/assumed-forms.ts';
import { selectTaxpayer } from '../books/queries.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import { type AccountUse, selectAccountUses } from './queries.ts';

/** Returns all accounts that rows or settings mention, sorted by name. */
export async function readAccounts(sql: Sql, taxpayerId: string) {
  const { settings } = await selectTaxpayer(sql, taxpayerId);
  const uses = Map.groupBy(await selectAccountUses(sql, taxpayerId), ({ account }) => account);
  const named = [...Object.keys(settings.accounts ?? {}), ...Object.keys(settings.methodByAccount ?? {})];
  return [...new Set([...uses.keys(), ...named])]
    .sort()
    .map((name) => buildAccount(name, uses.get(name) ?? [], settings));
}

const formatNames = new Map(formats.map(({ id, name }) => [id, name]));

function buildAccount(account: string, uses: readonly AccountUse[], settings: StoredSettings) {
  const { accounts = {}, evidence } = settings;
  const { suggestedForm, because } = suggestForm(account, {
    accounts,
    ...(evidence === undefined ? {} : { evidence }),
  });
  return {
    account,
    transactions: uses.reduce((sum, { rows }) => sum + rows, 0),
    firstDate: uses.map(({ first }) => first).sort()[0] ?? null,
    lastDate:
      uses
        .map(({ last }) => last)
        .sort()
        .at(-1) ?? null,
    sources: uses.map(({ format, rows }) => ({
      format,
      name:
        format === null
          ? 'By hand'
          : format === 'mapping'
            ? 'A file with custom columns'
            : (formatNames.get(format) ?? format),
      transactions: rows,
    })),
    assetClasses: [...new Set(uses.flatMap(({ classes }) => classes))].sort(),
    settings: settings.accounts?.[account] ?? null,
    method: settings.methodByAccount?.[account] ?? null,
    suggested: {
      type: typeInName(account),
      form: suggestedForm,
      because,
    },
  };
}
