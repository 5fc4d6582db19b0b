import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { computeCode as codeAt, withFactor } from '../support/second-factor.ts';

const clock = testClock('2026-02-01T12:00:00Z');
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock });
});
afterAll(() => app.close());

const createCode = (secret: string, seconds = 0): string => codeAt(clock, secret, seconds);
const login = async (who: TestClient, totp?: string) => {
  const body = { email: who.email, password: who.password, ...(totp === undefined ? {} : { totp }) };
  const response = await app.request('POST', '/v1/auth/login', { body });
  return { status: response.status, code: ((await response.json()) as { code?: string }).code };
};

describe('a second factor', () => {
  test('is required once its first code is confirmed, and the owner gets an email', async () => {
    const who = await app.register();
    expect((await who.request('POST', '/v1/auth/totp', { body: { password: 'wrong horse' } })).status).toBe(401);
    const offered = await who.json<{ secret: string; uri: string }>('POST', '/v1/auth/totp', {
      body: { password: who.password },
    });
    expect(offered.uri).toStartWith('otpauth://totp/Lotbook:');
    expect(offered.uri).toContain(offered.secret);
    expect((await login(who)).status).toBe(200);
    const wrong = await who.request('POST', '/v1/auth/totp/confirm', { body: { totp: '12345x' } });
    expect([wrong.status, (await wrong.json()).errors[0].pointer]).toEqual([422, '/totp']);
    const body = { totp: createCode(offered.secret) };
    const { recoveryCodes } = await who.json<{ recoveryCodes: string[] }>('POST', '/v1/auth/totp/confirm', { body });
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([a-z2-7]{4}-){5}[a-z2-7]{4}$/);
    const stored = await app.books.asOwner(
      (sql) => sql<{ code: Uint8Array }[]>`
        select code_hash as code from recovery_codes r join users u on u.id = r.user_id where u.email = ${who.email}`,
    );
    const hashes = recoveryCodes.map((code) => createHash('sha256').update(code.replaceAll('-', '')).digest('hex'));
    expect(stored.map(({ code }) => Buffer.from(code).toString('hex')).sort()).toEqual(hashes.sort());
    expect(await who.json('GET', '/v1/auth/totp')).toEqual({ enabled: true, recoveryCodesLeft: 10 });
    expect(await login(who)).toEqual({ status: 401, code: 'totp_required' });
    expect((await app.mails()).at(-1)).toMatchObject({ to: who.email, subject: expect.stringContaining('was added') });
    expect((await who.request('POST', '/v1/auth/totp', { body: { password: who.password } })).status).toBe(409);
    expect((await who.request('POST', '/v1/auth/totp/confirm', { body })).status).toBe(409);
  });

  test('accepts each code of the previous, current and next time step once, and no other code', async () => {
    const { who, secret } = await withFactor(app, clock);
    const codes = [createCode(secret, -90), createCode(secret, 90)];
    for (const code of codes) expect(await login(who, code)).toEqual({ status: 401, code: 'totp_required' });
    const together = await Promise.all([1, 2, 3].map(() => login(who, createCode(secret))));
    expect(together.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await login(who, createCode(secret))).status).toBe(401);
    expect((await login(who, createCode(secret, 30))).status).toBe(200);
    // After the code of the next step was used, the previous one is too old.
    expect((await login(who, createCode(secret))).status).toBe(401);
  });

  test('can be replaced by a recovery code, once, in any notation', async () => {
    const { who, recoveryCodes } = await withFactor(app, clock);
    const typed = recoveryCodes[3]?.toUpperCase().replaceAll('-', ' ') ?? '';
    expect((await login(who, typed)).status).toBe(200);
    expect((await login(who, typed)).status).toBe(401);
    expect(await who.json('GET', '/v1/auth/totp')).toEqual({ enabled: true, recoveryCodesLeft: 9 });
    const rows = await app.books.asOwner((sql) => sql`select r::text as text from recovery_codes r`);
    for (const code of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code);
  });

  test('is not revealed without the password', async () => {
    const { who, secret } = await withFactor(app, clock);
    const body = { email: who.email, password: 'wrong horse', totp: createCode(secret) };
    const response = await app.request('POST', '/v1/auth/login', { body });
    expect((await response.json()).code).toBe('invalid_credentials');
    expect((await login(who, createCode(secret))).status).toBe(200);
  });

  test('can be removed only with both the password and a code', async () => {
    const { who, recoveryCodes } = await withFactor(app, clock);
    const remove = (body: object) => who.request('DELETE', '/v1/auth/totp', { body });
    expect((await remove({ password: who.password })).status).toBe(401);
    expect((await remove({ password: 'wrong horse', totp: recoveryCodes[0] })).status).toBe(401);
    expect((await remove({ password: who.password, totp: recoveryCodes[0] })).status).toBe(204);
    expect((await login(who)).status).toBe(200);
    expect(await who.json('GET', '/v1/auth/totp')).toEqual({ enabled: false, recoveryCodesLeft: 0 });
  });
});

test('allows only a few code guesses after a correct password', async () => {
  const limited = await testApp({ clock, env: { RATE_LIMIT_FACTOR: '0.3' } });
  const who = await limited.register();
  const { secret } = await who.json<{ secret: string }>('POST', '/v1/auth/totp', { body: { password: who.password } });
  await who.json('POST', '/v1/auth/totp/confirm', { body: { totp: createCode(secret) } });
  const statuses: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    const body = { email: who.email, password: who.password, totp: `00000${count}` };
    statuses.push((await limited.request('POST', '/v1/auth/login', { body })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  await limited.close();
});
