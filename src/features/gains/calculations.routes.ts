import { Elysia, t } from 'elysia';
import type { Deps } from '../../deps.ts';
import { lotMethods } from '../../engine/model.ts';
import { parseUuid, requireFound } from '../../http/errors.ts';
import { idempotent } from '../../http/idempotency.ts';
import { group, read, write } from '../../http/operations.ts';
import { prefersAsync } from '../../http/requests.ts';
import { closed, oneOf, problems, year } from '../../http/schemas.ts';
import { Calculation } from '../ledger/books/books.schemas.ts';
import { inTurn } from '../ledger/transactions/store.ts';
import type { Access } from '../people/auth/access.ts';
import { insertCalculation, selectCalculation } from './calculations.queries.ts';
import { calculationJobs, calculationView, isKept, type ReportMaker, runCalculation } from './calculations.ts';

const { onBooks } = group('Tax');

export const calculationRoutes = (deps: Deps, access: Access, makeReports: ReportMaker) => {
  deps.jobs.handle('calculation', calculationJobs(deps, makeReports));
  return new Elysia()
    .use(access)
    .post(
      '/calculate',
      async (context) => {
        const { books, request, body, caller, taxpayer, server, set, query: parameters } = context;
        deps.rateLimits.take('work', caller.userId);
        server?.timeout(request, 0);
        const input = body ?? {};
        const id = crypto.randomUUID();
        const later = isKept(input) && prefersAsync(request);
        const savedResponse = await idempotent(deps, context, (saveResponse) =>
          later
            ? books.change(async (sql) => {
                await insertCalculation(sql, taxpayer.id, {
                  id,
                  status: 'running',
                  result: null,
                  asked: input,
                  at: deps.clock.now(),
                });
                const body = calculationView({ id, status: 'running', result: null, problem: null });
                const savedResponse = await saveResponse(sql, { status: 202 as 200 | 202, body });
                await deps.jobs.send(sql, { kind: 'calculation', taxpayerId: taxpayer.id, id });
                return savedResponse;
              })
            : inTurn(deps, taxpayer.id, async (sql) => {
                const body = await runCalculation(deps, sql, taxpayer.id, id, input, makeReports);
                return saveResponse(sql, { status: 200 as 200 | 202, body });
              }),
        );
        if (savedResponse.code === 202) {
          const client = parameters.client === undefined ? '' : `?client=${encodeURIComponent(parameters.client)}`;
          set.headers.location = `/v1/tax/calculations/${savedResponse.response.id}${client}`;
          set.headers['preference-applied'] = 'respond-async';
        }
        return savedResponse;
      },
      onBooks('calculate', write('books_calculated'), {
        summary: 'Calculate everything from the first transaction',
        description:
          'Compares the result with the stored books and creates reports for the years with disposals. `year` limits which years are listed and get reports, not the calculation. With `Prefer: respond-async`, the response is 202.',
        body: t.Optional(
          closed(
            {
              year: t.Optional(year),
              method: t.Optional(
                oneOf(lotMethods, 'Replaces the lot methods in the settings. The result is not stored.'),
              ),
              dryRun: t.Optional(t.Boolean()),
            },
            { title: 'NewCalculation', examples: [{ year: 2024 }] },
          ),
        ),
        response: { 200: Calculation, 202: Calculation, ...problems('conflict', 'year_locked') },
      }),
    )
    .get(
      '/calculations/:id',
      async ({ books, taxpayer, params }) => {
        const id = parseUuid(params.id);
        const row = requireFound(await books.read((sql) => selectCalculation(sql, taxpayer.id, id)));
        return calculationView(row);
      },
      onBooks('getCalculation', read, { summary: 'Get a calculation', response: { 200: Calculation } }),
    );
};
