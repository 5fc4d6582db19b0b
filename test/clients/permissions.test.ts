import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { grantedRoles, permissionsByRole, roles } from '../../src/features/people/auth/permissions.ts';
import type { Operation } from '../../src/http/operations/operations.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { grantAccess } from '../support/grants.ts';
import type { ApiOperation } from '../support/walk/api-document.ts';
import { credentialsFor, joined } from '../support/walk/credentials.ts';
import { declaredOperations } from '../support/walk/declared.ts';

/** Checks what each role may do, for every operation on books. */
interface Documented {
  readonly method: string;
  readonly path: string;
  readonly types: readonly string[];
  readonly security: ApiOperation['security'];
}

let app: TestApp;
let operations: Documented[];
let declared: ReadonlyMap<string, Operation>;
beforeAll(async () => {
  app = await testApp();
  declared = declaredOperations(app.app);
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

describe('the permissions of roles', () => {
  test('are declared by exactly the operations on books', () => {
    const onBooks = [...declared].filter(([, { permission }]) => permission !== null).map(([name]) => name);
    expect(onBooks.toSorted()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  test('are more than reading for each change', () => {
    const reading = [...declared].filter(([name, { permission }]) => permission === 'read' && !name.startsWith('GET'));
    // The MCP tools check additional permissions themselves.
    expect(reading.map(([name]) => name).toSorted()).toEqual(['POST /mcp', 'POST /v1/tax/what-if']);
  });

  test('give each role everything that the role below it has, and more', () => {
    expect(roles.map((role) => [role, ...permissionsByRole[role]])).toEqual([
      ['owner', 'read', 'write', 'review', 'own'],
      ['manager', 'read', 'write', 'review', 'own'],
      ['reviewer', 'read', 'write', 'review'],
      ['preparer', 'read', 'write'],
      ['viewer', 'read'],
    ]);
  });

  test('reserve consents and notification settings for the owner', () => {
    const own = [...declared].filter(([, { permission }]) => permission === 'own').map(([name]) => name);
    expect(own.toSorted()).toEqual([
      'DELETE /v1/ai/consents/{id}',
      'PATCH /v1/notifications/settings',
      'POST /v1/ai/consents',
    ]);
  });
});

describe('every operation on books', () => {
  test('follows its declaration for each role, and returns 404 to users without access', async () => {
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
      const act = declared.get(name)?.permission ?? 'own';
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
