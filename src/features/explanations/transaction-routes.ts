import { Elysia } from 'elysia';
import type { Deps } from '../../deps.ts';
import { uuidOf } from '../../http/errors.ts';
import { booksQuery, idParams, problems } from '../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import { blobRefusals, withBytes } from '../blobs/read.ts';
import { transactionTag } from '../transactions/change.ts';
import { TransactionDetail } from './schemas.ts';
import { readDetail } from './transaction-detail.ts';

/** One transaction: here and not with the others, because it shows what became of it. */
export const transactionRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/transactions' }).use(access).get(
    '/:id',
    async ({ taxpayer, params, set }) => {
      const detail = await withBytes(
        deps,
        taxpayer.id,
        (sql, bytes) => readDetail(deps, { sql, bytes }, taxpayer.id, uuidOf(params.id)),
        { snapshot: true },
      );
      set.headers.etag = await transactionTag(detail);
      return detail;
    },
    {
      books: true,
      params: idParams,
      query: booksQuery({}),
      response: { 200: TransactionDetail, ...problems('not_found', ...blobRefusals) },
      detail: {
        summary: 'One transaction',
        description:
          'With the text of its source, the prices and answers that apply to it, what it was income of, the lots that it opened as far as they are open, the lines of Form 8949 that it caused (`disposals`) and those of lots that it opened (`laterDisposals`).',
        operationId: 'readTransaction',
        tags: ['Transactions'],
      },
    },
  );
