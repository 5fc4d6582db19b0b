import { Elysia } from 'elysia';
import { limitDefault, page, readCursor } from '../../../http/list.ts';
import { group, read } from '../../../http/operations/operations.ts';
import { listOf, listQuery } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { AccountInBooks } from './accounts.schemas.ts';
import { readAccounts } from './accounts.ts';

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
