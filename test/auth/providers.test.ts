import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createApp } from '../../src/app.ts';
import type { Sql } from '../../src/db/connection.ts';
import { closeAccount } from '../../src/features/people/auth/deletion.ts';
import { letTimePass, sessionCookie, type TestApp, testApp, testClock } from '../support/app.ts';
import { type Person, type ProviderStandIn, standInCredentials, startProvider } from '../support/provider.ts';
import { computeCode } from '../support/second-factor.ts';

const clock = testClock('2025-06-01T12:00:00Z');
let base: TestApp;
let app: ReturnType<typeof createApp>;
let provider: ProviderStandIn;

beforeAll(async () => {
  base = await testApp({ clock, env: standInCredentials });
  provider = startProvider();
  app = createApp(base.deps, { endpoints: provider.endpoints });
});
afterAll(async () => {
  await provider.close();
  await base.close();
});

type Name = 'google' | 'github';

const get = async (path: string, cookie = '', accept = '*/*') =>
  app.fetch(new Request(`http://localhost:3000${path}`, { headers: { cookie, accept } }));

async function depart(name: Name): Promise<{ url: URL; cookie: string }> {
  const response = await get(`/auth/${name}`);
  expect(response.status).toBe(302);
  const [cookie = ''] = response.headers.getSetCookie();
  return { url: new URL(response.headers.get('location') ?? ''), cookie: cookie.split(';')[0] ?? '' };
}

async function signIn(name: Name, person: Person, accept = '*/*'): Promise<Response> {
  const { url, cookie } = await depart(name);
  return get(pathOf(provider.consent(url, person)), cookie, accept);
}

const pathOf = (url: URL) => `${url.pathname}${url.search}`;
const account = async (response: Response) => (await get('/v1/account', sessionCookie(response))).json();
let people = 0;
const somebody = (given: Partial<Person> = {}): Person => {
  people += 1;
  return {
    id: 1000 + people,
    email: `Social${people}@example.com`,
    verified: true,
    name: `Person ${people}`,
    ...given,
  };
};

for (const name of ['google', 'github'] as const) {
  describe(`sign-in with ${name}`, () => {
    test('starts with state and an S256 challenge, and binds both to this browser', async () => {
      const response = await get(`/auth/${name}`);
      const { searchParams } = new URL(response.headers.get('location') ?? '');
      expect(searchParams.get('redirect_uri')).toBe(`http://localhost:3000/auth/${name}/callback`);
      expect(searchParams.get('code_challenge_method')).toBe('S256');
      expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
      const state = searchParams.get('state');
      expect(response.headers.getSetCookie()).toEqual([
        `sign_in=${state}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`,
      ]);
    });

    test('creates an account with the verified address, and finds the account the next time', async () => {
      const person = somebody();
      const response = await signIn(name, person);
      expect([response.status, response.headers.get('location')]).toEqual([302, '/auth/callback']);
      const first = await account(response);
      expect(first).toMatchObject({ email: person.email.toLowerCase(), name: person.name, plan: 'FREE' });
      const again = await signIn(name, { ...person, email: 'moved@example.com' });
      expect((await account(again)).id).toBe(first.id);
      const audit = await (await get('/v1/account/audit', sessionCookie(again))).json();
      expect(audit.data.map(({ action }: { action: string }) => action)).toEqual(['signed_in', 'signed_in']);
    });

    test('gives a new account the time zone of the browser, and refuses an unknown one', async () => {
      const path = `/auth/${name}?timeZone=America%2FNew_York`;
      const departure = await get(path, '');
      const [cookie = ''] = departure.headers.getSetCookie()[0]?.split(';') ?? [];
      const consent = provider.consent(new URL(departure.headers.get('location') ?? ''), somebody());
      const response = await get(pathOf(consent), cookie);
      expect(await account(response)).toMatchObject({ timeZone: 'America/New_York' });
      expect((await get(`/auth/${name}?timeZone=Mars`, '')).status).toBe(422);
    });

    test('is refused if the address is not verified', async () => {
      expect((await signIn(name, somebody({ verified: false }))).status).toBe(403);
    });

    test.each(['\uff41@example.com', 'ann@ex\u00e4mple.com', 'ann@localhost', `a\u0000@example.com`])(
      'creates no account for %j, just as registration does not',
      async (email) => {
        const response = await signIn(name, somebody({ email }));
        expect([response.status, (await response.json()).code]).toEqual([403, 'forbidden']);
      },
    );

    test('removes a NUL from a name', async () => {
      expect(await account(await signIn(name, somebody({ name: 'A\u0000nn' })))).toMatchObject({ name: 'Ann' });
    });

    test('does not open an account that registered the address but never confirmed it', async () => {
      const who = await base.register();
      const response = await signIn(name, somebody({ email: who.email }));
      expect([response.status, (await response.json()).code]).toEqual([409, 'email_taken']);
    });
  });
}

