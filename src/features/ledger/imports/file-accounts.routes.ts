import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { parseUuid, requireFound } from '../../../http/errors.ts';
import { limitDefault, page, readCursor } from '../../../http/list.ts';
import { followImport, group, write } from '../../../http/operations.ts';
import { id, listOf, listQuery, problems } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { recompute } from '../recompute/recompute.ts';
import { changeRows } from '../transactions/change.ts';
import { onceInTurn } from '../transactions/store.ts';
import { answerQuestion, selectAssignable, selectQuestions } from './file-accounts.queries.ts';
import { selectImport } from './imports.queries.ts';
import { AccountAssignment, AccountQuestion } from './imports.schemas.ts';

const { onBooks } = group('Imports');
const leftMax = 100_000;

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
      async ({ books, taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const [after] = readCursor(parameters.cursor, ['uuid']) ?? [];
        const importId = parameters.importId === undefined ? null : parseUuid(parameters.importId);
        const rows = await books.read((sql) =>
          selectQuestions(sql, taxpayer.id, { after: after ?? null, importId, limit: limit + 1 }),
        );
        return page(rows, limit, (row) => [row.id]);
      },
      onBooks('listAccountQuestions', followImport, {
        summary: 'List files that may belong to two accounts',
        description:
          'Lists files of one broker that name no account, cover the same days and have different rows. To move the rows of `importId` to another account, send POST /imports/:id/reread with `account` and `apply`. To keep them where they are, delete the question.',
        query: { ...listQuery, importId: t.Optional(id) },
        response: { 200: listOf(AccountQuestion) },
      }),
    )
    .delete(
      '/account-questions/:id',
      async ({ books, taxpayer, params }) => {
        const questionId = parseUuid(params.id);
        requireFound(await books.change((sql) => answerQuestion(sql, taxpayer.id, questionId, deps.clock.now())));
      },
      onBooks('resolveAccountQuestion', write('account_question_dismissed'), {
        summary: 'Keep the rows in their accounts',
        description: 'Confirms that the accounts are correct. The question does not return.',
        response: { 204: t.Void() },
      }),
    )
    .post(
      '/:id/assign-accounts',
      (context) => {
        const { caller, taxpayer, params } = context;
        deps.rateLimits.take('work', caller.userId);
        const scope = { taxpayerId: taxpayer.id, importId: parseUuid(params.id) };
        return onceInTurn(deps, context, 200, async (sql) => {
          requireFound(await selectImport(sql, scope));
          const rows = await selectAssignable(sql, scope, assignedMax + 1);
          const edits = [];
          for (const [account, own] of Map.groupBy(rows.slice(0, assignedMax), (row) => row.account)) {
            const ids = own.map((row) => row.id);
            const edit = await changeRows({ deps, recompute }, sql, taxpayer, ids, { account });
            if (edit !== undefined) edits.push({ ...edit, account });
          }
          const left = rows.length <= assignedMax ? 0 : (await selectAssignable(sql, scope, leftMax)).length;
          return { edits, left };
        });
      },
      onBooks('updateImportAccounts', write('accounts_assigned'), {
        summary: 'Assign earlier rows to the account in this file',
        description: `Assigns the rows of \`accountOffers\`. They are also in this file, and were stored under the name of their source before their account was known. Each account becomes an edit that you can undo. Assigns at most ${assignedMax} rows at a time.`,
        response: { 200: AccountAssignment, ...problems('conflict', 'year_locked') },
      }),
    );
