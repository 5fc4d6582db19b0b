import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  grantedRoles,
  type Permission,
  permissionByOperation,
  permissionsByRole,
  resolvePermission,
  roles,
} from '../../src/features/people/auth/permissions.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { grantAccess } from '../support/grants.ts';
import type { ApiOperation } from '../support/walk/api-document.ts';
import { credentialsFor, joined } from '../support/walk/credentials.ts';

/**
 * Checks the table that defines what each role may do against the API document. A missing operation on books fails this
 * test.
 */
interface Documented {
  readonly method: string;
  readonly path: string;
  readonly types: readonly string[];
  readonly security: ApiOperation['security'];
}

let app: TestApp;
let operations: Documented[];
beforeAll(async () => {
  app = await testApp();
  const document = (await (await app.request('GET', '/v1/openapi.json')).json()) as {
    paths: Record<string, Record<string, ApiOperation>>;
  };
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { parameters }]) => parameters?.some(({ name }) => name === 'client'))
      .map(([method, { requestBody, security }]) => {
        return { method: method.toUpperCase(), path, types: Object.keys(requestBody?.content ?? {}), security };
      }),
  );
});
afterAll(() => app.close());

describe('the table of roles', () => {
  test('lists exactly the operations on books that are not GET', () => {
    const writing = operations.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(permissionByOperation).toSorted()).toEqual(writing.toSorted());
  });

  test('gives each role everything that the role below it has, and more', () => {
    expect(roles.map((role) => [role, ...permissionsByRole[role]])).toEqual([
      ['owner', 'read', 'write', 'review', 'own'],
      ['manager', 'read', 'write', 'review', 'own'],
      ['reviewer', 'read', 'write', 'review'],
      ['preparer', 'read', 'write'],
      ['viewer', 'read'],
    ]);
  });

  test('reserves unlisted operations for the owner', () => {
    expect(resolvePermission({ method: 'POST', template: '/v1/tax/surprise/:id' })).toBe('own');
    expect(resolvePermission({ method: 'DELETE', template: '/v1/transactions/:id' })).toBe('write');
  });
});

describe('every operation on books', () => {
  test('follows the table for each role, and returns 404 to users without access', async () => {
    const client = await app.register('PRO');
    const cpas = await Promise.all(
      grantedRoles.map(async (role) => {
        const cpa = await app.register('CPA');
        return { role, cpa, id: await grantAccess(app, cpa, client, role) };
      }),
    );
    const stranger = await app.register('CPA');
    const books = cpas[0]?.id ?? '';
    const streams = operations.filter(({ path }) => !path.endsWith('/stream'));
    expect(streams.length).toBeGreaterThan(50);
    for (const operation of streams) {
      const name = `${operation.method} ${operation.path}`;
      const act: Permission = operation.method === 'GET' ? 'read' : (permissionByOperation[name] ?? 'own');
      for (const { role, cpa, id } of cpas) {
        const { status, code } = await ask(cpa, operation, id);
        const isRefused = status === 403 && code === 'forbidden';
        expect([name, role, isRefused, status]).toEqual([name, role, !permissionsByRole[role].includes(act), status]);
        expect([name, role, status < 500]).toEqual([name, role, true]);
      }
      expect([name, (await ask(stranger, operation, books)).status]).toEqual([name, 404]);
    }
  });
});

async function ask(who: TestClient, { method, path, types, security }: Documented, client: string) {
  const filled = path.replace('{year}', '2025').replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
  const given = types.includes('application/json')
    ? { body: {} }
    : types.includes('text/csv')
      ? { body: 'a', headers: { 'content-type': 'text/csv' } }
      : {};
  const credentials = await credentialsFor(app, { security }, who.cookie);
  const response = await app.request(method, `${filled}?client=${client}`, joined(given, credentials));
  const text = await response.text();
  const code = response.status >= 400 ? (JSON.parse(text) as { code: string }).code : '';
  return { status: response.status, code };
}
