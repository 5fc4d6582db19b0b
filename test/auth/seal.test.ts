import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { loadConfig } from '../../src/config.ts';
import { createDeps } from '../../src/deps.ts';
import { type SealedSecret, seal, unseal } from '../../src/features/people/seal.ts';
import { type TestApp, testApp, testClock } from '../support/app.ts';
import { computeCode, withFactor } from '../support/second-factor.ts';

const clock = testClock('2026-02-01T12:00:00Z');
const [oldKey, newKey] = ['an old key of at least 32 characters', 'a new key of at least 32 characters!'];
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock, env: { SECRET_KEY: oldKey } });
});
afterAll(() => app.close());

const ann = { of: '00000000-0000-4000-8000-000000000001', purpose: 'totp' } as const;
const bob = { ...ann, of: '00000000-0000-4000-8000-000000000002' };
/** Returns another server on the same database. */
const serverWith = (env: Record<string, string>) => createDeps({ ...app.deps, config: loadConfig(env) });

describe('a stored secret', () => {
  test('opens only for its owner, and is sealed differently each time', async () => {
    const [one, two] = [await seal(app.deps, 'JBSWY3DP', ann), await seal(app.deps, 'JBSWY3DP', ann)];
    expect(one.sealed).not.toEqual(two.sealed);
    expect(await unseal(app.deps, one, ann)).toBe('JBSWY3DP');
    expect(await unseal(app.deps, one, bob)).toBeUndefined();
    const spoilt = one.sealed.with(-1, (one.sealed.at(-1) ?? 0) ^ 1);
    expect(await unseal(app.deps, { ...one, sealed: spoilt }, ann)).toBeUndefined();
    expect(new TextDecoder().decode(one.sealed)).not.toContain('JBSWY3DP');
  });

  test('stays readable after a newer key is added, but not without its own key', async () => {
    const sealed = await seal(app.deps, 'JBSWY3DP', ann);
    const renewed = serverWith({ SECRET_KEY: `${newKey},${oldKey}` });
    expect(await unseal(renewed, sealed, ann)).toBe('JBSWY3DP');
    const again: SealedSecret = await seal(renewed, 'JBSWY3DP', ann);
    expect(again.keyId).not.toBe(sealed.keyId);
    expect(await unseal(serverWith({ SECRET_KEY: newKey }), again, ann)).toBe('JBSWY3DP');
    expect(await unseal(serverWith({ SECRET_KEY: newKey }), sealed, ann)).toBeUndefined();
  });

  test('is sealed with a key that all servers share if SECRET_KEY is unset, and still opens once SECRET_KEY is set', async () => {
    const [first, second] = [serverWith({}), serverWith({})];
    const all = await Promise.all([seal(first, 'a', ann), seal(second, 'b', ann), seal(first, 'c', ann)]);
    expect(new Set(all.map(({ keyId }) => keyId)).size).toBe(1);
    expect(await Promise.all(all.map((each) => unseal(app.deps, each, ann)))).toEqual(['a', 'b', 'c']);
  });
});

test('the key of an authenticator app is never stored in plain text, and recovery codes sign in without its SECRET_KEY', async () => {
  const { who, secret, recoveryCodes } = await withFactor(app, clock);
  const rows = await app.books.asOwner((sql) => sql<{ text: string }[]>`select k::text as text from totp_keys k`);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(JSON.stringify(rows)).not.toContain(new TextEncoder().encode(secret).toHex());
  const login = async (totp: string) => {
    const body = { email: who.email, password: who.password, totp };
    return (await app.request('POST', '/v1/auth/login', { body })).status;
  };
  expect(await login(computeCode(clock, secret))).toBe(200);
  await app.books.asOwner((sql) => sql`update totp_keys set key_id = 'gone'`);
  clock.move(60_000);
  expect(await login(computeCode(clock, secret))).toBe(401);
  expect(await login(recoveryCodes[0] ?? '')).toBe(200);
});
