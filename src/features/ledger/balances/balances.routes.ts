import { Elysia, t } from 'elysia';
import { fileRefusals } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { openCsv } from '../../../http/body.ts';
import { parseDayParameter, parseUuid } from '../../../http/errors.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { limitDefault, page, readCursor } from '../../../http/list.ts';
import { bringIn, group, read, write } from '../../../http/operations.ts';
import { day, listOf, listQuery, problems } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { inTurn, onceInTurn } from '../transactions/store.ts';
import { selectListedBalances } from './balances.queries.ts';
import { Balance, BalanceImportResult, NewBalance } from './balances.schemas.ts';
import { nameLengthMax, readBalances } from './read-balances.ts';
import { type Recheck, removeBalance, stateBalance, storeBalances, viewBalances } from './store.ts';

const { onBooks } = group('Balances');
const example = `account,asset,on,quantity
Schwab,AAPL,2024-12-31,10
Schwab,KO,2024-12-31,40
`;
const name = t.Optional(t.String({ maxLength: nameLengthMax }));

/** Defines the routes for balances that the taxpayer states. They are compared with the rows. */
export const balanceRoutes = (deps: Deps, access: Access, { recheck }: { readonly recheck: Recheck }) =>
  new Elysia({ prefix: '/balances' })
    .use(access)
    .get(
      '',
      async ({ books, taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const after = readCursor(parameters.cursor, ['day', 'string', 'string']) ?? null;
        const filter = { account: parameters.account ?? null, asset: parameters.asset ?? null };
        return books.snapshot(async (sql) => {
          const rows = await selectListedBalances(sql, taxpayer.id, filter, after, limit);
          const balancePage = page(rows, limit, (row) => [row.on_day, row.asset, row.account]);
          return { ...balancePage, data: await viewBalances(sql, taxpayer.id, balancePage.data) };
        });
      },
      onBooks('listBalances', read, {
        summary: 'List stated balances and the balances in the books',
        description: 'Newest first. A difference is an issue of the kind `balance_differs`.',
        query: { ...listQuery, account: name, asset: name },
        response: { 200: listOf(Balance) },
      }),
    )
    .post(
      '',
      (context) => {
        const { taxpayer, caller, body } = context;
        deps.rateLimits.take('work', caller.userId);
        const { account, asset, on, quantity } = body;
        const newBalance = { account: account.trim(), asset: asset.trim(), day: on, quantity };
        return onceInTurn(deps, context, 201, (sql) => stateBalance({ deps, recheck }, sql, taxpayer.id, newBalance));
      },
      onBooks('createBalance', write('balance_created'), {
        summary: 'Add a balance',
        description:
          'Stores the units of an asset that an account held at the end of a day. Replaces an earlier balance for the same account, asset and day. If the rows add up to a different number, an issue of the kind `balance_differs` names the day and the rows around it. The issue closes when you import or correct rows, or delete the balance.',
        body: NewBalance,
        response: { 201: Balance, ...problems('year_locked') },
      }),
    )
    .delete(
      '/:id',
      async ({ taxpayer, params }) => {
        const id = parseUuid(params.id);
        await inTurn(deps, taxpayer.id, (sql) => removeBalance({ deps, recheck }, sql, taxpayer.id, id));
      },
      onBooks('deleteBalance', write('balance_deleted'), {
        summary: 'Delete a balance',
        response: { 204: t.Void(), ...problems('year_locked') },
      }),
    )
    .post(
      '/import',
      (context) => {
        const { request, server, taxpayer, caller, query: parameters } = context;
        deps.rateLimits.take('work', caller.userId);
        server?.timeout(request, 0);
        const defaults = {
          account: parameters.account?.trim() || null,
          on: parseDayParameter('on', parameters.on),
          timeZone: context.taxpayer.timeZone,
        };
        const { content, digest, readToEnd } = openCsv(request, 'the positions');
        return idempotent(
          deps,
          context,
          async (saveResponse) => {
            const read = await readBalances(content, defaults);
            return inTurn(deps, taxpayer.id, async (sql) => {
              const body = await storeBalances({ deps, recheck }, sql, taxpayer.id, read);
              return saveResponse(sql, { status: 201 as const, body }, digest());
            });
          },
          readToEnd,
        );
      },
      onBooks('importBalances', bringIn('balances_imported'), {
        summary: 'Import balances from a file of positions',
        description:
          'Accepts one of two kinds of CSV file. A file of positions needs the columns asset (or symbol) and quantity (or shares, units, balance). It also needs account and on (or date), unless the query contains them. A ledger of one account, as exported by Kraken, needs the columns time, asset, amount and balance. Its balance at the end of each day is the sum over all its wallets. Other columns and up to 19 lines before the header are ignored. Lines without a balance are rejected and listed, and the others are stored. A file without any balance is rejected.',
        parse: 'none',
        query: { account: name, on: t.Optional(day) },
        response: { 201: BalanceImportResult, ...problems('year_locked', 'ambiguous_file', ...fileRefusals) },
        detail: { requestBody: { required: true, content: { 'text/csv': { schema: { type: 'string' }, example } } } },
      }),
    );
