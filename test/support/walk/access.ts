import { grantedRoles, type Permission, permissionsByRole } from '../../../src/features/people/auth/permissions.ts';
import { tokenScopes } from '../../../src/http/operations.ts';
import type { RequestInput, TestClient } from '../app.ts';
import { grantAccess } from '../grants.ts';
import { type AddressedOperation, isOnBooks, isPublic } from './api-document.ts';
import type { ApiWalk, WalkObserver } from './api-walk.ts';
import { credentialsFor, joined } from './credentials.ts';
import { ruleFor } from './operations.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

/** Replaces each path parameter with an unknown id, or with a valid year. */
export function fillPath(path: string, id: string = unknownId): string {
  return path.replace('{year}', '2025').replace(/\{\w+\}/g, id);
}

/** Uses unknown ids and an invalid body so that an allowed request changes nothing. */
function harmlessRequest({ path, operation }: AddressedOperation) {
  const types = Object.keys(operation.requestBody?.content ?? {});
  const isJson = types.includes('application/json');
  const type = types.includes('text/csv') ? { 'content-type': 'text/csv' } : {};
  const given: RequestInput = isJson
    ? { body: { surprise: 1 } }
    : { headers: type, ...(types.length > 0 ? { body: 'a' } : {}) };
  return { path: fillPath(path), given };
}

