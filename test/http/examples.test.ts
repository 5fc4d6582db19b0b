import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { getSchemaValidator, t } from 'elysia';
import { replyEvents } from '../../src/features/answers/messages/messages.schemas.ts';
import { importEventKinds } from '../../src/features/ledger/imports/events.ts';
import { letTimePass } from '../support/app.ts';
import { eraseNow, tablesWith } from '../support/erasure.ts';
import type { AddressedOperation, ApiDocument } from '../support/walk/api-document.ts';
import { type ApiWalk, openWalk, refusedAlone } from '../support/walk/api-walk.ts';
import { last } from '../support/walk/recipes.ts';

/** Follows the first steps of the document with a new account, and then sends every other example body unchanged. */

let walk: ApiWalk;
let document: ApiDocument;
let operations: readonly AddressedOperation[];

beforeAll(async () => {
  walk = await openWalk();
  ({ document, operations } = walk);
});
afterAll(() => walk.app.close());

describe('every body in the document', () => {
  test('has an example or is a file upload', () => {
    const offers = operations.flatMap(({ operation: { operationId, requestBody } }) =>
      Object.entries(requestBody?.content ?? {}).map(([mediaType, { example }]) => ({
        operationId,
        mediaType,
        example,
      })),
    );
    const without = offers.filter(({ mediaType, example }) => !isForm(mediaType) && example === undefined);
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
    expect(offers.length).toBeGreaterThan(20);
  });

  test('is accepted unchanged, in the order of the first steps, and every operation runs', async () => {
    const refused: unknown[] = [];
    let filled: readonly string[] = [];
    let marks: readonly string[] = [];
    await walk.run(async ({ operation: { operationId }, mediaType }, { prepare, send }) => {
      await prepare();
      if (operationId === last[0]) {
        marks = await readMarks(walk);
        filled = await tablesWith(walk.app, marks);
      }
      const response = await send();
      if (response.status >= 400 && !refusedAlone.includes(operationId)) {
        refused.push([operationId, mediaType, await response.clone().text()]);
      }
      return response;
    });
    expect(refused).toEqual([]);
    expect((await walk.ask('GET', '/v1/account')).status).toBe(401);

    // The erasure after the grace period removes everything else.
    expect(filled.length).toBeGreaterThan(40);
    await letTimePass(walk.app, 15 * 86_400);
    await eraseNow(walk.app);
    const [email = '', ...ids] = marks;
    expect(await tablesWith(walk.app, ids)).toEqual(['deleted_accounts']);
    // Other users invited the address and were notified of the result.
    expect(await tablesWith(walk.app, [email])).toEqual(['invitations', 'notifications']);
  }, 60_000);
});

/** Returns the email address and id of the account, and the ids of its books. */
async function readMarks({ app, answers }: ApiWalk): Promise<string[]> {
  const { id, email } = answers.get('createAccount') as { id: string; email: string };
  const books = await app.books.asOwner(
    (sql) => sql<{ id: string }[]>`select id from taxpayers where created_by = ${id}`,
  );
  return [email, id, ...books.map((one) => one.id)];
}

describe('the document', () => {
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
});

function isForm(mediaType: string): boolean {
  return mediaType === 'multipart/form-data';
}
