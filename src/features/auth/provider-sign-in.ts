import { sha256 } from '@oslojs/crypto/sha2';
import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { cookieHeader, readCookie } from '../../http/cookies.ts';
import { factsOf } from '../../http/requests.ts';
import { openProvider, type Profile, type ProviderClient, type ProviderEndpoints } from './providers.ts';
import { insertFlow, insertIdentity, insertUser, type Provider, readIdentity, takeFlow } from './queries.ts';
import { canonicalEmail, mailNewDevice, openSessionHere, type SignedInHere } from './sign-in.ts';

export type Endpoints = Readonly<Record<Provider, ProviderEndpoints>>;

const flowSeconds = 600;
const flowCookieName = 'sign_in';

export interface Departure {
  readonly url: URL;
  /** Binds the flow to this browser, so that a state from somebody else's link is refused. */
  readonly cookie: string;
}

/** Begins a flow: the address at the provider, and the cookie of the state. */
export async function startSignIn(
  deps: Deps,
  request: Request,
  provider: Provider,
  endpoints: Endpoints,
): Promise<Departure> {
  const client = clientOf(deps, provider, endpoints);
  deps.rateLimits.take('signIn', factsOf(request).network);
  const { url, state, codeVerifier } = client.start();
  const flow = { stateHash: hashOf(state), provider, codeVerifier, seconds: flowSeconds };
  await deps.database.asService((sql) => insertFlow(sql, flow));
  return { url, cookie: flowCookie(deps, state, flowSeconds) };
}

/** Completes a flow. The first return with its state uses it up, whatever the outcome. */
export async function finishSignIn(
  deps: Deps,
  request: Request,
  provider: Provider,
  endpoints: Endpoints,
  given: {
    readonly code?: string | undefined;
    readonly state?: string | undefined;
    readonly error?: string | undefined;
  },
): Promise<SignedInHere> {
  const client = clientOf(deps, provider, endpoints);
  const { state, code, error } = given;
  if (state === undefined || readCookie(request, flowCookieName) !== state) throw strangeReturn();
  const codeVerifier = await deps.database.asService((sql) => takeFlow(sql, hashOf(state), provider));
  if (codeVerifier === undefined) throw strangeReturn();
  if (error !== undefined || code === undefined) {
    throw new Refusal('forbidden', 'The sign-in was denied at the provider.');
  }
  const profile = await client.profileOf(code, codeVerifier);
  const { email, isNew, signedIn } = await deps.database.asService(async (sql) => {
    const user = await userOf(sql, deps, provider, profile);
    return { ...user, signedIn: await openSessionHere(sql, request, user.id) };
  });
  if (!isNew) mailNewDevice(deps, request, email, signedIn);
  return signedIn;
}

export function endedFlowCookie(deps: Deps): string {
  return flowCookie(deps, '', 0);
}

function clientOf(deps: Deps, provider: Provider, endpoints: Endpoints): ProviderClient {
  const credentials = deps.config[provider];
  if (credentials === null) {
    throw new Refusal('provider_unconfigured', 'This server has no credentials for the provider.', {
      retryAfterSeconds: 3600,
    });
  }
  const redirectUri = `${deps.config.baseUrl}/auth/${provider}/callback`;
  return openProvider(provider, credentials, redirectUri, endpoints[provider]);
}

function flowCookie(deps: Deps, state: string, maxAgeSeconds: number): string {
  return cookieHeader(flowCookieName, state, { path: '/auth', maxAgeSeconds, secure: deps.config.secure });
}

function hashOf(state: string): Uint8Array {
  return sha256(new TextEncoder().encode(state));
}

function strangeReturn(): Refusal {
  return new Refusal('bad_request', 'This sign-in began in another browser, or too long ago. Start again.');
}

/**
 * The user of a provider's profile; a new one, if there is none. It is not joined to an account with the same address:
 * that account never proved the address, and whoever registered it would share this person's books.
 */
async function userOf(sql: Sql, deps: Deps, provider: Provider, profile: Profile) {
  const known = await readIdentity(sql, provider, profile.subject);
  if (known !== undefined) return { ...known, isNew: false };
  const now = deps.clock.now();
  const user = { id: crypto.randomUUID(), taxpayerId: crypto.randomUUID(), passwordHash: null, now };
  const email = canonicalEmail(profile.email);
  const made = await insertUser(sql, { ...user, email, name: profile.name });
  if (!made) {
    throw new Refusal('email_taken', 'An account with this e-mail address exists. Sign in with its password.');
  }
  await insertIdentity(sql, { provider, subject: profile.subject, userId: user.id, now });
  return { id: user.id, email, isNew: true };
}
