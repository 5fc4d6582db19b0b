import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import { endAddedAccess } from '../../src/features/people/auth/added-access.queries.ts';
import { letTimePass, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { grantAccess } from '../support/grants.ts';
import { allow, ConnectingProgram, callback, connect, programBase } from '../support/programs.ts';

let app: TestApp;
let owner: TestClient;
beforeAll(async () => {
  app = await testApp({ env: { BASE_URL: programBase, ALLOWED_ORIGINS: 'https://inspector.example' } });
  owner = await app.register('PRO');
  const body = 'date,type,account,asset,quantity,amount\n2025-03-03,buy,Fidelity,PLTR,10,800\n';
  await owner.json('POST', '/v1/transactions/import', { body, headers: { 'content-type': 'text/csv' } }, 201);
});
afterAll(() => app.close());

interface CallResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly text?: string }[];
}
const call = async (program: ConnectingProgram, name: string, input: Record<string, unknown> = {}) => {
  const { isError = false, content } = (await (
    await program.open()
  ).callTool({
    name,
    arguments: input,
  })) as unknown as CallResult;
  return { isError, text: content[0]?.text ?? '' };
};

/** Ages codes and tokens, but not the sessions of the users. */
const age = (seconds: number) =>
  app.books.asOwner(async (sql) => {
    await sql`update program_connections set expires_at = expires_at - make_interval(secs => ${seconds})`;
    await sql`update access_tokens set expires_at = expires_at - make_interval(secs => ${seconds})`;
  });

/** A pair of the code verifier and its challenge, written from RFC 7636. */
const proof = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