describe('the callback', () => {
  test('refuses a state that is missing, used, or from another browser', async () => {
    const { url, cookie } = await depart('google');
    const back = pathOf(provider.consent(url, somebody()));
    const other = await depart('google');
    for (const wrong of ['', other.cookie]) expect((await get(back, wrong)).status).toBe(400);
    expect((await get('/auth/google/callback', cookie)).status).toBe(400);
    expect((await get(back, cookie)).status).toBe(302);
    expect((await get(back, cookie)).status).toBe(400);
  });

  test('opens no session if the password is reset before the provider responds', async () => {
    const person = somebody();
    await signIn('google', person);
    const { url, cookie } = await depart('google');
    const waiting = (sql: Sql) => sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const response = await base.books.asOwner(async (sql) => {
      await sql`update users set stamp = stamp + 1 where email = ${person.email.toLowerCase()}`;
      const late = get(pathOf(provider.consent(url, person)), cookie);
      let isOver = false;
      const over = () => (isOver = true);
      late.then(over, over);
      while (!isOver && (await base.books.asOwner(waiting)).length === 0) await Bun.sleep(5);
      return { late };
    });
    expect((await response.late).status).toBe(401);
  });

  test('refuses the state of another provider', async () => {
    const { url, cookie } = await depart('google');
    const back = pathOf(provider.consent(url, somebody())).replace('google', 'github');
    expect((await get(back, cookie)).status).toBe(400);
  });

  test('refuses a state ten minutes after the start', async () => {
    const { url, cookie } = await depart('github');
    await letTimePass(base, 601);
    expect((await get(pathOf(provider.consent(url, somebody())), cookie)).status).toBe(400);
  });

  test('returns 400 for a code that the provider does not recognize, and 403 if the provider refuses', async () => {
    const first = await depart('google');
    const state = first.url.searchParams.get('state');
    expect((await get(`/auth/google/callback?code=made-up&state=${state}`, first.cookie)).status).toBe(400);
    const second = await depart('google');
    const denied = `/auth/google/callback?error=access_denied&state=${second.url.searchParams.get('state')}`;
    expect((await get(denied, second.cookie)).status).toBe(403);
  });

  test('sends a browser to the page that explains the problem', async () => {
    const response = await signIn('google', somebody({ verified: false }), 'text/html,*/*;q=0.8');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/auth/callback?error=forbidden']);
  });

  test('returns 503 provider_failed if the provider is down', async () => {
    const failing = startProvider();
    failing.breakDown();
    const other = createApp(base.deps, { endpoints: failing.endpoints });
    const start = await other.fetch(new Request('http://localhost:3000/auth/google'));
    const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const back = failing.consent(new URL(start.headers.get('location') ?? ''), somebody());
    const response = await other.fetch(new Request(`http://localhost:3000${pathOf(back)}`, { headers: { cookie } }));
    expect([response.status, (await response.json()).code]).toEqual([503, 'provider_failed']);
    await failing.close();
  });
});

describe('an endless response', () => {
  const answers = [
    ['google', '/token'],
    ['google', '/google'],
    ['github', '/github'],
    ['github', '/github/emails'],
  ] as const;
  for (const [name, path] of answers) {
    test(`the response of ${path} is read up to a megabyte, and then refused`, async () => {
      const endless = startProvider();
      const bytesSent = endless.flood(path);
      const other = createApp(base.deps, { endpoints: endless.endpoints });
      const start = await other.fetch(new Request(`http://localhost:3000/auth/${name}`));
      const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const back = endless.consent(new URL(start.headers.get('location') ?? ''), somebody());
      const response = await other.fetch(new Request(`http://localhost:3000${pathOf(back)}`, { headers: { cookie } }));
      expect([response.status, (await response.json()).code]).toEqual([503, 'provider_failed']);
      // Allows for data in the connection's buffers that was not read.
      expect(bytesSent()).toBeLessThan(20_000_000);
      await endless.close();
    });
  }
});

