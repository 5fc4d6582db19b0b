import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { notFound, parseUuid } from '../../../http/errors.ts';
import { computeEtag, hasIfMatch, requireMatch } from '../../../http/etag.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { limitDefault, page, readCursor } from '../../../http/list.ts';
import { group, person, read, write } from '../../../http/operations.ts';
import { closed, id, instant, listOf, listQuery, notBlank, nullable, problems, whole } from '../../../http/schemas.ts';
import { dryRun, YearsPreview } from '../../../http/years-preview.ts';
import type { Access, Caller } from '../auth/access.ts';
import { countClients } from '../auth/auth.queries.ts';
import { booksChange, clientRole, email, printedNames, timeZoneStated } from '../auth/auth.schemas.ts';
import { requireRolePermission } from '../auth/permissions.ts';
import { requireClientCapacity } from '../auth/plan.ts';
import { changeBooks, previewTimeZone, type TimeZoneHooks, timeZoneView } from '../auth/profile.ts';
import {
  type ClientRow,
  deleteClient,
  deleteGrant,
  lockClient,
  readClients,
  selectOwner,
  updateClient,
} from './clients.queries.ts';
import { grantRoutes } from './grants.routes.ts';
import { invitationRoutes } from './invitations/invitations.routes.ts';
import { createClient } from './new-client.ts';
import { notifyClientLimitNear, notifyUser } from './notices.ts';

const Client = closed(
  {
    id,
    role: clientRole,
    name: t.String({ description: 'The client’s name. If the owner shared the books, the owner’s name.' }),
    email: t.Optional(t.String()),
    ...printedNames,
    timeZone: t.String(),
    timeZoneStated,
    createdAt: instant,
    transactions: whole({ description: 'The number of stored transactions.' }),
    years: t.Array(whole(), { description: 'The tax years with activity.' }),
  },
  { title: 'Client' },
);

const clientName = t.String({ minLength: 1, maxLength: 200, ...notBlank });
const details = { email: t.Optional(nullable(email)), ...booksChange };
const ClientBody = closed(
  { name: clientName, ...details },
  { title: 'NewClient', examples: [{ name: 'Jo Meadows', email: 'jo@example.com', timeZone: 'America/Chicago' }] },
);
const ClientChange = closed(
  { name: t.Optional(clientName), ...details },
  { title: 'ClientUpdate', examples: [{ taxpayerName: 'Jo Q. Meadows' }] },
);

const ClientUpdateResult = closed(
  { ...Client.properties, preview: t.Optional(YearsPreview) },
  { title: 'ClientUpdateResult' },
);

const { signedIn } = group('Clients');

/**
 * Defines the routes for a CPA's clients, which are taxpayers with their own books, and for sharing books. Other routes
 * work on a client's books with `?client=`.
 */
export const clientRoutes = (deps: Deps, access: Access, options: TimeZoneHooks) =>
  new Elysia()
    .use(
      new Elysia({ prefix: '/clients' })
        .use(access)
        .get(
          '',
          async ({ caller, query: parameters }) => {
            const limit = parameters.limit ?? limitDefault;
            const after = readCursor(parameters.cursor, ['instant', 'uuid']) ?? null;
            const rows = await deps.database.asService((sql) => readClients(sql, caller.userId, { after, limit }));
            return page(rows, limit, (row) => [row.createdAt.toISOString(), row.id], toClientView);
          },
          signedIn('listClients', read, {
            summary: 'List clients, oldest first',
            query: listQuery,
            response: { 200: listOf(Client) },
          }),
        )
        .post(
          '',
          (context) =>
            idempotent(deps, context, async (saveResponse) => {
              const made = await deps.database.asService(async (sql) => {
                const client = await createClient(sql, deps, context.caller, context.body);
                return saveResponse(sql, { status: 201, body: toClientView(client) });
              });
              await notifyClientLimitNear(deps, context.caller.userId);
              return made;
            }),
          signedIn('createClient', write('client_created'), {
            summary: 'Create a client',
            body: ClientBody,
            response: { 201: Client, ...problems('plan_limit') },
          }),
        )
        .use(itemRoutes(deps, access, options)),
    )
    .use(invitationRoutes(deps, access))
    .use(grantRoutes(deps, access));

