import { Elysia } from 'elysia';
import type { Deps } from '../../../deps.ts';
import type { Line } from '../../../engine/model.ts';
import { requireFound } from '../../../http/errors.ts';
import { limitDefault, mapPage } from '../../../http/list.ts';
import { group, read } from '../../../http/operations/operations.ts';
import { listQuery, problems } from '../../../http/schemas.ts';
import { blobRefusals, withBytes } from '../../ledger/blobs/read.ts';
import { lineView } from '../../ledger/books/line-members.ts';
import { loadAssetNames } from '../../ledger/transactions/asset-names/asset-names.ts';
import type { Access } from '../../people/auth/access.ts';
import { explainLine } from '../explanations/explanation.ts';
import { Explanation } from '../explanations/explanations.schemas.ts';
import { lineParameters, readLines, toLineFilter } from './lines.ts';
import { DisposalList } from './years.schemas.ts';

const { onBooks } = group('Tax');

/** Lists lines of Form 8949 and explains how each is calculated. */
export const disposalRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/disposals',
      ({ books, taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const filter = toLineFilter(parameters);
        return books.snapshot(async (sql) => {
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
        });
      },
      onBooks('listDisposals', read, {
        summary: 'List lines of Form 8949',
        description:
          'Returns the lines that match all parameters. `year`, `from` and `to` apply to the day of recognition.',
        query: { ...listQuery, ...lineParameters },
        response: { 200: DisposalList },
      }),
    )
    .get(
      '/disposals/:id/explain',
      async ({ taxpayer, params }) => {
        const explanation = requireFound(
          await withBytes(deps, taxpayer.id, (sql, bytes) => explainLine({ sql, bytes }, taxpayer.id, params.id), {
            snapshot: true,
          }),
        );
        return explanation;
      },
      onBooks('getDisposalExplanation', read, {
        summary: 'Explain each number of a line',
        response: { 200: Explanation, ...problems(...blobRefusals) },
      }),
    );
