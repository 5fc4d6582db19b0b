import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { refusalAndLine } from '../../../http/audit/refusals.ts';
import { toRefusal } from '../../../http/errors.ts';
import { group } from '../../../http/operations.ts';
import { failurePage } from '../../../http/problems.ts';
import { getRequestFacts } from '../../../http/requests.ts';
import { problems } from '../../../http/schemas.ts';
import type { Provider } from './auth.queries.ts';
import { newTimeZone } from './auth.schemas.ts';
import { deviceCookie } from './device.ts';
import { reportFailedProof } from './failures.ts';
import { requireTimeZone } from './profile.ts';
import { type Endpoints, endedFlowCookie, finishSignIn, type ProviderResult, startSignIn } from './provider-sign-in.ts';
import { providerEndpoints } from './providers.ts';
import { sessionCookie } from './session.ts';

const { open } = group('Sign-in through a provider');
const names: Readonly<Record<Provider, string>> = { google: 'Google', github: 'GitHub' };

/**
 * Defines `/auth/google` and `/auth/github`. They are at the root of the site, because browsers open them and programs
 * do not.
 */
export const providerRoutes = (deps: Deps, endpoints: Endpoints = providerEndpoints) =>
  new Elysia({ prefix: '/auth' })
    .use(createRoutes(deps, 'google', endpoints))
    .use(createRoutes(deps, 'github', endpoints));

const createRoutes = (deps: Deps, provider: Provider, endpoints: Endpoints) =>
  new Elysia({ prefix: `/${provider}` })
    .get(
      '',
      async ({ request, query: { timeZone } }) => {
        try {
          requireTimeZone(timeZone);
          const { url, cookie } = await startSignIn(deps, request, provider, endpoints, { timeZone: timeZone ?? null });
          return redirection(url.href, [cookie]);
        } catch (error) {
          return redirectToError(deps, error, request, [], null);
        }
      },
      open(`signInWith${names[provider]}`, null, {
        summary: `Sign in with ${names[provider]}`,
        query: { timeZone: t.Optional(newTimeZone) },
        response: problems('provider_unconfigured'),
        detail: { responses: { 302: { description: 'Redirects to the provider.' } } },
      }),
    )
    .get(
      '/callback',
      async ({ query: parameters, request }) => {
        try {
          return respondTo(deps, await finishSignIn(deps, request, provider, endpoints, parameters));
        } catch (error) {
          return redirectToError(deps, error, request, [endedFlowCookie(deps)], provider);
        }
      },
      open(`signInWith${names[provider]}Callback`, 'signed_in', {
        summary: `Handle the redirect from ${names[provider]}`,
        description:
          'Sets the cookie `session` and redirects to `/auth/callback`. The URL has `step=factor` if the account requires a second factor, and `linked` if the provider account was linked. In a browser, that page also shows errors (`error`).',
        query: { code: t.Optional(t.String()), state: t.Optional(t.String()), error: t.Optional(t.String()) },
        // The parameters that providers send. Providers may add more.
        ignoresOtherParameters: true,
        response: problems('email_taken', 'conflict', 'provider_unconfigured', 'provider_failed'),
        detail: { responses: { 302: { description: 'Redirects to `/auth/callback`.' } } },
      }),
    );

function respondTo(deps: Deps, arrival: ProviderResult): Response {
  const ended = endedFlowCookie(deps);
  if (arrival.kind === 'linked') return redirection('/auth/callback?linked=true', [ended]);
  if (arrival.kind === 'pending') return redirection('/auth/callback?step=factor', [arrival.cookie, ended]);
  const { token, device } = arrival.signedIn;
  const cookies = [sessionCookie(token, deps.config), deviceCookie(device.secret, deps.config)];
  return redirection('/auth/callback', [...cookies, ended]);
}

/**
 * Redirects to the page that shows the error. `back` marks an error on the way back from the provider. A program gets
 * the problem response directly.
 */
function redirectToError(
  deps: Deps,
  error: unknown,
  request: Request,
  cookies: readonly string[],
  back: Provider | null,
): Response {
  if (back !== null) reportFailedProof(deps, { action: 'sign_in_failed', way: back, userId: null });
  const page = failurePage(request, toRefusal(error).refusal);
  if (page === undefined) throw error;
  refusalAndLine(deps, error, getRequestFacts(request));
  for (const cookie of cookies) page.headers.append('set-cookie', cookie);
  return page;
}

function redirection(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 302, headers });
}
