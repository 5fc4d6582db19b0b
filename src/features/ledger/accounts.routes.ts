import { Elysia, t } from 'elysia';
import { addDays, type Day, formatDay } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import { accountTypes, assetClasses, informationReturns, lotMethods } from '../../engine/model.ts';
import { typeInName } from '../../engine/rules/questions/account-names.ts';
import { formats } from '../../formats/index.ts';
import { suggestForm, suggestionMeanings, suggestionReasons } from '../../forms/assumed-forms.ts';
import { limitDefault, page, readCursor } from '../../http/list.ts';
import { group, read } from '../../http/operations.ts';
import { closed, day, listOf, listQuery, nullable, oneOf, whole } from '../../http/schemas.ts';
import type { Access } from '../people/auth/access.ts';
import { type AccountUse, selectAccountUses, selectCoverage } from './accounts.queries.ts';
import { selectTaxpayer } from './books/books.queries.ts';
import { AccountSettings } from './settings/document.ts';
import type { StoredSettings } from './transactions/elections.ts';
import { parseDayColumn } from './transactions/rows.ts';

const AccountInBooks = closed(
  {
    account: t.String({ description: 'The name of the account.' }),
    transactions: whole({
      description:
        'The number of rows in the account, including transfers into it. 0 if only the settings mention the account.',
    }),
    firstDate: nullable(day),
    lastDate: nullable(day),
    missingPurchases: whole({
      description: 'Open issues about sales whose purchase is missing, often because it is older.',
    }),
    gaps: t.Array(closed({ firstDate: day, lastDate: day }), {
      description: 'Periods of more than two months between its files that no file covers.',
    }),
    sources: t.Array(
      closed({
        format: nullable(
          t.String({ description: "The format's name as in GET /formats. Null for rows entered manually." }),
        ),
        name: t.String({ description: 'For people.' }),
        transactions: whole(),
      }),
    ),
    assetClasses: t.Array(oneOf(assetClasses), { description: 'The classes of the account’s assets.' }),
    settings: nullable(AccountSettings),
    method: nullable(oneOf(lotMethods, 'The account’s lot method. Null if it uses the default.')),
    suggested: closed(
      {
        type: nullable(oneOf(accountTypes, 'The account type that the name suggests.')),
        form: nullable(oneOf(informationReturns, 'The form that the rows or the name suggest.')),
        because: nullable(oneOf(suggestionReasons, suggestionMeanings)),
      },
      {
        description:
          'The form that determines the boxes on Form 8949: the one in the settings, or else the form of the account’s rows. A suggested type, or a form suggested by the name, has no effect until you set it.',
      },
    ),
  },
  {
    title: 'AccountInBooks',
    examples: [
      {
        account: 'Schwab Roth IRA',
        transactions: 42,
        firstDate: '2021-03-01',
        lastDate: '2025-12-30',
        missingPurchases: 0,
        gaps: [],
        sources: [{ format: 'schwab', name: 'Schwab transaction history', transactions: 42 }],
        assetClasses: ['fund', 'stock'],
        settings: null,
        method: null,
        suggested: { type: 'roth_ira', form: '1099-B', because: 'source' },
      },
    ],
  },
);

const { onBooks } = group('Settings');

/** Lists the accounts with the sources of their rows and with their settings. */
export const accountRoutes = (access: Access) =>
  new Elysia().use(access).get(
    '/accounts',
    async ({ books, taxpayer, query: parameters }) => {
      const limit = parameters.limit ?? limitDefault;
      const [after] = readCursor(parameters.cursor, ['string']) ?? [];
      const all = await books.snapshot((sql) => readAccounts(sql, taxpayer.id));
      const following = after === undefined ? all : all.filter(({ account }) => account > after);
      return page(following.slice(0, limit + 1), limit, ({ account }) => [account]);
    },
    onBooks('listAccounts', read, {
      summary: 'List accounts with sources, days, settings and suggestions',
      description: 'Sorted by name. Use PATCH /tax/settings to set the type, form and lot method of an account.',
      query: listQuery,
      response: { 200: listOf(AccountInBooks) },
    }),
  );

/** Returns all accounts that rows or settings mention, sorted by name. */
async function readAccounts(sql: Sql, taxpayerId: string) {
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
