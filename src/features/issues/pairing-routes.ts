import { Elysia, t } from 'elysia';
import type { Deps } from '../../deps.ts';
import { booksQuery, closed, id, idParams, nullable, oneOf, problems } from '../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import { inTurn } from '../transactions/turn.ts';
import { clearPairing, readPairing, setPairing } from './pairing.ts';

const tags = ['Tax'];

const Pairing = closed(
  {
    with: nullable(
      t.String({ description: 'The transaction at the other end; null for none, or for what the engine finds.' }),
    ),
    by: oneOf(['hand', 'engine'], 'Who says so.'),
  },
  { title: 'Pairing' },
);
const Wanted = closed(
  { with: nullable(id), note: t.Optional(t.String({ maxLength: 2_000 })) },
  { title: 'WantedPairing', description: 'The other end; null: it has none.' },
);

/** Legs of transfers, joined and parted by hand: also those that the engine joined by itself. */
export const pairingRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/transfers' })
    .use(access)
    .get(
      '/:id',
      ({ taxpayer, params }) =>
        deps.database.asTaxpayer(taxpayer.id, (sql) => readPairing(sql, taxpayer.id, params.id), { readOnly: true }),
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 200: Pairing, ...problems(404) },
        detail: {
          summary: 'What was said by hand of a withdrawal or a deposit',
          operationId: 'readPairing',
          tags,
        },
      },
    )
    .put(
      '/:id',
      ({ taxpayer, params, body }) =>
        inTurn(deps, taxpayer.id, async (sql) => {
          await setPairing(sql, taxpayer.id, params.id, body.with, body.note ?? '', deps.clock.now());
          return readPairing(sql, taxpayer.id, params.id);
        }),
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        body: Wanted,
        response: { 200: Pairing, ...problems(404, 409, 422) },
        detail: {
          summary: 'Pair a withdrawal and a deposit, or part them',
          description:
            'Whatever the engine made of them: with the id of the other leg the two are one transfer, with null the leg has no other end. What was said of either before no longer counts. The gains follow.',
          operationId: 'setPairing',
          tags,
        },
      },
    )
    .delete(
      '/:id',
      async ({ taxpayer, params, set }) => {
        await inTurn(deps, taxpayer.id, (sql) => clearPairing(sql, taxpayer.id, params.id));
        set.status = 204;
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 204: t.Void(), ...problems(404, 409) },
        detail: {
          summary: 'Leave the pairing to the engine again',
          operationId: 'clearPairing',
          tags,
        },
      },
    );
