import { describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Elysia, getSchemaValidator, t } from 'elysia';
import { replyEvents } from '../../src/features/answers/messages/messages.schemas.ts';
import { importEventKinds } from '../../src/features/ledger/imports/events.ts';
import { permissionsByRole, roles } from '../../src/features/people/auth/permissions.ts';
import { auditActions } from '../../src/http/audit-actions.ts';
import { guard } from '../../src/http/guard.ts';
import { operationVerbs } from '../../src/http/operations.ts';
import {
  type ApiOperation,
  documentedDeps,
  isOnBooks,
  isPublic,
  nameOf,
  operationsOf,
  readDocument,
} from '../support/walk/api-document.ts';
import { isForPrograms } from '../support/walk/credentials.ts';
import { declared, ruleFor } from '../support/walk/operations.ts';

/** Checks the OpenAPI document without a database. `every-operation.test.ts` compares the server with the document. */

const document = await readDocument();
const operations = operationsOf(document);

describe('the document', () => {
  test('starts each operationId with a verb from the list', () => {
    const starts = new RegExp(`^(${operationVerbs.join('|')})([A-Z]|$)`);
    const others = operations.map(({ operation }) => operation.operationId ?? '').filter((id) => !starts.test(id));
    expect(operations.length).toBeGreaterThan(150);
    expect(others).toEqual([]);
  });

  test('has an error in words for each text of a request that must match a pattern', () => {
    const silent: string[] = [];
    let patterns = 0;
    const visit = (at: string, schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      if ('pattern' in schema && typeof schema.pattern === 'string') {
        patterns += 1;
        if (!('x-message' in schema)) silent.push(at);
      }
      if ('$ref' in schema) visit(at, schemas[String(schema.$ref).split('/').at(-1) ?? '']);
      for (const [name, part] of Object.entries(schema)) visit(`${at}/${name}`, part);
    };
    const { schemas } = document.components;
    for (const { method, path, operation } of operations) {
      visit(`${method} ${path}`, [operation.requestBody, operation.parameters]);
    }
    expect(patterns).toBeGreaterThan(20);
    // Add an `x-message` to the schema: what to enter, with an example.
    expect(silent).toEqual([]);
  });

  test('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toStartWith('3.1.');
    const result = await new Validator().validate({ ...structuredClone(document) });
    expect(result.valid ? [] : result.errors).toEqual([]);
  });

  test('names the header fields that operations read and send', () => {
    const fieldsOf = (path: string, method: string): string[] =>
      (document.paths[path]?.[method]?.parameters ?? []).flatMap(({ name, in: place }) =>
        place === 'header' ? [name] : [],
      );
    const answered = (path: string, method: string, status: string): string[] =>
      Object.keys(document.paths[path]?.[method]?.responses[status]?.headers ?? {});
    expect(fieldsOf('/v1/transactions/import', 'post')).toEqual(['Idempotency-Key', 'Prefer']);
    expect(fieldsOf('/v1/clients/calculate', 'post')).toEqual(['Idempotency-Key']);
    expect(answered('/v1/transactions/import', 'post', '201')).toContain('Location');
    expect(fieldsOf('/v1/tax/calculate', 'post')).toContain('Prefer');
    expect(answered('/v1/tax/calculate', 'post', '202')).toContain('Location');
    expect(fieldsOf('/v1/notifications/stream', 'get')).toContain('Last-Event-ID');
    expect(fieldsOf('/v1/tax/summary', 'get')).toContain('If-None-Match');
    for (const path of ['/v1/transactions/{id}', '/v1/tax/settings', '/v1/clients/{id}']) {
      expect([path, ...fieldsOf(path, 'patch')]).toContain('If-Match');
      expect([path, ...answered(path, 'get', '200')]).toContain('ETag');
      expect([path, ...answered(path, 'patch', '200')]).toContain('ETag');
    }
  });

  test('defines amounts, days and enums once', () => {
    const names = ['Money', 'Quantity', 'Day', 'Instant', 'TransactionType', 'LotMethod', 'AssetClass', 'IssueKind'];
    expect(Object.keys(document.components.schemas)).toContainValues(names);
    const text = JSON.stringify(document.paths);
    const types = JSON.stringify(document.components.schemas).split('"reported_sale"').length - 1;
    expect(text).not.toContain('"reported_sale"');
    // The component itself lists these words, and so does a mapping, which has two more.
    expect(types).toBeLessThanOrEqual(2);
  });

  test('describes each response if there are several', () => {
    const typesOf = (status: string): string[] =>
      Object.keys(document.paths['/v1/ai/messages']?.post?.responses[status]?.content ?? {});
    expect(typesOf('201')).toEqual(['application/json']);
    expect(typesOf('200')).toEqual(['text/event-stream']);
  });

  test('has no keyword specific to OpenAPI 3.0 or the validator', () => {
    const text = JSON.stringify(document);
    for (const keyword of ['"nullable"', '"format":"integer"', '"format":"numeric"', '"type":"void"', '"~']) {
      expect(text).not.toContain(keyword);
    }
  });

  test('has a summary, a unique id, a tag, and request and response schemas for every operation', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { method, path, operation } of operations) {
      const name = `${method} ${path}`;
      expect([name, typeof operation.operationId, operation.tags?.length]).toEqual([name, 'string', 1]);
      expect([name, (operation.summary ?? '').length > 5]).toEqual([name, true]);
      const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
      expect([name, successes.length > 0]).toEqual([name, true]);
      const bodies = [operation.requestBody?.content, ...successes.map(([, response]) => response.content)];
      for (const content of bodies) {
        if (content === undefined) continue;
        for (const [type, { schema }] of Object.entries(content)) {
          expect([name, type, typeof schema]).toEqual([name, type, 'object']);
        }
      }
      for (const [status, { content }] of successes) {
        if (status === '200' || status === '201') expect([name, content !== undefined]).toEqual([name, true]);
      }
    }
  });

  test('lists the errors of every operation as problems, with their codes', () => {
    for (const { method, path, operation } of operations) {
      const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
      expect([method, path, refusals.map(([status]) => status)]).toEqual([
        method,
        path,
        expect.arrayContaining(['400', '429', '500', '503']) as unknown as string[],
      ]);
      for (const [status, { description, content }] of refusals) {
        expect(description).toMatch(/`[a-z_]+`/);
        // OAuth defines its own errors, which are problems, too.
        const isOAuth = path.startsWith('/oauth/') && status === '400';
        expect(Object.keys(content ?? {})).toEqual([
          'application/problem+json',
          ...(isOAuth ? ['application/json'] : []),
        ]);
      }
      if (!isPublic(operation)) expect(operation.responses['401']).toBeDefined();
    }
  });

  test('describes the session as a cookie', () => {
    expect(document.components.securitySchemes).toMatchObject({
      session: { type: 'apiKey', in: 'cookie', name: 'session' },
    });
  });

  test('requires a session or a token, except for the operations in this list', () => {
    for (const { path } of operations.filter(({ operation }) => isPublic(operation))) {
      expect(path).toMatch(
        /^\/(livez|readyz|metrics|oauth\/(register|token|revoke)|auth\/(google|github)(\/callback)?|v1\/(plans|help(\/\{entry\})?|formats|config|policies|account\/restore|billing\/webhook|notifications\/unsubscribe|auth\/(register|login(\/(factor|link))?|demo|password\/reset(\/(confirm|preview))?|email\/(confirm|verify|undo)|passkeys\/sign-in(\/options)?)))$/,
      );
    }
  });

  test('has an example for every body that is not a file upload', () => {
    const offers = operations.flatMap(({ operation: { operationId, requestBody } }) =>
      Object.entries(requestBody?.content ?? {}).map(([mediaType, { schema, example }]) => ({
        operationId,
        isFile: mediaType === 'multipart/form-data' || 'contentMediaType' in (schema ?? {}),
        example,
      })),
    );
    const without = offers.filter(({ isFile, example }) => !isFile && example === undefined);
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
    expect(offers.length).toBeGreaterThan(20);
  });

  test('has an example for every required parameter', () => {
    const needed = operations.flatMap(({ operation }) =>
      (operation.parameters ?? []).filter(({ name, required }) => required === true && name !== 'id'),
    );
    expect(needed.length).toBeGreaterThan(3);
    expect(needed.filter(({ example }) => example === undefined).map(({ name }) => name)).toEqual([]);
  });

  test('describes each group, in the order of the first steps', () => {
    const names = document.tags.map(({ name }) => name);
    expect(document.tags.filter(({ description = '' }) => description === '').map(({ name }) => name)).toEqual([]);
    expect(new Set(operations.map(({ operation }) => operation.tags[0] ?? ''))).toEqual(new Set(names));
    const linked = [...document.info.description.matchAll(/\(#\/(\w+)\/(\w+)\)/g)];
    expect(linked.length).toBeGreaterThan(5);
    for (const [, group, operationId] of linked) {
      const { operation } = operations.find((each) => each.operation.operationId === operationId) ?? {};
      expect([operationId, operation?.tags[0]]).toEqual([operationId, group]);
    }
  });

  test('lists the events of each stream', () => {
    const streams = operations.flatMap(({ operation }) => {
      const content = Object.values(operation.responses).flatMap((response) => Object.entries(response.content ?? {}));
      return content
        .filter(([mediaType]) => mediaType === 'text/event-stream')
        .map(([, media]) => [operation.operationId, media as { 'x-events'?: object; example?: string }] as const);
    });
    expect(streams.map(([operationId]) => operationId).sort()).toEqual([
      'createMessage',
      'listImportEvents',
      'listNotificationEvents',
    ]);
    for (const [operationId, { 'x-events': events = {}, example = '' }] of streams) {
      const named = Object.entries(events).map(([name, schema]) => [name, Object.keys(schema as object)]);
      expect([operationId, named.filter(([, keys]) => String(keys) !== '$ref')]).toEqual([operationId, []]);
      const shown = [...example.matchAll(/^event: (.+)$/gm)].map((match) => match[1] ?? '');
      expect([operationId, shown]).toEqual([operationId, Object.keys(events)]);
    }
  });

  test('shows events that match their schemas', () => {
    for (const { name, schema, example } of [...importEventKinds, ...replyEvents]) {
      const validator = getSchemaValidator(t.Object({ value: schema }));
      expect([name, validator.Check({ value: example })]).toEqual([name, true]);
    }
  });

  test('states for each operation whether it needs a session and which tokens it accepts', () => {
    for (const { operation, ...address } of operations) {
      const schemes = operation.security.flatMap((way) => Object.keys(way));
      const tokens = schemes.filter((scheme) => scheme === 'bearer');
      const known = isForPrograms(operation) || schemes.length === 0 ? tokens : ['session', ...tokens];
      expect([address.path, schemes]).toEqual([address.path, known]);
    }
    expect(operations.filter(({ operation }) => isForPrograms(operation)).map(nameOf)).toEqual(['POST /mcp']);
    expect(operations.filter(({ operation }) => takes(operation, 'read')).length).toBeGreaterThan(30);
  });

  test('has no address that contains a secret or a taxpayer number, except the unsubscribe link in emails', () => {
    const named = operations.flatMap((each) =>
      (each.operation.parameters ?? [])
        .filter((parameter) => parameter.in !== 'header' && secretName.test(parameter.name))
        .map(({ name }) => `${each.path} ${name}`),
    );
    // The code in a provider callback works once, and only with a cookie.
    expect(named).toEqual(['/v1/notifications/unsubscribe token']);
  });
});

const takes = ({ security }: ApiOperation, scope: string): boolean =>
  security.some((way) => way.bearer?.includes(scope) === true);
const secretName = /pass|token|secret|totp|tin$|email|session|key|signature/i;

/** These operations use POST because they need a body, or belong to the demo account, which has no owner. */
const changeNothing = [
  'calculateWhatIf',
  'signInToDemo',
  'createPasskeyOptions',
  'createPasskeySignInOptions',
  'createProviderLink',
  'createCheckout',
  'createBillingPortal',
  'previewPasswordReset',
  'previewProgramConnection',
  'createProgram',
  'previewNotice',
];

describe('the rules of the operations', () => {
  test('cover exactly the documented operations', () => {
    expect([...declared.keys()].sort()).toEqual(operations.map(nameOf).sort());
  });

  test('have an audit action for each documented write', () => {
    const silent = operations.filter((addressed) => addressed.method !== 'GET' && ruleFor(addressed)?.action === null);
    expect(silent.map(({ operation }) => operation.operationId).sort()).toEqual(changeNothing.toSorted());
  });

  test('uses every audit action', () => {
    const used = new Set(operations.map((addressed) => ruleFor(addressed)?.action));
    // What causes each of these: a failure; a check by the server; the cancellation link, which also undoes; a provider
    // callback; an import by the operator.
    expect(auditActions.filter((act) => !used.has(act))).toEqual([
      'sign_in_failed',
      'sign_in_guesses_noticed',
      'proof_failed',
      'email_change_canceled',
      'identity_linked',
      'account_imported',
    ]);
  });
});

describe('the permissions of roles', () => {
  test('are declared by exactly the operations on books', () => {
    const onBooks = [...declared].filter(([, { permission }]) => permission !== null).map(([name]) => name);
    const documented = operations.filter(({ operation }) => isOnBooks(operation));
    expect(onBooks.sort()).toEqual(documented.map(nameOf).sort());
  });

  test('are more than reading for each change', () => {
    const reading = [...declared].filter(([name, { permission }]) => permission === 'read' && !name.startsWith('GET'));
    // The MCP tools check additional permissions themselves.
    expect(reading.map(([name]) => name).sort()).toEqual([
      'POST /mcp',
      'POST /v1/tax/reports/{id}/notice',
      'POST /v1/tax/reports/{id}/notice/download',
      'POST /v1/tax/what-if',
    ]);
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
    expect(own.sort()).toEqual([
      'DELETE /v1/ai/consents/{id}',
      'PATCH /v1/notifications/settings',
      'POST /v1/ai/consents',
    ]);
  });
});

test('a route that does not declare who may use it stops the server from starting', () => {
  const undeclared = new Elysia().get('/v1/surprise', () => 'a', { detail: { summary: 'Surprise' } });
  expect(() => guard(undeclared, documentedDeps)).toThrow(
    'GET /v1/surprise does not declare who may use it. Pass open(',
  );
  const hidden = new Elysia().get('/page', () => 'a', { detail: { hide: true } });
  expect(() => guard(hidden, documentedDeps)).not.toThrow();
});