const form = (values: Record<string, string>) => ({
  body: new URLSearchParams(values).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
const register = async (redirectUris: readonly string[] = [callback]) => {
  const body = { client_name: 'Example AI', redirect_uris: redirectUris };
  const response = await app.request('POST', '/oauth/register', { body });
  return ((await response.json()) as { client_id: string }).client_id;
};
const requestOf = (clientId: string, challenge: string, others: Record<string, string> = {}) => ({
  ...{ client_id: clientId, redirect_uri: callback, response_type: 'code', state: 's' },
  ...{ code_challenge: challenge, code_challenge_method: 'S256', scope: 'read', ...others },
});
const token = (values: Record<string, string>) => app.request('POST', '/oauth/token', form(values));
const errorOf = async (response: Response) => {
  expect(response.headers.get('content-type')).toBe('application/json');
  return [response.status, ((await response.json()) as { error: string }).error];
};
const withToken = (text: string) => ({
  headers: { authorization: `Bearer ${text}` },
  body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
});
const statusOf = async (text: string) => (await app.request('POST', '/mcp', withToken(text))).status;

/** Registers a program and lets the user allow it. Returns the values of its token request. */
const begin = async (who: TestClient = owner, others: Record<string, string> = {}) => {
  const { verifier, challenge } = proof();
  const clientId = await register();
  const request = requestOf(clientId, challenge, others);
  const redirect = new URL(await allow(who, request));
  return {
    request,
    redirect,
    exchange: {
      ...{ grant_type: 'authorization_code', code: redirect.searchParams.get('code') ?? '', client_id: clientId },
      ...{ redirect_uri: request.redirect_uri, code_verifier: verifier, resource: `${programBase}/mcp` },
    },
  };
};
const tokensOf = async (values: Record<string, string>) =>
  (await (await token(values)).json()) as { access_token: string; refresh_token: string };

describe('discovery', () => {
  test('a refused request names the metadata, which names the authorization server and its endpoints', async () => {
    const refused = await app.request('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    const address = '/.well-known/oauth-protected-resource/mcp';
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${programBase}${address}", scope="read"`,
    ]);
    const resource = await (await app.request('GET', address)).json();
    expect(resource).toMatchObject({
      ...{ resource: `${programBase}/mcp`, authorization_servers: [programBase], scopes_supported: ['read', 'import'] },
    });
    expect(await (await app.request('GET', '/.well-known/oauth-protected-resource')).json()).toEqual(resource);
    const server = await app.request('GET', '/.well-known/oauth-authorization-server');
    expect(await server.json()).toMatchObject({
      ...{ issuer: programBase, code_challenge_methods_supported: ['S256'], response_types_supported: ['code'] },
      ...{ token_endpoint_auth_methods_supported: ['none'], authorization_response_iss_parameter_supported: true },
    });
  });

  test('an unknown token is refused with the metadata, and other routes do not name it', async () => {
    const unknown = `lot_${'a'.repeat(24)}_${'b'.repeat(32)}`;
    const response = await app.request('POST', '/mcp', withToken(unknown));
    expect(response.headers.get('www-authenticate')).toStartWith('Bearer error="invalid_token", resource_metadata="');
    const other = await app.request('GET', '/v1/tax/years', { headers: { authorization: `Bearer ${unknown}` } });
    expect(other.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  test('only an allowed origin may read the metadata and get tokens in a browser', async () => {
    for (const [origin, allowed] of [
      ['https://inspector.example', 'https://inspector.example'],
      ['https://other.example', null],
    ] as const) {
      const read = await app.request('GET', '/.well-known/oauth-authorization-server', { headers: { origin } });
      expect(read.headers.get('access-control-allow-origin')).toBe(allowed);
      const preflight = await app.request('OPTIONS', '/oauth/token', {
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      expect(preflight.headers.get('access-control-allow-origin')).toBe(allowed);
      const page = await app.request('GET', '/authorize', { headers: { origin, accept: 'text/html' } });
      expect(page.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

describe('a program with the official client', () => {
  test('finds the server, registers, is allowed by the user, reads the books, and renews its tokens', async () => {
    const program = new ConnectingProgram(app, 'read');
    const request = await program.start();
    expect(program.opened?.pathname).toBe('/authorize');
    expect(request).toMatchObject({ code_challenge_method: 'S256', resource: `${programBase}/mcp`, state: 'state-1' });
    const preview = await owner.json<object>('POST', '/v1/auth/programs/preview', { body: request ?? {} });
    expect(preview).toMatchObject({
      name: 'Example AI',
      redirectHost: '127.0.0.1:33418',
      isLocal: true,
      scopes: ['read'],
    });
    const redirectTo = await allow(owner, request);
    expect(Object.fromEntries(new URL(redirectTo).searchParams)).toMatchObject({ state: 'state-1', iss: programBase });
    await program.finish(redirectTo);
    expect(await call(program, 'overview')).toMatchObject({ isError: false, text: expect.stringContaining('PLTR') });

    const first = program.kept;
    await age(31 * 60);
    expect(await statusOf(first?.access_token ?? '')).toBe(401);
    expect(await call(program, 'overview')).toMatchObject({ isError: false });
    expect(program.kept?.refresh_token).not.toBe(first?.refresh_token);
    expect(await program.start()).toBeNull();
    const mails = (await app.mails()).filter(({ subject }) => subject.includes('program was connected'));
    expect(mails.map(({ to }) => to)).toContain(owner.email);
  });

  test('may use only the tools whose scope the user allowed', async () => {
    const file = { content: 'date,type,account,asset,quantity,amount\n2025-03-03,buy,Fidelity,IBM,1,100\n' };
    const reader = await connect(app, owner, { scopes: ['read'] });
    expect(await call(reader, 'preview_import', file)).toMatchObject({
      isError: true,
      text: expect.stringContaining('Connect the program again'),
    });
    const importer = await connect(app, owner, { scopes: ['import'] });
    expect(await call(importer, 'overview')).toMatchObject({ isError: true });
    expect(await call(importer, 'preview_import', file)).toMatchObject({ isError: false });
    const names = (await (await importer.open()).listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(['preview_import', 'import_file']);
    // The user may allow less than the program asks for, and never more.
    const both = new ConnectingProgram(app, 'read import');
    await both.finish(await allow(owner, await both.start(), { scopes: ['read'] }));
    expect(both.kept?.scope).toBe('read');
    const more = new ConnectingProgram(app, 'read');
    const body = { request: await more.start(), scopes: ['read', 'import'], client: null };
    expect((await owner.request('POST', '/v1/auth/programs', { body })).status).toBe(422);
  });

  test('reads the books of the user who allowed it, and no others', async () => {
    const other = await app.register();
    const program = new ConnectingProgram(app, 'read');
    const request = await program.start();
    const ownersAddress = await allow(owner, request);
    await program.finish(await allow(other, request));
    expect((await call(program, 'overview')).text).not.toContain('PLTR');
    await program.finish(ownersAddress);
    expect((await call(program, 'overview')).text).toContain('PLTR');
    const list = await other.json<{ data: object[] }>('GET', '/v1/auth/programs');
    expect(list.data).toHaveLength(1);
  });

  test('reads the client that a CPA chose, without naming it, and no other books', async () => {
    const cpa = await app.register('CPA');
    const client = await grantAccess(app, cpa, owner, 'viewer');
    const program = await connect(app, cpa, { client });
    expect((await call(program, 'overview')).text).toContain('PLTR');
    const access = program.kept?.access_token ?? '';
    const at = async (path: string) => (await app.request('POST', path, withToken(access))).status;
    expect([await at(`/mcp?client=${client}`), await at(`/mcp?client=${crypto.randomUUID()}`)]).toEqual([200, 403]);
    const own = await connect(app, cpa);
    expect((await call(own, 'overview')).text).not.toContain('PLTR');
    const foreign = await app.request('POST', `/mcp?client=${client}`, withToken(own.kept?.access_token ?? ''));
    expect(foreign.status).toBe(403);
    const { challenge } = proof();
    const body = { request: requestOf(await register(), challenge), scopes: ['read'], client: crypto.randomUUID() };
    expect((await cpa.request('POST', '/v1/auth/programs', { body })).status).toBe(404);
  });
});

describe('registration', () => {
  test.each([
    'http://example.com/callback',
    'https://example.com/#fragment',
    'https://user:secret@example.com/',
    'http://127.0.0.1.example.com/callback',
    'http://localhost.example.com/',
    'http://127.0.0.1@example.com/',
    'javascript:alert(1)',
    'cursor://callback',
    'https://example.com\\@evil.example/',
    'not an address',
  ])('refuses the redirect URI %s', async (uri) => {
    const body = { client_name: 'A', redirect_uris: [uri] };
    expect(await errorOf(await app.request('POST', '/oauth/register', { body }))).toEqual([
      400,
      'invalid_redirect_uri',
    ]);
  });

  test('ignores other members, and shows a name without invisible characters', async () => {
    const body = {
      ...{ client_name: ' Claude\u202e\u200b  Code\n', redirect_uris: ['https://ai.example/done'], logo_uri: 'x' },
      ...{ token_endpoint_auth_method: 'client_secret_post', grant_types: ['authorization_code'] },
    };
    const response = await app.request('POST', '/oauth/register', { body });
    const registered = (await response.json()) as Record<string, unknown>;
    expect([response.status, registered.client_name, registered.token_endpoint_auth_method]).toEqual([
      201,
      'Claude Code',
      'none',
    ]);
    expect(registered.client_secret).toBeUndefined();
  });

  test('is limited by the client address', async () => {
    const limited = await testApp({ env: { BASE_URL: programBase, RATE_LIMIT_FACTOR: '0.1' } });
    const body = { redirect_uris: [callback] };
    const statuses: number[] = [];
    for (let each = 0; each < 3; each += 1)
      statuses.push((await limited.request('POST', '/oauth/register', { body })).status);
    await limited.close();
    expect(statuses).toEqual([201, 201, 429]);
  });
});

describe('an authorization request', () => {
  const preview = (who: TestClient, body: object) => who.request('POST', '/v1/auth/programs/preview', { body });

  test('for an unknown program or another redirect URI is refused, and nothing is sent there', async () => {
    const { challenge } = proof();
    const clientId = await register(['https://ai.example/done']);
    const known = { redirect_uri: 'https://ai.example/done' };
    expect((await preview(owner, requestOf(clientId, challenge, known))).status).toBe(200);
    for (const [id, uri] of [
      ['unknown', 'https://ai.example/done'],
      [clientId, 'https://ai.example/done/'],
      [clientId, 'https://ai.example/done?a=1'],
      [clientId, 'https://ai.example:8443/done'],
      [clientId, 'https://evil.example/done'],
    ] as const) {
      const response = await preview(owner, requestOf(id, challenge, { redirect_uri: uri }));
      const problem = (await response.json()) as { redirectTo?: string };
      expect([uri, response.status, problem.redirectTo]).toEqual([uri, 422, undefined]);
    }
  });

  test('may use another port on the loopback address, but no other path', async () => {
    const { challenge } = proof();
    const clientId = await register();
    const at = async (uri: string) =>
      (await preview(owner, requestOf(clientId, challenge, { redirect_uri: uri }))).status;
    expect(await at('http://127.0.0.1:50001/callback')).toBe(200);
    expect(await at('http://127.0.0.1:50001/other')).toBe(422);
    expect(await at('http://localhost:33418/callback')).toBe(422);
    expect(await at('http://127.0.0.1:50001@evil.example/callback')).toBe(422);
  });

  test.each([
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ scope: 'admin' }, 'invalid_scope'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
  ])('with %p is refused, and the program can be told', async (change, error) => {
    const { challenge } = proof();
    const body = { ...requestOf(await register(), challenge), ...change };
    const response = await preview(owner, body);
    const { redirectTo = '' } = (await response.json()) as { redirectTo?: string };
    expect([response.status, new URL(redirectTo).searchParams.get('error')]).toEqual([422, error]);
    expect(redirectTo).toStartWith(callback);
    const consent = { request: body, scopes: ['read'], client: null };
    expect((await owner.request('POST', '/v1/auth/programs', { body: consent })).status).toBe(422);
  });

  test('needs a session, a verified address and a recent proof, and no token may answer it', async () => {
    const { challenge } = proof();
    const body = { request: requestOf(await register(), challenge), scopes: ['read'], client: null };
    const approve = async (who: Pick<TestClient, 'request'>) => {
      const response = await who.request('POST', '/v1/auth/programs', { body });
      return ((await response.json()) as { code?: string }).code;
    };
    expect(await approve({ request: (method, path, given) => app.request(method, path, given) })).toBe(
      'unauthenticated',
    );
    expect(await approve(await app.register('FREE', { isVerified: false }))).toBe('email_unverified');
    const late = await app.register();
    await letTimePass(app, 16 * 60);
    expect(await approve(late)).toBe('reauthentication_required');
    await letTimePass(app, -16 * 60);
    const foreign = await owner.request('POST', '/v1/auth/programs', {
      body,
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    });
    expect(foreign.status).toBe(403);
  });
});

describe('a code', () => {
  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_grant'],
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:33419/callback' }, 'invalid_grant'],
    ['another program', { client_id: 'mzxw6ytboi2gk3tdn5sgk4tf' }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ])('with %s is refused', async (what, change, error) => {
    const { exchange } = await begin();
    expect(await errorOf(await token({ ...exchange, ...change }))).toEqual([400, error]);
    // A code that was sent with something wrong no longer works. The resource is checked before the code.
    expect((await token(exchange)).status).toBe(what === 'another resource' ? 200 : 400);
  });

  test('works for a minute', async () => {
    const { exchange } = await begin();
    await age(61);
    expect(await errorOf(await token(exchange))).toEqual([400, 'invalid_grant']);
  });

  test('that is used twice revokes its tokens, also long after', async () => {
    for (const seconds of [0, 600]) {
      const { exchange } = await begin();
      const tokens = await tokensOf(exchange);
      expect(await statusOf(tokens.access_token)).toBe(200);
      await age(seconds);
      expect(await errorOf(await token(exchange))).toEqual([400, 'invalid_grant']);
      expect(await statusOf(tokens.access_token)).toBe(401);
      const { client_id } = exchange;
      const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id };
      expect(await errorOf(await token(refresh))).toEqual([400, 'invalid_grant']);
      const { data } = await owner.json<{ data: { action: string }[] }>('GET', '/v1/account/audit');
      expect(data[0]).toMatchObject({ action: 'program_disconnected' });
    }
  });

  test('that two requests send at once gives at most one of them tokens, which then end', async () => {
    const { exchange } = await begin();
    const responses = await Promise.all([token(exchange), token(exchange)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    const answers = await Promise.all(
      responses.map((response) => response.json() as Promise<{ access_token?: string }>),
    );
    const { access_token = '' } = answers.find((answer) => answer.access_token !== undefined) ?? {};
    expect(await statusOf(access_token)).toBe(401);
  });

  test('and every token are stored as hashes only', async () => {
    const { exchange } = await begin();
    const tokens = await tokensOf(exchange);
    const rows = await app.books.asOwner(
      (sql) => sql<{ text: string }[]>`
        select c::text as text from program_connections c union all select t::text from access_tokens t`,
    );
    const stored = rows.map(({ text }) => text).join('\n');
    for (const secret of [exchange.code, tokens.access_token, tokens.refresh_token]) {
      expect(stored).not.toContain(secret.split('_').at(-1) ?? secret);
    }
  });
});

describe('a refresh token', () => {
  const renew = (tokens: { refresh_token: string }, client_id: string, more: Record<string, string> = {}) =>
    token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id, ...more });

  test('works once, and ends the connection if it is used again', async () => {
    const { exchange } = await begin();
    const first = await tokensOf(exchange);
    const second = (await (await renew(first, exchange.client_id)).json()) as typeof first;
    expect([await statusOf(first.access_token), await statusOf(second.access_token)]).toEqual([401, 200]);
    expect(await errorOf(await renew(first, exchange.client_id))).toEqual([400, 'invalid_grant']);
    expect(await statusOf(second.access_token)).toBe(401);
    expect(await errorOf(await renew(second, exchange.client_id))).toEqual([400, 'invalid_grant']);
  });

  test('works for its own program and resource, and never for more scopes', async () => {
    const { exchange } = await begin();
    const tokens = await tokensOf(exchange);
    const { client_id } = exchange;
    expect(await errorOf(await renew(tokens, await register()))).toEqual([400, 'invalid_grant']);
    const resource = 'https://other.example/mcp';
    expect(await errorOf(await renew(tokens, client_id, { resource }))).toEqual([400, 'invalid_target']);
    expect(await errorOf(await renew(tokens, client_id, { scope: 'read write' }))).toEqual([400, 'invalid_scope']);
    expect((await renew(tokens, client_id)).status).toBe(200);
  });

  test('expires if the program does not use it for 90 days', async () => {
    const { exchange } = await begin();
    const tokens = await tokensOf(exchange);
    await age(91 * 86_400);
    expect(await errorOf(await renew(tokens, exchange.client_id))).toEqual([400, 'invalid_grant']);
  });
});

describe('an access token', () => {
  test('is accepted by /mcp only, and does not appear among the API tokens', async () => {
    const { exchange } = await begin();
    const { access_token } = await tokensOf(exchange);
    const headers = { authorization: `Bearer ${access_token}` };
    for (const [method, path] of [
      ['GET', '/v1/tax/years'],
      ['GET', '/v1/transactions'],
      ['GET', '/v1/auth/programs'],
    ] as const) {
      const response = await app.request(method, path, { headers });
      expect([path, response.status, ((await response.json()) as { code: string }).code]).toEqual([
        ...[path, 401, 'invalid_token'],
      ]);
    }
    expect((await owner.json<{ data: object[] }>('GET', '/v1/auth/tokens')).data).toEqual([]);
  });

  test('ends when the user disconnects the program, which only that user can do', async () => {
    const { exchange } = await begin();
    const { access_token } = await tokensOf(exchange);
    const { data } = await owner.json<{ data: { id: string; name: string }[] }>('GET', '/v1/auth/programs');
    const path = `/v1/auth/programs/${data[0]?.id}`;
    expect((await (await app.register()).request('DELETE', path)).status).toBe(404);
    expect(await statusOf(access_token)).toBe(200);
    expect((await owner.request('DELETE', path)).status).toBe(204);
    expect(await statusOf(access_token)).toBe(401);
  });

  test('and its connection end when the program revokes either token', async () => {
    for (const which of ['access_token', 'refresh_token'] as const) {
      const { exchange } = await begin();
      const tokens = await tokensOf(exchange);
      const revoke = (client_id: string, text: string) =>
        app.request('POST', '/oauth/revoke', form({ token: text, client_id }));
      expect(await errorOf(await revoke('another', tokens[which]))).toEqual([400, 'invalid_client']);
      expect(await statusOf(tokens.access_token)).toBe(200);
      expect((await revoke(exchange.client_id, tokens[which])).status).toBe(200);
      expect(await statusOf(tokens.access_token)).toBe(401);
      expect((await revoke(exchange.client_id, tokens[which])).status).toBe(200);
    }
  });

  test('ends with the access that is removed from an account that an intruder used', async () => {
    const who = await app.register();
    const [before, since] = [await connect(app, who), await connect(app, who)];
    const access = (program: ConnectingProgram) => program.kept?.access_token ?? '';
    const { id } = await who.json<{ id: string }>('GET', '/v1/account');
    const [first] = await app.books.asOwner(
      (sql) => sql<{ id: string; at: Date }[]>`
        select id, now() - interval '1 hour' as at from program_connections where user_id = ${id} order by created_at limit 1`,
    );
    await app.books.asOwner(async (sql) => {
      await sql`update program_connections set created_at = created_at - interval '1 day' where id = ${first?.id ?? ''}`;
      await sql`
        update access_tokens set created_at = created_at - interval '1 day' where connection_id = ${first?.id ?? ''}`;
    });
    await app.deps.database.asService((sql) => endAddedAccess(sql, id, ['tokens'], first?.at ?? null));
    expect([await statusOf(access(before)), await statusOf(access(since))]).toEqual([200, 401]);
    await expect(since.start()).rejects.toThrow('revoked');
    await app.deps.database.asService((sql) => endAddedAccess(sql, id, ['tokens'], null));
    expect(await statusOf(access(before))).toBe(401);
    expect((await who.json<{ data: object[] }>('GET', '/v1/auth/programs')).data).toEqual([]);
  });

  test('and its connection end with the account', async () => {
    const who = await app.register();
    const program = await connect(app, who);
    await who.json('DELETE', '/v1/account', { body: { password: who.password } });
    expect(await statusOf(program.kept?.access_token ?? '')).toBe(401);
    const rows = await app.books.asOwner(
      (sql) => sql`select 1 from program_connections c join users u on u.id = c.user_id and u.email is null`,
    );
    expect(rows).toHaveLength(0);
  });
});

test('a form that repeats a parameter, or is no form, is refused', async () => {
  const twice = { body: 'grant_type=a&grant_type=b', headers: form({}).headers };
  expect((await app.request('POST', '/oauth/token', twice)).status).toBe(400);
  expect((await app.request('POST', '/oauth/token', { body: { grant_type: 'a' } })).status).toBe(415);
  expect(await errorOf(await token({ grant_type: 'password' }))).toEqual([400, 'unsupported_grant_type']);
});