/** A response to a harmless request. */
interface Outcome {
  readonly status: number;
  /** The error code. */
  readonly code: string;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends each operation as users who may not use it, or only under a condition: without a session, with a token of each
 * scope, as a member with each role, as a former member, and as a stranger.
 */
export async function openAccess(walk: ApiWalk): Promise<WalkObserver> {
  const { app } = walk;
  const harmless = async (addressed: AddressedOperation, credentials: RequestInput, query = ''): Promise<Outcome> => {
    const { path, given } = harmlessRequest(addressed);
    const response = await app.request(addressed.method, `${path}${query}`, joined(given, credentials));
    const { status, headers } = response;
    if (headers.get('content-type')?.startsWith('text/event-stream') === true) {
      await response.body?.cancel();
      return { status, code: '', headers, text: '' };
    }
    const text = await response.text();
    return { status, code: status < 400 ? '' : (JSON.parse(text) as { code: string }).code, headers, text };
  };
  const asUser = async (addressed: AddressedOperation, who: TestClient, query = ''): Promise<Outcome> =>
    harmless(addressed, await credentialsFor(app, addressed.operation, who.cookie), query);

  const client = await app.register('PRO');
  const members = await Promise.all(
    grantedRoles.map(async (role) => {
      const who = await app.register('CPA');
      return { role, who, books: await grantAccess(app, who, client, role) };
    }),
  );
  const [{ books } = { books: '' }] = members;
  const former = await app.register('CPA');
  await grantAccess(app, former, client, 'reviewer');
  await endGrant(client, former);
  const stranger = await app.register('CPA');
  const manager = await app.register('CPA');
  const managed = await manager.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Secret' } }, 201);
  const tokens = await Promise.all(
    tokenScopes.map(async (scope) => {
      const body = { name: 'Matrix', scopes: [scope] };
      return { scope, token: (await stranger.json<{ token: string }>('POST', '/v1/auth/tokens', { body }, 201)).token };
    }),
  );

  const askStrangers = async (addressed: AddressedOperation): Promise<string[]> => {
    const faults: string[] = [];
    const { operation, path } = addressed;
    const anonymous = await harmless(addressed, {});
    if (anonymous.status !== 401 || anonymous.code !== 'unauthenticated')
      faults.push(`without a session: ${anonymous.status} ${anonymous.code}`);
    // Years have no owner.
    if (!path.replace('{year}', '').includes('{')) return faults;
    const unknown = await asUser(addressed, stranger);
    const allowed = operation.requestBody === undefined ? [404] : [404, 415, 422];
    if (!allowed.includes(unknown.status)) faults.push(`with an unknown id: ${unknown.status}`);
    if (unknown.text.includes('select')) faults.push(`with an unknown id: ${unknown.text}`);
    if (addressed.method === 'GET') faults.push(...cacheFaults(unknown.headers));
    return faults;
  };

  const askWithTokens = async (addressed: AddressedOperation): Promise<string[]> => {
    const faults: string[] = [];
    for (const { scope, token } of tokens) {
      const { status } = await harmless(addressed, { headers: { authorization: `Bearer ${token}` } });
      const isAccepted = addressed.operation.security.some((way) => way.bearer?.includes(scope) === true);
      if ((status !== 401 && status !== 403) !== isAccepted)
        faults.push(`a token with the scope ${scope}: ${status}, but the document says ${isAccepted}`);
    }
    return faults;
  };

  const askMembers = async (addressed: AddressedOperation): Promise<string[]> => {
    const faults: string[] = [];
    const permission: Permission = ruleFor(addressed)?.permission ?? 'own';
    for (const { role, who, books: id } of members) {
      const { status, code } = await asUser(addressed, who, `?client=${id}`);
      const isRefused = status === 403 && code === 'forbidden';
      const isAllowed = permissionsByRole[role].includes(permission);
      // A member who may use the operation reaches the books.
      const isLost = isAllowed && status === 404 && !addressed.path.includes('{');
      if (isRefused === isAllowed || isLost || status >= 500)
        faults.push(`as ${role}: ${status} ${code}, but the operation requires the permission ${permission}`);
    }
    for (const [name, who, id] of [
      ['a stranger', stranger, books],
      ['a former member', former, books],
      ['a stranger of a managed client', stranger, managed.id],
    ] as const) {
      const { status } = await asUser(addressed, who, `?client=${id}`);
      if (status !== 404) faults.push(`as ${name}: ${status} instead of 404`);
    }
    return faults;
  };

  const askedPaths = new Set<string>();
  /** Sends the methods that the path does not have, without a session. */
  const askOtherMethods = async ({ path }: AddressedOperation): Promise<string[]> => {
    if (askedPaths.has(path)) return [];
    askedPaths.add(path);
    const faults: string[] = [];
    const known = Object.keys(walk.document.paths[path] ?? {}).map((method) => method.toUpperCase());
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((name) => !known.includes(name))) {
      const response = await app.request(method, fillPath(path));
      const { code } = (await response.json()) as { code: string };
      // A static path may also match a path with a parameter, and that path may support the method.
      if (response.status === 401) continue;
      const named = (response.headers.get('allow') ?? '').split(', ');
      if (response.status !== 405 || code !== 'method_not_allowed' || !known.every((each) => named.includes(each)))
        faults.push(`${method} instead: ${response.status} ${code}, allowed: ${named}`);
    }
    return faults;
  };

  const asked = new Set<string>();
  return {
    before: async (step) => {
      const { operation } = step;
      if (asked.has(operation.operationId)) return [];
      asked.add(operation.operationId);
      return [
        ...(await askOtherMethods(step)),
        ...(isPublic(operation) ? [] : [...(await askStrangers(step)), ...(await askWithTokens(step))]),
        ...(isOnBooks(operation) ? await askMembers(step) : []),
      ];
    },
    after: async (step, response) => {
      return step.method !== 'GET' || isPublic(step.operation) ? [] : cacheFaults(response.headers);
    },
  };
}

async function endGrant(client: TestClient, former: TestClient): Promise<void> {
  const { data } = await client.json<{ data: { id: string; email: string }[] }>('GET', '/v1/account/grants');
  const grant = data.find(({ email }) => email === former.email);
  await client.json('DELETE', `/v1/account/grants/${grant?.id}`, {}, 204);
}

/** Proxies may not cache a user's data, or must revalidate it. */
function cacheFaults(headers: Headers): string[] {
  const control = headers.get('cache-control') ?? '';
  return /no-store|private, no-cache/.test(control) ? [] : [`Cache-Control: ${control}`];
}