const itemRoutes = (deps: Deps, access: Access, hooks: TimeZoneHooks) => {
  const find = async (userId: string, clientId: string): Promise<ClientRow> => {
    const listRequest = { id: parseUuid(clientId), limit: 1 };
    const [client] = await deps.database.asService((sql) => readClients(sql, userId, listRequest));
    if (client === undefined) throw notFound();
    return client;
  };
  return new Elysia()
    .use(access)
    .get(
      '/:id',
      async ({ caller, params, set }) => {
        const client = await find(caller.userId, params.id);
        set.headers.etag = await computeTag(client);
        return toClientView(client);
      },
      signedIn('getClient', read, { summary: 'Get a client', response: { 200: Client } }),
    )
    .patch(
      '/:id',
      async ({ body, caller, params, query: { dryRun }, request, set }) => {
        const client = await find(caller.userId, params.id);
        // Only the client can change the name and address of a client with an account.
        requireRolePermission(client.role, body.name === undefined && body.email === undefined ? 'write' : 'own');
        await requireWithinPlan(deps, caller);
        const check = async () => requireMatch(request, await computeTag(await find(caller.userId, client.id)));
        if (dryRun === true) {
          const books = { userId: caller.userId, taxpayerId: client.id };
          return { ...toClientView(client), ...(await previewTimeZone(deps, books, body, hooks)) };
        }
        const changes = { name: body.name?.trim(), email: body.email };
        await changeBooks(deps, client.id, body, hooks.onTimeZoneChange, {
          check: hasIfMatch(request) ? check : undefined,
          change: (sql) => updateClient(sql, client.id, changes),
        });
        const changed = await find(caller.userId, client.id);
        set.headers.etag = await computeTag(changed);
        return toClientView(changed);
      },
      signedIn('updateClient', write('client_changed'), {
        summary: 'Update a client',
        query: { dryRun },
        body: ClientChange,
        response: { 200: ClientUpdateResult, ...problems('plan_limit', 'year_locked', 'precondition_failed') },
      }),
    )
    .delete(
      '/:id',
      async ({ caller, params, request }) => {
        const client = await find(caller.userId, params.id);
        if (client.role === 'manager') await remove(deps, caller, client.id, request);
        else {
          requireMatch(request, await computeTag(client));
          await leave(deps, caller, client.id);
        }
      },
      signedIn('deleteClient', person('client_deleted'), {
        summary: 'Delete a client with all its books, or leave shared books',
        description:
          'Deletes a client and the books. If the books have an owner, they are kept and only the caller’s access ends.',
        response: { 204: t.Void(), ...problems('precondition_failed') },
      }),
    );
};

async function remove(deps: Deps, caller: Caller, clientId: string, request: Request): Promise<void> {
  await deps.database.asService(async (sql) => {
    await lockClient(sql, clientId);
    const [client] = await readClients(sql, caller.userId, { id: clientId, limit: 1 });
    if (client === undefined) throw notFound();
    requireMatch(request, await computeTag(client));
    if (!(await deleteClient(sql, caller.userId, clientId))) throw notFound();
  });
}

async function leave(deps: Deps, caller: Caller, clientId: string): Promise<void> {
  const owner = await deps.database.asService(async (sql) => {
    if (!(await deleteGrant(sql, clientId, caller.userId))) throw notFound();
    return selectOwner(sql, clientId);
  });
  if (owner === undefined) return;
  await notifyUser(deps, owner.userId, {
    kind: 'access_changed',
    title: 'A user left your books',
    body: `${caller.email} no longer has access to your books.`,
    link: '/v1/account/grants',
    at: deps.clock.now(),
  });
}

/**
 * Rejects changes while the user has more clients than the plan allows, for example after a downgrade. Their books can
 * still be read.
 */
async function requireWithinPlan(deps: Deps, { plan, userId }: Caller): Promise<void> {
  requireClientCapacity(plan, await deps.database.asService((sql) => countClients(sql, userId)), 0);
}

/** Returns an ETag of the editable fields only, because imports change the other fields. */
function computeTag({ name, email: address, taxpayerName, tin, timeZone, role }: ClientRow): Promise<string> {
  return computeEtag('client', name, address, taxpayerName, tin, timeZone, role);
}

function toClientView({ email: address, tin, createdAt, timeZone, ...client }: ClientRow) {
  return {
    ...client,
    ...timeZoneView(timeZone),
    ...(address === null ? {} : { email: address }),
    ...(tin === '' ? {} : { tin }),
    createdAt: createdAt.toISOString(),
  };
}
