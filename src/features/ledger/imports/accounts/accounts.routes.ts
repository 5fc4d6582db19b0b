import { Elysia, t } from 'elysia';
import type { Deps } from '../../../../deps.ts';
import { notFound, parseUuid } from '../../../../http/errors.ts';
import { idempotent } from '../../../../http/idempotency.ts';
import { limitDefault, page, readCursor } from '../../../../http/list.ts';
import { booksQuery, id, idParams, listOf, listQuery, problems } from '../../../../http/schemas.ts';
import type { Access } from '../../../people/auth/access.ts';
import { recompute } from '../../recompute/recompute.ts';
import { changeRows } from '../../transactions/change.ts';
import { inTurn } from '../../transactions/turn.ts';
import { selectImport } from '../imports.queries.ts';
import { answerQuestion, selectAssignable, selectQuestions } from './accounts.queries.ts';
import { AccountAssignment, AccountQuestion } from './accounts.schemas.ts';

/** The maximum number of rows to assign per request. */
const assignedMax = 5_000;

/**
 * Assigns rows that were stored under the name of their source to the account that their file names. Answers questions
 * about accounts.
 */
export const accountRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/imports' })
    .use(access)
    .get(
      '/account-questions',
      async ({ taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const [after] = readCursor(parameters.cursor, ['uuid']) ?? [];
        const importId = parameters.importId === undefined ? null : parseUuid(parameters.importId);
        const rows = await deps.database.asTaxpayer(
          taxpayer.id,
          (sql) => selectQuestions(sql, taxpayer.id, { after: after ?? null, importId, limit: limit + 1 }),
          { readOnly: true },
        );
        return page(rows, limit, (row) => [row.id]);
      },
      {
        books: true,
        query: booksQuery({ ...listQuery, importId: t.Optional(id) }),
        response: { 200: listOf(AccountQuestion), ...problems('not_found', 'invalid') },
        detail: {
          summary: 'List files that may belong to two accounts',
          description:
            'Lists files of one broker that name no account, cover the same days and have different rows. To move the rows of `importId` to another account, send POST /imports/:id/reread with `account` and `apply`. To keep them where they are, delete the question.',
          operationId: 'listAccountQuestions',
          tags,
        },
      },
    )
    .delete(
      '/account-questions/:id',
      async ({ taxpayer, params, set }) => {
        const questionId = parseUuid(params.id);
        const isOpen = await deps.database.asTaxpayer(taxpayer.id, (sql) =>
          answerQuestion(sql, taxpayer.id, questionId, deps.clock.now()),
        );
        if (!isOpen) throw notFound();
        set.status = 204;
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 204: t.Void(), ...problems('not_found') },
        detail: {
          summary: 'Keep the rows in their accounts',
          description: 'Confirms that the accounts are correct. The question does not return.',
          operationId: 'resolveAccountQuestion',
          tags,
        },
      },
    )
    .post(
      '/:id/assign-accounts',
      (context) => {
        const { caller, taxpayer, params } = context;
        deps.rateLimits.take('work', caller.userId);
        const scope = { taxpayerId: taxpayer.id, importId: parseUuid(params.id) };
        return idempotent(deps, context, (saveResponse) =>
          inTurn(deps, taxpayer.id, async (sql) => {
            if ((await selectImport(sql, scope)) === undefined) throw notFound();
            const rows = await selectAssignable(sql, scope, assignedMax + 1);
            const edits = [];
            for (const [account, own] of Map.groupBy(rows.slice(0, assignedMax), (row) => row.account)) {
              const ids = own.map((row) => row.id);
              const edit = await changeRows({ deps, recompute }, sql, taxpayer, ids, { account });
              if (edit !== undefined) edits.push({ ...edit, account });
            }
            const left = rows.length <= assignedMax ? 0 : (await selectAssignable(sql, scope, leftMax)).length;
            return saveResponse(sql, { status: 200 as const, body: { edits, left } });
          }),
        );
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 200: AccountAssignment, ...problems('not_found', 'conflict', 'year_locked', 'invalid') },
        detail: {
          summary: 'Assign earlier rows to the account in this file',
          description: `Assigns the rows of \`accountOffers\`. They are also in this file, and were stored under the name of their source before their account was known. Each account becomes an edit that you can undo. Assigns at most ${assignedMax} rows at a time.`,
          operationId: 'updateImportAccounts',
          tags,
        },
      },
    );

const tags = ['Imports'];
const leftMax = 100_000;
