import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createApp } from '../../src/app.ts';
import { letTimePass, sessionCookie, type TestApp, testApp, testClock } from '../support/app.ts';
import { type Person, type ProviderStandIn, standInCredentials, startProvider } from '../support/provider.ts';

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
    test('goes out with state and an S256 challenge, and ties both to this browser', async () => {
      const response = await get(`/auth/${name}`);
      const { searchParams } = new URL(response.headers.get('location') ?? '');
      expect(searchParams.get('redirect_uri')).toBe(`http://localhost:3000/auth/${name}/callback`);
      expect(searchParams.get('code_challenge_method')).toBe('S256');
      expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
      const state = searchParams.get('state');
      expect(response.headers.getSetCookie()).toEqual([
        `sign_in=${state}; Max-Age=600; Path=/auth; HttpOnly; SameSite=Lax`,
      ]);
    });

    test('makes an account with the verified address, and the next time finds it', async () => {
      const person = somebody();
      const response = await signIn(name, person);
      expect([response.status, response.headers.get('location')]).toEqual([302, '/auth/callback']);
      const first = await account(response);
      expect(first).toMatchObject({ email: person.email.toLowerCase(), name: person.name, plan: 'FREE' });
      const second = await account(await signIn(name, { ...person, email: 'moved@example.com' }));
      expect(second.id).toBe(first.id);
    });

    test('is refused where the address is not verified', async () => {
      expect((await signIn(name, somebody({ verified: false }))).status).toBe(403);
    });

    test('does not open an account that registered with the address: whoever did proved nothing', async () => {
      const who = await base.register();
      const response = await signIn(name, somebody({ email: who.email }));
      expect([response.status, (await response.json()).code]).toEqual([409, 'email_taken']);
    });
  });
}

describe('the way back', () => {
  test('is closed to a state of another browser, to none, and to one used before', async () => {
    const { url, cookie } = await depart('google');
    const back = pathOf(provider.consent(url, somebody()));
    const other = await depart('google');
    for (const wrong of ['', other.cookie]) expect((await get(back, wrong)).status).toBe(400);
    expect((await get('/auth/google/callback', cookie)).status).toBe(400);
    expect((await get(back, cookie)).status).toBe(302);
    expect((await get(back, cookie)).status).toBe(400);
  });

  test('is closed to the state of another provider', async () => {
    const { url, cookie } = await depart('google');
    const back = pathOf(provider.consent(url, somebody())).replace('google', 'github');
    expect((await get(back, cookie)).status).toBe(400);
  });

  test('is closed ten minutes after the start', async () => {
    const { url, cookie } = await depart('github');
    await letTimePass(base, 601);
    expect((await get(pathOf(provider.consent(url, somebody())), cookie)).status).toBe(400);
  });

  test('with a code that the provider does not know is 400, with a refusal 403', async () => {
    const first = await depart('google');
    const state = first.url.searchParams.get('state');
    expect((await get(`/auth/google/callback?code=made-up&state=${state}`, first.cookie)).status).toBe(400);
    const second = await depart('google');
    const denied = `/auth/google/callback?error=access_denied&state=${second.url.searchParams.get('state')}`;
    expect((await get(denied, second.cookie)).status).toBe(403);
  });

  test('takes a person’s browser to the page that says what went wrong', async () => {
    const response = await signIn('google', somebody({ verified: false }), 'text/html,*/*;q=0.8');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/auth/callback?error=forbidden']);
  });

  test('is 503 provider_failed where the provider is down', async () => {
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

test('without credentials both providers are 503 provider_unconfigured', async () => {
  const bare = await testApp();
  for (const path of ['/auth/google', '/auth/github', '/auth/google/callback?code=a&state=b']) {
    const response = await bare.request('GET', path);
    expect([response.status, (await response.json()).code]).toEqual([503, 'provider_unconfigured']);
    expect(response.headers.get('retry-after')).not.toBeNull();
  }
  await bare.close();
});

test('an account without a password sets its first one without an old one, and then can be deleted', async () => {
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
