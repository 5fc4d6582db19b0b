import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { tokenScopes } from '../../src/http/operations/operations.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { grantAccess } from '../support/grants.ts';
import { type AddressedOperation, operationsOf, readDocument } from '../support/walk/api-document.ts';
import { credentialsFor, isForPrograms } from '../support/walk/credentials.ts';
import { declaredOperations } from '../support/walk/declared.ts';

/** Checks the permissions of every documented operation. New operations are included automatically. */

let app: TestApp;
let operations: AddressedOperation[];
beforeAll(async () => {
  app = await testApp();
  operations = operationsOf(await readDocument(app));
});
afterAll(() => app.close());

const nameOf = ({ method, path }: AddressedOperation): string => `${method} ${path}`;

test('exactly the documented operations declare who may use them', () => {
  expect([...declaredOperations(app.app).keys()].sort()).toEqual(operations.map(nameOf).sort());
});

test('the document states for each operation whether it needs a session and which tokens it accepts', () => {
  for (const { operation, ...address } of operations) {
    const schemes = operation.security.flatMap((way) => Object.keys(way));
    const tokens = schemes.filter((scheme) => scheme === 'bearer');
    const known = isForPrograms(operation) || schemes.length === 0 ? tokens : ['session', ...tokens];
    expect([address.path, schemes]).toEqual([address.path, known]);
  }
  expect(operations.filter(({ operation }) => isForPrograms(operation)).map(nameOf)).toEqual(['POST /mcp']);
  expect(operations.filter(({ operation }) => takes(operation, 'read')).length).toBeGreaterThan(30);
});

const takes = (operation: AddressedOperation['operation'], scope: string): boolean =>
  operation.security.some((way) => way.bearer?.includes(scope) === true);

test('no address contains a secret or a taxpayer number, except the unsubscribe link in emails', () => {
  const named = operations.flatMap((each) =>
    (each.operation.parameters ?? [])
      .filter((parameter) => parameter.in !== 'header' && secretName.test(parameter.name))
      .map(({ name }) => `${each.path} ${name}`),
  );
  // The code in a provider callback works once, and only with a cookie.
  expect(named).toEqual(['/v1/notifications/unsubscribe token']);
});
const secretName = /pass|token|secret|totp|tin$|email|session|key|signature/i;

describe.each(tokenScopes)('a token with only the scope %s', (scope) => {
  test('is accepted if the document names the scope, and is refused otherwise', async () => {
    const token = await fetchToken(await app.register('CPA'), [scope]);
    const statuses = new Map<string, number>();
    for (const addressed of operations.filter(({ operation }) => operation.security.length > 0)) {
      const response = await ask(addressed, { authorization: `Bearer ${token}` });
      statuses.set(nameOf(addressed), response.status);
      await response.body?.cancel();
    }
    const refused = [...statuses].filter(([, status]) => status === 401 || status === 403).map(([name]) => name);
    const expected = operations.filter(({ operation }) => operation.security.length > 0 && !takes(operation, scope));
    expect(refused.sort()).toEqual(expected.map(nameOf).sort());
  });
});

describe('a CPA', () => {
  test('can access the books of a grant, but not before or after the grant', async () => {
    const [owner, cpa] = [await app.register('PRO'), await app.register('CPA')];
    const ofBooks = operations.filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'client'));
    expect(ofBooks.length).toBeGreaterThan(50);
    const statuses = async (client: string): Promise<Map<string, number>> => {
      const found = new Map<string, number>();
      for (const each of ofBooks) {
        const { cookie, headers } = await credentialsFor(app, each.operation, cpa.cookie);
        const response = await ask(
          each,
          { ...headers, ...(cookie === undefined ? {} : { cookie }) },
          `?client=${client}`,
        );
        found.set(nameOf(each), response.status);
        await response.body?.cancel();
      }
      return found;
    };
    const books = await fetchBooks(owner);
    const all404 = new Map(ofBooks.map((each) => [nameOf(each), 404]));
    expect(await statuses(books)).toEqual(all404);
    const client = await grantAccess(app, cpa, owner, 'reviewer');
    expect(client).toBe(books);
    const reached = [...(await statuses(client))].filter(([name, status]) => !name.includes('{id}') && status === 404);
    expect(reached).toEqual([]);
    const { data } = await owner.json<{ data: { id: string }[] }>('GET', '/v1/account/grants');
    for (const { id } of data) await owner.json('DELETE', `/v1/account/grants/${id}`, {}, 204);
    expect(await statuses(client)).toEqual(all404);
  });
});

async function fetchBooks({ email }: TestClient): Promise<string> {
  const [row] = await app.books.asOwner(
    (sql) => sql<{ id: string }[]>`
      select m.taxpayer_id as id from memberships m join users u on u.id = m.user_id
      where u.email = ${email} and m.role = 'owner'`,
  );
  return row?.id ?? '';
}

async function fetchToken(who: TestClient, scopes: readonly string[]): Promise<string> {
  const body = { name: 'Matrix', scopes };
  return (await who.json<{ token: string }>('POST', '/v1/auth/tokens', { body }, 201)).token;
}

/** Uses unknown ids and an invalid body so that an allowed request changes nothing. */
function ask(
  { method, path, operation }: AddressedOperation,
  headers: Record<string, string>,
  query = '',
): Promise<Response> {
  const known = path.replace('{year}', '2025').replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
  const address = `${known}${query}`;
  const types = Object.keys(operation.requestBody?.content ?? {});
  if (types.includes('application/json')) return app.request(method, address, { headers, body: { surprise: 1 } });
  const type = types.includes('text/csv') ? { 'content-type': 'text/csv' } : {};
  return app.request(method, address, { headers: { ...headers, ...type }, ...(types.length > 0 ? { body: 'a' } : {}) });
}