describe('an account with a second factor', () => {
  const finish = (cookie: string, totp: string) =>
    base.request('POST', '/v1/auth/login/factor', { cookie, body: { totp } });
  const pendingOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .find((line) => line.startsWith('pending_sign_in='))
      ?.split(';')[0] ?? '';

  test('is opened by the provider and a code, once, in the same browser, within ten minutes', async () => {
    const person = somebody();
    const cookie = sessionCookie(await signIn('google', person));
    const send = (path: string, body: unknown) => base.request('POST', path, { cookie, body });
    const { secret } = (await (await send('/v1/auth/totp', {})).json()) as { secret: string };
    const confirmed = await send('/v1/auth/totp/confirm', { totp: computeCode(clock, secret) });
    const { recoveryCodes } = (await confirmed.json()) as { recoveryCodes: string[] };
    clock.move(60_000);

    const back = await signIn('google', person);
    expect([back.status, back.headers.get('location')]).toEqual([302, '/auth/callback?step=factor']);
    expect(back.headers.getSetCookie().filter((line) => line.startsWith('session='))).toEqual([]);
    expect(back.headers.getSetCookie()[0]).toMatch(
      /^pending_sign_in=[a-z2-7]{32}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const pending = pendingOf(back);
    expect((await get('/v1/account', pending)).status).toBe(401);
    const wrong = await finish(pending, '000000');
    expect([wrong.status, (await wrong.json()).code]).toEqual([401, 'totp_required']);
    const other = await finish('', computeCode(clock, secret));
    expect([other.status, (await other.json()).code]).toEqual([401, 'unauthenticated']);
    const done = await finish(pending, computeCode(clock, secret));
    expect([done.status, (await done.clone().json()).email]).toEqual([200, person.email.toLowerCase()]);
    expect((await get('/v1/account', sessionCookie(done))).status).toBe(200);
    expect((await finish(pending, recoveryCodes[0] ?? '')).status).toBe(401);

    const late = pendingOf(await signIn('google', person));
    await letTimePass(base, 601);
    expect((await finish(late, recoveryCodes[0] ?? '')).status).toBe(401);
    const again = pendingOf(await signIn('google', person));
    expect((await finish(again, recoveryCodes[0] ?? '')).status).toBe(200);
  });
});

describe('linking', () => {
  /** Starts to link as the user of `cookie`, and consents as `person`. */
  async function link(cookie: string, name: Name, person: Person, cookieBack = cookie): Promise<Response> {
    const body = JSON.stringify({ provider: name });
    const headers = { cookie, 'content-type': 'application/json' };
    const started = await app.fetch(
      new Request('http://localhost:3000/v1/auth/identities', { method: 'POST', headers, body }),
    );
    expect(started.status).toBe(200);
    const flow = started.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { url } = (await started.json()) as { url: string };
    return get(pathOf(provider.consent(new URL(url), person)), `${flow}; ${cookieBack}`, 'text/html');
  }
  const fetchProviders = async (cookie: string) => (await (await get('/v1/auth/methods', cookie)).json()).providers;

  for (const name of ['google', 'github'] as const) {
    test(`an account at ${name} signs in to the account that linked it, until it is unlinked`, async () => {
      const [who, person] = [await base.register(), somebody()];
      const done = await link(who.cookie, name, person);
      expect([done.status, done.headers.get('location')]).toEqual([302, '/auth/callback?linked=true']);
      expect((await base.mails()).at(-1)).toMatchObject({
        to: who.email,
        text: expect.stringContaining('account can now be used to sign in'),
      });
      expect((await account(await signIn(name, person))).email).toBe(who.email);
      expect(await fetchProviders(who.cookie)).toEqual([name]);
      expect((await who.request('DELETE', `/v1/auth/identities/${name}`)).status).toBe(204);
      expect((await who.request('DELETE', `/v1/auth/identities/${name}`)).status).toBe(404);
      expect((await account(await signIn(name, person))).email).toBe(person.email.toLowerCase());
    });
  }

  test('is refused for a session that ended, belongs to another user, or is not recent', async () => {
    const [who, other, person] = [await base.register(), await base.register(), somebody()];
    for (const cookieBack of ['', other.cookie]) {
      const back = await link(who.cookie, 'google', person, cookieBack);
      expect(back.headers.get('location')).toBe('/auth/callback?error=bad_request');
    }
    expect([await fetchProviders(who.cookie), await fetchProviders(other.cookie)]).toEqual([[], []]);
    await letTimePass(base, 15 * 60);
    expect((await who.request('POST', '/v1/auth/identities', { body: { provider: 'google' } })).status).toBe(403);
    expect((await who.request('DELETE', '/v1/auth/identities/google')).status).toBe(403);
  });

  test('an account that signs in elsewhere cannot be linked, and the only way to sign in cannot be unlinked', async () => {
    const person = somebody();
    const alone = sessionCookie(await signIn('github', person));
    const who = await base.register();
    const back = await link(who.cookie, 'github', person);
    expect(back.headers.get('location')).toBe('/auth/callback?error=conflict');
    await link(who.cookie, 'github', somebody());
    expect((await link(who.cookie, 'github', somebody())).headers.get('location')).toBe(
      '/auth/callback?error=conflict',
    );
    const unlinked = await base.request('DELETE', '/v1/auth/identities/github', { cookie: alone });
    expect([unlinked.status, (await unlinked.json()).code]).toEqual([409, 'conflict']);
    expect(await fetchProviders(alone)).toEqual(['github']);
  });
});

test('a callback that is refused before it reaches a route also sends a browser to the callback page', async () => {
  const twice = await get('/auth/google/callback?code=a&code=b&state=c', '', 'text/html');
  expect([twice.status, twice.headers.get('location')]).toEqual([302, '/auth/callback?error=bad_request']);
  const two = await get('/auth/github', 'session=a; session=b', 'text/html');
  expect([two.status, two.headers.get('location')]).toEqual([302, '/auth/callback?error=duplicate_cookie']);
  const long = await get(`/auth/github/callback?state=${'x'.repeat(5_000)}`, '', 'text/html');
  expect([long.status, long.headers.get('location')]).toEqual([302, '/auth/callback?error=bad_request']);
});

test('both providers return 503 provider_unconfigured without credentials', async () => {
  const bare = await testApp();
  for (const path of ['/auth/google', '/auth/github', '/auth/google/callback?code=a&state=b']) {
    const response = await bare.request('GET', path);
    expect([response.status, (await response.json()).code]).toEqual([503, 'provider_unconfigured']);
    expect(response.headers.get('retry-after')).not.toBeNull();
  }
  await bare.close();
});

test('an account without a password can set its first one without entering a current one, and can then be deleted', async () => {
  const cookie = sessionCookie(await signIn('google', somebody()));
  const send = async (method: string, path: string, body: unknown) =>
    (
      await app.fetch(
        new Request(`http://localhost:3000${path}`, {
          method,
          headers: { cookie, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    ).status;
  expect(await send('DELETE', '/v1/account', { password: '' })).toBe(401);
  expect(await send('POST', '/v1/auth/password', { password: 'first password' })).toBe(204);
  expect(await send('POST', '/v1/auth/password', { password: 'second password' })).toBe(401);
  expect(await send('DELETE', '/v1/account', { password: 'first password' })).toBe(204);
});

test('a deleted account cannot sign in through the provider, and both programs and people get the reason', async () => {
  const person = somebody();
  const cookie = sessionCookie(await signIn('google', person));
  const { id } = await (await get('/v1/account', cookie)).json();
  await base.books.database.asService((sql) => closeAccount(sql, id, base.deps.config, true));
  const refused = await signIn('google', person);
  expect([refused.status, (await refused.json()).code]).toEqual([401, 'account_deleted']);
  const page = await signIn('google', person, 'text/html');
  expect(page.headers.get('location')).toBe('/auth/callback?error=account_deleted');
});
