import { Elysia, t } from 'elysia';
import { invalidMember, Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { notFound, parseUuid, requireFound } from '../../../http/errors.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { followImport, group, type Rule, write } from '../../../http/operations.ts';
import { listOf, problems } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { seal } from '../../people/seal.ts';
import type { ImportDeps } from '../imports/import-deps.ts';
import {
  type ConnectionRow,
  type ConnectionScope,
  deleteConnection,
  insertConnection,
  requestSync,
  selectConnection,
  selectConnections,
  updateAutomatic,
} from './connections.queries.ts';
import { Connection, ConnectionChange, NewConnection } from './connections.schemas.ts';
import {
  type ExchangeClient,
  ExchangeFault,
  type ExchangeKeys,
  type ExchangeKind,
  KeysRefused,
} from './exchanges/exchange.ts';
import { listExchanges } from './exchanges.ts';
import { keepSyncing } from './sync.ts';

const { onBooks } = group('Imports');
/** A person enters the keys of another service. A token may only read the state and start a sync. */
const byPerson = (rule: Rule): Rule => ({ ...rule, scopes: [] });
const connectionsMax = 20;
const millisecondsPerDay = 86_400_000;

/** Connects exchanges and brokers, whose rows are then imported by syncs. */
export const connectionRoutes = (deps: ImportDeps, access: Access) => {
  const exchanges = listExchanges(deps);
  let stopSyncing = (): void => {};
  return new Elysia({ prefix: '/connections' })
    .onStart(() => {
      stopSyncing = keepSyncing(deps, exchanges);
    })
    .onStop(() => stopSyncing())
    .use(access)
    .get(
      '',
      async ({ books, taxpayer }) => {
        const rows = await books.read((sql) => selectConnections(sql, taxpayer.id));
        const at = deps.clock.now();
        return { data: rows.map((row) => connectionView(row, at)), hasMore: false, nextCursor: null };
      },
      onBooks('listConnections', followImport, {
        summary: 'List connected exchanges and brokers',
        response: { 200: listOf(Connection) },
      }),
    )
    .post(
      '',
      (context) => {
        const { books, body, caller, request, taxpayer } = context;
        deps.rateLimits.take('work', caller.userId);
        const keys = { key: body.key.trim(), secret: body.secret.trim() };
        return idempotent(deps, context, async (saveResponse) => {
          const exchange = requireExchange(exchanges, body.kind);
          await checkKeys(exchange, keys, request.signal);
          const scope = { taxpayerId: taxpayer.id, id: crypto.randomUUID() };
          const sealed = await seal(deps, JSON.stringify(keys), { of: scope.id, purpose: 'connection' });
          const at = deps.clock.now();
          return books.change(async (sql) => {
            if ((await selectConnections(sql, taxpayer.id)).length >= connectionsMax) throw tooMany();
            await insertConnection(sql, scope, {
              ...{ kind: body.kind, account: body.account?.trim() ?? exchange.name, userId: caller.userId, at },
              ...{ isAutomatic: body.automatic ?? true, ...sealed },
            });
            return saveResponse(sql, { status: 201 as const, body: await readView(sql, scope, at) });
          });
        });
      },
      onBooks('createConnection', byPerson(write('exchange_connected')), {
        summary: 'Connect an exchange or broker',
        description:
          'Checks the keys with the service first. Keys that can trade or withdraw are refused if the service reports it. The first sync begins at once and reads the whole history. Each sync with new rows is an import.',
        body: NewConnection,
        response: { 201: Connection, ...problems('conflict', 'exchange_unconfigured', 'exchange_failed') },
      }),
    )
    .patch(
      '/:id',
      ({ books, body, params, taxpayer }) => {
        const scope = { taxpayerId: taxpayer.id, id: parseUuid(params.id) };
        const at = deps.clock.now();
        return books.change(async (sql) => {
          const { syncedAt } = requireFound(await selectConnection(sql, scope));
          const next = new Date((syncedAt ?? at).getTime() + (syncedAt === null ? 0 : millisecondsPerDay));
          await updateAutomatic(sql, scope, body.automatic, body.automatic ? next : null);
          return readView(sql, scope, at);
        });
      },
      onBooks('updateConnection', byPerson(write('exchange_changed')), {
        summary: 'Turn daily syncs on or off',
        body: ConnectionChange,
        response: { 200: Connection },
      }),
    )
    .post(
      '/:id/sync',
      ({ books, caller, params, taxpayer }) => {
        deps.rateLimits.take('work', caller.userId);
        const scope = { taxpayerId: taxpayer.id, id: parseUuid(params.id) };
        const at = deps.clock.now();
        return books.change(async (sql) => {
          const { kind } = requireFound(await selectConnection(sql, scope));
          requireExchange(exchanges, kind);
          await requestSync(sql, scope, at);
          return readView(sql, scope, at);
        });
      },
      onBooks(
        'importFromConnection',
        { ...write('exchange_synced'), scopes: ['import'] },
        {
          summary: 'Sync a connection now',
          description:
            'The sync runs in the background; `GET /connections` shows its state. If the service asked to wait, it continues after that time. A second request while a sync runs has no effect.',
          response: { 200: Connection, ...problems('exchange_unconfigured') },
        },
      ),
    )
    .delete(
      '/:id',
      async ({ books, params, taxpayer }) => {
        const scope = { taxpayerId: taxpayer.id, id: parseUuid(params.id) };
        if (!(await books.change((sql) => deleteConnection(sql, scope)))) throw notFound();
      },
      onBooks('deleteConnection', byPerson(write('exchange_disconnected')), {
        summary: 'Disconnect an exchange or broker',
        description:
          'Deletes the keys from this server. Imported transactions stay. Delete the key at the service too.',
        response: { 204: t.Void() },
      }),
    );
};

function requireExchange(exchanges: readonly ExchangeClient[], kind: ExchangeKind): ExchangeClient {
  const exchange = exchanges.find((one) => one.kind === kind);
  if (exchange !== undefined) return exchange;
  throw new Refusal('exchange_unconfigured', 'This server does not connect to that service. Import its files instead.');
}

async function checkKeys(exchange: ExchangeClient, keys: ExchangeKeys, signal: AbortSignal): Promise<void> {
  try {
    await exchange.checkKeys(keys, signal);
  } catch (error) {
    if (error instanceof KeysRefused) throw invalidMember(`/${error.field}`, error.message);
    if (!(error instanceof ExchangeFault)) throw error;
    const { message, retrySeconds } = error;
    throw new Refusal('exchange_failed', `${message} Nothing was saved. Try again in a few minutes.`, {
      retryAfterSeconds: retrySeconds ?? 60,
    });
  }
}

function tooMany(): Refusal {
  return new Refusal(
    'conflict',
    `These books have ${connectionsMax} connections, which is the maximum. Disconnect one.`,
  );
}

async function readView(sql: Sql, scope: ConnectionScope, at: Date) {
  return connectionView(requireFound(await selectConnection(sql, scope)), at);
}

function connectionView(row: ConnectionRow, at: Date) {
  const { id, kind, account, isAutomatic, reading, problem, syncedAt, dueAt, importIds, createdAt } = row;
  return {
    ...{ id, kind, account, automatic: isAutomatic, state: toState(row, at), problem },
    progress: reading === null ? null : { pages: reading.pages },
    lastSyncAt: syncedAt?.toISOString() ?? null,
    nextSyncAt: dueAt?.toISOString() ?? null,
    lastImportId: importIds.at(-1) ?? null,
    createdAt: createdAt.toISOString(),
  };
}

function toState({ isRunning, dueAt, problem }: ConnectionRow, at: Date) {
  if (isRunning || (dueAt !== null && dueAt <= at)) return 'syncing' as const;
  if (problem === null) return 'idle' as const;
  return problem.code === 'busy' ? ('waiting' as const) : ('failed' as const);
}
