import { Elysia } from 'elysia';
import { csvRecord } from '../../../base/csv.ts';
import type { Deps } from '../../../deps.ts';
import { download } from '../../../http/download.ts';
import { group, read } from '../../../http/operations/operations.ts';
import type { Access } from '../../people/auth/access.ts';
import { neededPrices } from './needed.ts';

const { onBooks } = group('Prices');

const header = ['date', 'asset', 'usd', 'rows', 'alternatives', 'use'];

/** Returns the prices that open issues need, as a CSV to fill in. */
export const neededRoutes = (deps: Deps, access: Access) =>
  new Elysia().use(access).get(
    '/needed',
    async ({ books, taxpayer }) => {
      const prices = await books.snapshot((sql) => neededPrices(sql, taxpayer.id));
      const lines = prices.map(({ day, asset, rows, alternatives, use }) => [
        day,
        asset,
        '',
        String(rows),
        alternatives.join(' '),
        use,
      ]);
      return download(deps, {
        fileName: 'lotbook-prices-needed.csv',
        mediaType: 'text/csv; charset=utf-8; header=present',
        body: new Blob([header, ...lines].map(csvRecord)).stream(),
      });
    },
    onBooks('listNeededPrices', read, {
      summary: 'Get the prices that open issues need',
      description:
        'A CSV with the columns date, asset, usd, rows, alternatives and use, sorted by date and asset. Fill in the empty column usd and send the file to POST /prices. `rows` is the number of rows that the price would value. `alternatives` are assets whose price for that day also works, because the price of one side of a trade is enough. `use` is what it values in one of these rows.',
      detail: {
        responses: {
          200: { description: 'The prices that are needed.', content: { 'text/csv': { schema: { type: 'string' } } } },
        },
      },
    }),
  );
