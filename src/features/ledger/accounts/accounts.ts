import { addDays, type Day, formatDay } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { typeInName } from '../../../engine/rules/questions/account-names.ts';
import { formats } from '../../../formats/index.ts';
import { suggestForm } from '../../../forms/assumed-forms.ts';
import { selectTaxpayer } from '../books/books.queries.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import { parseDayColumn } from '../transactions/rows/columns.ts';
import { type AccountUse, selectAccountUses, selectCoverage } from './accounts.queries.ts';

/** Returns all accounts that rows or settings mention, sorted by name. */
export async function readAccounts(sql: Sql, taxpayerId: string) {
  const { settings } = await selectTaxpayer(sql, taxpayerId);
  const uses = Map.groupBy(await selectAccountUses(sql, taxpayerId), ({ account }) => account);
  const coverage = new Map((await selectCoverage(sql, taxpayerId)).map((row) => [row.account, row]));
  const named = [...Object.keys(settings.accounts ?? {}), ...Object.keys(settings.methodByAccount ?? {})];
  return [...new Set([...uses.keys(), ...named])].sort().map((name) => ({
    ...buildAccount(name, uses.get(name) ?? [], settings),
    missingPurchases: coverage.get(name)?.missingPurchases ?? 0,
    gaps: findGaps(coverage.get(name)?.files ?? []),
  }));
}

/** Shorter periods without a file are often just periods without a transaction. */
const gapDaysMin = 62;

/** Returns the periods between the first and the last file that no file covers. */
function findGaps(files: readonly (readonly [string, string])[]) {
  const gaps: { firstDate: string; lastDate: string }[] = [];
  let covered: Day | null = null;
  for (const [first, last] of files.map((days) => days.map(parseDayColumn) as [Day, Day])) {
    if (covered !== null && first - covered > gapDaysMin) {
      gaps.push({ firstDate: formatDay(addDays(covered, 1)), lastDate: formatDay(addDays(first, -1)) });
    }
    covered = covered === null || last > covered ? last : covered;
  }
  return gaps;
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
