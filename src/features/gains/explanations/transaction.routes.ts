import { Elysia } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { parseUuid } from '../../../http/errors.ts';
import { group, read } from '../../../http/operations/operations.ts';
import { problems } from '../../../http/schemas.ts';
import { blobRefusals, withBytes } from '../../ledger/blobs/read.ts';
import { transactionTag } from '../../ledger/transactions/change.ts';
import type { Access } from '../../people/auth/access.ts';
import { TransactionDetail } from './explanations.schemas.ts';
import { readDetail } from './transaction-detail.ts';

const { onBooks } = group('Transactions');

/**
 * Returns the details of a transaction. The route is in this feature because it shows the effects of the transaction.
 */
export const transactionRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/transactions' }).use(access).get(
    '/:id',
    async ({ taxpayer, params, set }) => {
      const detail = await withBytes(
        deps,
        taxpayer.id,
        (sql, bytes) => readDetail(deps, { sql, bytes }, taxpayer.id, parseUuid(params.id)),
        { snapshot: true },
      );
      set.headers.etag = await transactionTag(detail);
      return detail;
    },
    onBooks('getTransaction', read, {
      summary: 'Get a transaction',
      description:
        'Includes its source text, its prices and answers, its income, the open part of the lots that it opened, the lines of Form 8949 that it caused (`disposals`), and the lines that sell lots it opened (`laterDisposals`).',
      response: { 200: TransactionDetail, ...problems(...blobRefusals) },
    }),
  );
