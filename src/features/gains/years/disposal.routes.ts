import { Elysia } from 'elysia';
import type { Deps } from '../../../deps.ts';
import type { Line } from '../../../engine/model.ts';
import { notFound } from '../../../http/errors.ts';
import { limitDefault, mapPage } from '../../../http/list.ts';
import { booksQuery, idParams, listQuery, problems } from '../../../http/schemas.ts';
import { blobRefusals, withBytes } from '../../ledger/blobs/read.ts';
import { lineView } from '../../ledger/books/line-members.ts';
import { loadAssetNames } from '../../ledger/transactions/asset-names/asset-names.ts';
import type { Access } from '../../people/auth/access.ts';
import { explainLine } from '../explanations/explanation.ts';
import { Explanation } from '../explanations/explanations.schemas.ts';
import { lineParameters, readLines, toLineFilter } from './lines.ts';
import { DisposalList } from './years.schemas.ts';

const tags = ['Tax'];

/** Lists lines of Form 8949 and explains how each is calculated. */
export const disposalRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/disposals',
      ({ taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const filter = toLineFilter(parameters);
        return deps.database.asTaxpayer(
          taxpayer.id,
          async (sql) => {
            const lines = await readLines(sql, taxpayer.id, filter, { ...parameters, limit });
            const nameOf = await loadAssetNames(
              sql,
              taxpayer.id,
              lines.data.map(({ disposal }) => disposal.asset),
            );
            const view = (line: Line) => {
              const assetName = nameOf(line.disposal.asset, line.disposal.assetClass);
              return { ...lineView(line), ...(assetName === undefined ? {} : { assetName }) };
            };
            return { ...mapPage(lines, view), totals: lines.totals };
          },
          { snapshot: true, readOnly: true },
        );
      },
      {
        books: true,
        query: booksQuery({ ...listQuery, ...lineParameters }),
        response: { 200: DisposalList, ...problems('not_found', 'invalid') },
        detail: {
          summary: 'List lines of Form 8949',
          description:
            'Returns the lines that match all parameters. `year`, `from` and `to` apply to the day of recognition.',
          operationId: 'listDisposals',
          tags,
        },
      },
    )
    .get(
      '/disposals/:id/explain',
      async ({ taxpayer, params }) => {
        const explanation = await withBytes(
          deps,
          taxpayer.id,
          (sql, bytes) => explainLine({ sql, bytes }, taxpayer.id, params.id),
          { snapshot: true },
        );
        if (explanation === undefined) throw notFound();
        return explanation;
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 200: Explanation, ...problems('not_found', ...blobRefusals) },
        detail: { summary: 'Explain each number of a line', operationId: 'getDisposalExplanation', tags },
      },
    );
