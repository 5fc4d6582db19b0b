import type { RequestInput, TestApp } from '../app.ts';
import type { ApiOperation } from './api-document.ts';

/** Returns true if only programs may call the operation, according to its `security`. */
export function isForPrograms({ security }: Pick<ApiOperation, 'security'>): boolean {
  return security.length > 0 && security.every((way) => 'bearer' in way);
}

/** Tokens by session cookie. A cookie belongs to one session in one application. */
const tokens = new Map<string, string>();

/** Returns the cookie of a session or, if only programs are allowed, a token of its user with all scopes. */
export async function credentialsFor(
  app: TestApp,
  operation: Pick<ApiOperation, 'security'>,
  cookie: string,
): Promise<RequestInput> {
  if (!isForPrograms(operation)) return { cookie };
  const known = tokens.get(cookie) ?? (await tokenFor(app, cookie));
  tokens.set(cookie, known);
  return { headers: { authorization: `Bearer ${known}` } };
}

async function tokenFor(app: TestApp, cookie: string): Promise<string> {
  const body = { name: 'A program', scopes: ['read', 'import', 'write', 'reports'] };
  const response = await app.request('POST', '/v1/auth/tokens', { body, cookie });
  if (response.status !== 201) throw new Error(`No token: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { token: string }).token;
}

/** Combines both by joining their headers. */
export function joined(one: RequestInput, other: RequestInput): RequestInput {
  return { ...one, ...other, headers: { ...one.headers, ...other.headers } };
}
