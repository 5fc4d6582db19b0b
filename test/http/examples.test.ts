import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { getSchemaValidator, t } from 'elysia';
import { systemClock } from '../../src/deps.ts';
import { recoveryHash } from '../../src/features/auth/factors/recovery.ts';
import { linkTokenHash } from '../../src/features/auth/link-token.ts';
import { challengeIn } from '../../src/features/auth/passkeys/webauthn.ts';
import { sealTotpKey } from '../../src/features/auth/totp/key.ts';
import { importEventKinds } from '../../src/features/imports/status/event-schemas.ts';
import { answerEvents } from '../../src/features/messages/schemas.ts';
import { sessionCookie, type TestApp, testApp } from '../support/app.ts';
import { standInCredentials } from '../support/provider.ts';

/** A new account does what the document says first; then it sends every body of the document as it stands there. */

interface Media {
  readonly schema: { readonly properties?: object };
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { name: string; required?: boolean; example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>;
}
interface OpenApi {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface Offer {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly mediaType: string;
  readonly media: Media;
}

let app: TestApp;
let document: OpenApi;
let operations: Omit<Offer, 'mediaType' | 'media'>[];
let offers: Offer[];
let cookie = '';
/** While a code is confirmed: when the code of the example is the one of the planted key. */
let codeAt: Date | null = null;

beforeAll(async () => {
  app = await testApp({ env: standInCredentials, clock: { now: () => codeAt ?? systemClock.now() } });
  document = (await (await app.request('GET', '/v1/openapi.json')).json()) as OpenApi;
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  offers = operations.flatMap((found) =>
    Object.entries(found.operation.requestBody?.content ?? {}).map(([mediaType, media]) => {
      return { ...found, mediaType, media };
    }),
  );
});
afterAll(() => app.close());

/** These go first, and those last, for each of them needs what the ones between leave. */
const first = ['register', 'login', 'importTransactions', 'settleRejectedLine', 'resolveIssue'];
const last = [
  'addPasskey',
  'renamePasskey',
  'signInByPasskey',
  'acceptInvitation',
  'createTotp',
  'confirmTotp',
  'finishProviderSignIn',
  'deleteTotp',
  'changePassword',
  'confirmPasswordReset',
  'deleteAccount',
];

const signsIn = ['register', 'login', 'reauthenticate', 'signInByPasskey', 'finishProviderSignIn'];

/** What an example needs that no other example leaves. */
const before: Readonly<Record<string, (offer: Offer) => Promise<void>>> = {
  freezeAllocation: electUniversal,
  confirmPasswordReset: plantReset,
  confirmEmailChange: plantEmailChange,
  verifyEmail: plantVerification,
  addPasskey: plantChallenge,
  signInByPasskey: plantChallenge,
  acceptInvitation: plantInvitation,
  confirmTotp: plantKey,
  finishProviderSignIn: plantPending,
  deleteTotp: plantRecoveryCode,
};
/** What the examples after it need. */
const after: Readonly<Record<string, (offer: Offer) => Promise<void>>> = {
  register: becomeCpa,
  signInByPasskey: removePasskeys,
  changePassword: changePasswordBack,
  confirmEmailChange: changeEmailBack,
  confirmPasswordReset: signInAgain,
};

describe('every body that the document offers', () => {
  test('has an example, or is a file to be chosen', () => {
    const without = offers.filter(({ mediaType, media }) => !isForm(mediaType) && media.example === undefined);
    expect(without.map(({ operation }) => operation.operationId)).toEqual([]);
    expect(offers.length).toBeGreaterThan(20);
  });

  test('is taken as it stands, in the order of the first steps', async () => {
    const rank = ({ operation: { operationId } }: Offer): number => {
      if (first.includes(operationId)) return first.indexOf(operationId) - first.length;
      return last.indexOf(operationId) + 1;
    };
    const refused: unknown[] = [];
    for (const offer of offers.toSorted((a, b) => rank(a) - rank(b))) {
      const { operationId } = offer.operation;
      await before[operationId]?.(offer);
      const response = await send(offer);
      codeAt = null;
      if (signsIn.includes(operationId)) cookie = sessionCookie(response);
      if (response.status >= 300) refused.push([operationId, offer.mediaType, await response.text()]);
      await after[operationId]?.(offer);
    }
    expect(refused).toEqual([]);
    expect((await app.request('GET', '/v1/account', { cookie })).status).toBe(401);
  }, 60_000);
});

describe('the document', () => {
  test('fills in what a request needs beside its body', () => {
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

  test('says of each stream which events it brings', () => {
    const streams = operations.flatMap(({ operation }) => {
      const content = Object.values(operation.responses).flatMap((response) => Object.entries(response.content ?? {}));
      return content
        .filter(([mediaType]) => mediaType === 'text/event-stream')
        .map(([, media]) => [operation.operationId, media as { 'x-events'?: object; example?: string }] as const);
    });
    expect(streams.map(([operationId]) => operationId).sort()).toEqual([
      'createMessage',
      'streamImport',
      'streamNotifications',
    ]);
    for (const [operationId, { 'x-events': events = {}, example = '' }] of streams) {
      const named = Object.entries(events).map(([name, schema]) => [name, Object.keys(schema as object)]);
      expect([operationId, named.filter(([, keys]) => String(keys) !== '$ref')]).toEqual([operationId, []]);
      const shown = [...example.matchAll(/^event: (.+)$/gm)].map((match) => match[1] ?? '');
      expect([operationId, shown]).toEqual([operationId, Object.keys(events)]);
    }
  });

  test('shows events as their schemas have them', () => {
    for (const { name, schema, example } of [...importEventKinds, ...answerEvents]) {
      const validator = getSchemaValidator(t.Object({ value: schema }));
      expect([name, validator.Check({ value: example })]).toEqual([name, true]);
    }
  });
});

function isForm(mediaType: string): boolean {
  return mediaType === 'multipart/form-data';
}

async function send({ method, path, operation, mediaType, media }: Offer): Promise<Response> {
  const address = await filled(path, operation);
  if (!isForm(mediaType)) {
    const body = typeof media.example === 'string' ? media.example : JSON.stringify(media.example);
    return app.request(method, address, { body, headers: { 'content-type': mediaType }, cookie });
  }
  // One line more than in the example, which cannot be read.
  const { example } = operation.requestBody?.content['text/csv'] ?? {};
  const form = new FormData();
  for (const name of Object.keys(media.schema.properties ?? {})) {
    form.set(name, new File([`${example}2024-03-05,swapped,Kraken,BTC,1,100.00,\n`], 'trades.csv'));
  }
  return app.request(method, address, { body: form, cookie });
}

/** With the id of something that the example is about. */
async function filled(path: string, { operationId }: Operation): Promise<string> {
  if (!path.includes('{id}')) return path.replace('{year}', '2024');
  const { list, wanted } = subjects[operationId] ?? { list: '', wanted: () => true };
  const { data } = (await (await app.request('GET', list, { cookie })).json()) as { data: Subject[] };
  return path.replace('{id}', data.find(wanted)?.id ?? operationId);
}

interface Subject {
  readonly id: string;
  readonly kind?: string;
  readonly asset?: string;
  readonly type?: string;
}

const subjects: Readonly<Record<string, { list: string; wanted: (subject: Subject) => boolean }>> = {
  rereadImport: { list: '/v1/imports', wanted: () => true },
  settleRejectedLine: { list: '/v1/imports/rejects?state=open', wanted: () => true },
  resolveIssue: { list: '/v1/tax/issues?status=open', wanted: ({ asset }) => asset === 'ETH' },
  setPairing: { list: '/v1/transactions', wanted: ({ type }) => type === 'withdrawal' },
  patchTransaction: { list: '/v1/transactions', wanted: ({ type }) => type === 'buy' },
  renamePasskey: { list: '/v1/auth/passkeys', wanted: () => true },
  changeNote: { list: '/v1/tax/notes', wanted: () => true },
  changeClient: { list: '/v1/clients', wanted: () => true },
  acceptInvitation: { list: '/v1/invitations', wanted: ({ kind }) => kind === 'offer' },
};

async function becomeCpa(): Promise<void> {
  await app.books.asOwner((sql) => sql`update users set plan = 'CPA'`);
}

/** Only who elected it has an allocation to make. */
async function electUniversal(): Promise<void> {
  const body = { digitalAssetScopeBefore2025: 'universal' };
  expect((await app.request('PATCH', '/v1/tax/settings', { body, cookie })).status).toBe(200);
}

/** The link that the example uses up. */
async function plantReset({ media }: Offer): Promise<void> {
  const { token } = media.example as { token: string };
  await app.books.asOwner(
    (sql) => sql`
      insert into password_resets (token_hash, user_id, expires_at)
      select ${linkTokenHash(token)}, id, now() + interval '1 minute' from users where email = 'ann@example.com'`,
  );
}

async function plantEmailChange({ media }: Offer): Promise<void> {
  const { token } = media.example as { token: string };
  const { email } = (await (await app.request('GET', '/v1/account', { cookie })).json()) as { email: string };
  await app.books.asOwner(async (sql) => {
    await sql`insert into email_changes (token_hash, user_id, email, expires_at)
      select ${linkTokenHash(token)}, id, 'ann.fields@example.com', now() + interval '1 minute' from users where email = ${email}`;
  });
}

async function plantVerification({ media }: Offer): Promise<void> {
  const { token } = media.example as { token: string };
  const { id } = (await (await app.request('GET', '/v1/account', { cookie })).json()) as { id: string };
  await app.books.asOwner(
    (sql) => sql`
      insert into email_verifications (token_hash, user_id, email, expires_at)
      select ${linkTokenHash(token)}, id, email, now() + interval '1 minute' from users where id = ${id}`,
  );
}

async function plantChallenge({ media, operation }: Offer): Promise<void> {
  const { passkey } = media.example as { passkey: { response: { clientDataJSON: string } } };
  const challenge = linkTokenHash(challengeIn(passkey.response.clientDataJSON) ?? '');
  const isNew = operation.operationId === 'addPasskey';
  const { id } = (await (await app.request('GET', '/v1/account', { cookie })).json()) as { id: string };
  await app.books.asOwner(
    (sql) => sql`
      insert into passkey_challenges (challenge_hash, user_id, expires_at)
      values (${challenge}, ${isNew ? id : null}, now() + interval '1 minute')`,
  );
}

/** The examples after it sign in by the password alone. */
async function removePasskeys(): Promise<void> {
  await app.books.asOwner((sql) => sql`delete from passkeys`);
}

/** From somebody else, with the link of the example. */
async function plantInvitation({ media }: Offer): Promise<void> {
  const { token } = media.example as { token: string };
  const body = { email: 'jo@example.com', password: 'another horse, another battery' };
  const other = sessionCookie(await app.request('POST', '/v1/auth/register', { body }));
  const { email } = (await (await app.request('GET', '/v1/account', { cookie })).json()) as { email: string };
  const offer = { kind: 'offer', email, role: 'preparer' };
  expect((await app.request('POST', '/v1/invitations', { body: offer, cookie: other })).status).toBe(201);
  await app.books.asOwner(
    (sql) => sql`update invitations set token_hash = ${linkTokenHash(token)} where kind = 'offer'`,
  );
}

async function plantKey(): Promise<void> {
  codeAt = new Date('2026-03-03T11:20:30Z');
  const { id } = (await (await app.request('GET', '/v1/account', { cookie })).json()) as { id: string };
  const { sealed, keyId } = await sealTotpKey(app.deps, id, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');
  await app.books.asOwner((sql) => sql`update totp_keys set sealed = ${sealed}, key_id = ${keyId}`);
}

/** The cookie of a sign-in through a provider, which waits for the code. */
async function plantPending(offer: Offer): Promise<void> {
  await plantRecoveryCode(offer);
  const token = 'a'.repeat(32);
  const { id } = (await (await app.request('GET', '/v1/account', { cookie })).json()) as { id: string };
  await app.books.asOwner(
    (sql) => sql`
      insert into pending_sign_ins (token_hash, user_id, expires_at)
      values (${linkTokenHash(token)}, ${id}, now() + interval '1 minute')`,
  );
  cookie += `; pending_sign_in=${token}`;
}

async function plantRecoveryCode({ media }: Offer): Promise<void> {
  const { totp } = media.example as { totp: string };
  await app.books.asOwner(
    (sql) =>
      sql`insert into recovery_codes (user_id, code_hash) select id, ${recoveryHash(totp)} from users where not is_demo`,
  );
}

async function changeEmailBack(): Promise<void> {
  await app.books.asOwner(
    (sql) => sql`update users set email = 'ann@example.com' where email = 'ann.fields@example.com'`,
  );
}

async function signInAgain(): Promise<void> {
  const login = offers.find(({ operation }) => operation.operationId === 'login');
  if (login !== undefined) cookie = sessionCookie(await send(login));
}

async function changePasswordBack({ media }: Offer): Promise<void> {
  const { current, password } = media.example as { current: string; password: string };
  const body = { current: password, password: current };
  expect((await app.request('POST', '/v1/auth/password', { body, cookie })).status).toBe(204);
}
