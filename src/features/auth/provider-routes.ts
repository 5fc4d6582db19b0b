import { Elysia, t } from 'elysia';
import type { Deps } from '../../deps.ts';
import { refusalOf } from '../../http/errors.ts';
import { query } from '../../http/schemas.ts';
import { deviceCookie } from './devices/device.ts';
import { type Endpoints, endedFlowCookie, finishSignIn, startSignIn } from './provider-sign-in.ts';
import { providerEndpoints } from './providers.ts';
import type { Provider } from './queries.ts';
import { sessionCookie } from './session.ts';

/** The parameters that providers send. They may add more, so only here any other parameter is accepted. */
const ReturnQuery = t.Object(
  {
    code: t.Optional(t.String({ maxLength: 4000 })),
    state: t.Optional(t.String({ maxLength: 1000 })),
    error: t.Optional(t.String({ maxLength: 1000 })),
  },
  { additionalProperties: true },
);

const tags = ['Sign-in through a provider'];
const names: Readonly<Record<Provider, string>> = { google: 'Google', github: 'GitHub' };

/** `/auth/google` and `/auth/github`, at the root of the site: browsers go there, not programs. */
export const providerRoutes = (deps: Deps, endpoints: Endpoints = providerEndpoints) =>
  new Elysia({ prefix: '/auth' }).use(routesOf(deps, 'google', endpoints)).use(routesOf(deps, 'github', endpoints));

const routesOf = (deps: Deps, provider: Provider, endpoints: Endpoints) =>
  new Elysia({ prefix: `/${provider}` })
    .get(
      '',
      async ({ request }) => {
        try {
          const { url, cookie } = await startSignIn(deps, request, provider, endpoints);
          return redirection(url.href, [cookie]);
        } catch (error) {
          return shown(error, request, []);
        }
      },
      {
        query: query({}),
        detail: {
          summary: `Sign in with ${names[provider]}`,
          operationId: `startSignInWith${names[provider]}`,
          tags,
          responses: { 302: { description: 'To the provider.' } },
        },
      },
    )
    .get(
      '/callback',
      async ({ query: given, request }) => {
        try {
          const { token, device } = await finishSignIn(deps, request, provider, endpoints, given);
          return redirection('/auth/callback', [
            sessionCookie(token, deps.config),
            deviceCookie(device.secret, deps.config),
            endedFlowCookie(deps),
          ]);
        } catch (error) {
          return shown(error, request, [endedFlowCookie(deps)]);
        }
      },
      {
        query: ReturnQuery,
        detail: {
          summary: `The way back from ${names[provider]}`,
          description:
            'Sets `session` and redirects to `/auth/callback`. In a browser, that page also shows what went wrong.',
          operationId: `finishSignInWith${names[provider]}`,
          tags,
          responses: { 302: { description: 'To `/auth/callback`.' } },
        },
      },
    );

function redirection(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 302, headers });
}

/** What went wrong, on the page of the way back. A program gets the problem itself. */
function shown(error: unknown, request: Request, cookies: readonly string[]): Response {
  if (!isBrowser(request)) throw error;
  const { refusal, bug } = refusalOf(error);
  if (bug) throw error;
  return redirection(`/auth/callback?error=${refusal.code}`, cookies);
}

function isBrowser(request: Request): boolean {
  return (request.headers.get('accept') ?? '').includes('text/html');
}
