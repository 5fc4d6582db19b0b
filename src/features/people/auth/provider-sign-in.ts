import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { hostCookieHeader, readHostCookie } from '../../../http/cookies.ts';
import { getRequestFacts } from '../../../http/requests.ts';
import { findOpenSession } from './access.ts';
import { insertIdentity, insertUser, type Provider, readIdentity } from './auth.queries.ts';
import { isAddress } from './auth.schemas.ts';
import { accountDeleted } from './cancellation.ts';
import { markVerified } from './email/email.queries.ts';
import { readFactors } from './factors.queries.ts';
import { keepPending, linkIdentity } from './identities.ts';
import { consumeToken, issueToken, lifetimeMinutesOf, lockStamp, type TokenHolder } from './one-time-tokens.queries.ts';
import { resolveTimeZone } from './profile.ts';
import { openProvider, type Profile, type ProviderClient, type ProviderEndpoints } from './providers.ts';
import {
  canonicalEmail,
  emailTaken,
  openSessionHere,
  reportSignIn,
  type SignedInHere,
  stampChanged,
} from './sign-in.ts';

export type Endpoints = Readonly<Record<Provider, ProviderEndpoints>>;

const flowSeconds = lifetimeMinutesOf('provider_sign_in') * 60;
const flowCookieName = 'sign_in';

interface ProviderRedirect {
  readonly url: URL;
  /** A cookie that ties the sign-in to this browser, so a state from another person's link is rejected. */
  readonly cookie: string;
}

/** Begins a sign-in. Returns the provider's URL and the cookie for the state. */
export async function startSignIn(
  deps: Deps,
  request: Request,
  provider: Provider,
  endpoints: Endpoints,
  { linkTo = null, timeZone = null }: { readonly linkTo?: TokenHolder | null; readonly timeZone?: string | null } = {},
): Promise<ProviderRedirect> {
  const client = createProviderClient(deps, provider, endpoints);
  deps.rateLimits.take('signIn', getRequestFacts(request).network);
  const { url, state, codeVerifier } = await client.start();
  const flow = { holder: linkTo, payload: { provider, codeVerifier, timeZone }, token: state };
  await deps.database.asService((sql) => issueToken(sql, 'provider_sign_in', flow));
  return { url, cookie: flowCookie(deps, state, flowSeconds) };
}

/** The query parameters of the callback. */
interface ProviderReturn {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly error?: string | undefined;
}

/** The result of a callback: signed in, waiting for the second factor, or linked to the account that requested it. */
export type ProviderResult =
  | { readonly kind: 'signedIn'; readonly signedIn: SignedInHere }
  | { readonly kind: 'pending'; readonly cookie: string }
  | { readonly kind: 'linked' };

/** Completes a sign-in. The first callback consumes the state, even if it fails. */
export async function finishSignIn(
  deps: Deps,
  request: Request,
  provider: Provider,
  endpoints: Endpoints,
  { state, code, error }: ProviderReturn,
): Promise<ProviderResult> {
  const client = createProviderClient(deps, provider, endpoints);
  if (state === undefined || readHostCookie(request, flowCookieName) !== state) throw strangeReturn();
  const flow = await deps.database.asService((sql) => consumeToken(sql, 'provider_sign_in', state));
  if (flow === undefined || flow.payload.provider !== provider) throw strangeReturn();
  if (error !== undefined || code === undefined) {
    throw new Refusal('forbidden', 'The sign-in was denied at the provider. Start again and allow access.');
  }
  const linker = flow.user === null ? null : await findOpenSession(deps, request);
  if (linker === undefined || (linker !== null && linker.userId !== flow.user?.userId)) throw strangeReturn();
  const profile = await client.requestProfile(code, flow.payload.codeVerifier);
  if (linker !== null) {
    await linkIdentity(deps, linker, provider, profile.subject);
    return { kind: 'linked' };
  }
  return arrival(deps, request, provider, { ...profile, timeZone: resolveTimeZone(flow.payload.timeZone) });
}

/** Signs the user in, or asks for the second factor if there is one. The provider counts as one factor. */
async function arrival(deps: Deps, request: Request, provider: Provider, profile: NewProfile): Promise<ProviderResult> {
  const { email, isNew, ...found } = await deps.database.asService(
    async (sql): Promise<ProviderUser & ProviderResult> => {
      const user = await findOrCreateUser(sql, deps, provider, profile);
      if (!user.isNew && !(await lockStamp(sql, { userId: user.id, stamp: user.stamp }))) throw stampChanged();
      const factors = await readFactors(sql, user.id);
      if (factors !== undefined && (factors.hasApp || factors.passkeys > 0)) {
        return {
          ...user,
          kind: 'pending',
          cookie: await keepPending(sql, deps, { userId: user.id, stamp: user.stamp }),
        };
      }
      return { ...user, kind: 'signedIn', signedIn: await openSessionHere(sql, request, user.id, provider) };
    },
  );
  if (found.kind === 'signedIn' && !isNew) await reportSignIn(deps, request, email, found.signedIn);
  return found;
}

export function endedFlowCookie(deps: Deps): string {
  return flowCookie(deps, '', 0);
}

function createProviderClient(deps: Deps, provider: Provider, endpoints: Endpoints): ProviderClient {
  const credentials = deps.config[provider];
  if (credentials === null) {
    throw new Refusal('provider_unconfigured', 'This server is not set up for this provider. Sign in another way.', {
      retryAfterSeconds: 3600,
    });
  }
  const redirectUri = `${deps.config.baseUrl}/auth/${provider}/callback`;
  return openProvider(provider, credentials, redirectUri, endpoints[provider]);
}

function flowCookie(deps: Deps, state: string, maxAgeSeconds: number): string {
  return hostCookieHeader(flowCookieName, state, { maxAgeSeconds, secure: deps.config.secure });
}

function strangeReturn(): Refusal {
  return new Refusal('bad_request', 'This sign-in began in another browser or too long ago. Start again.');
}

/** The user's profile at the provider, and the time zone of the browser that began the sign-in. */
interface NewProfile extends Profile {
  readonly timeZone: string;
}

interface ProviderUser {
  readonly id: string;
  readonly stamp: number;
  readonly email: string;
  readonly isNew: boolean;
}

/**
 * Returns the user for a provider's profile, or creates one. Never uses an existing account with the same email
 * address. The person who registered that account may not have confirmed the address and would then share these books.
 */
async function findOrCreateUser(sql: Sql, deps: Deps, provider: Provider, profile: NewProfile): Promise<ProviderUser> {
  const known = await readIdentity(sql, provider, profile.subject);
  const isAccepted = isAddress(profile.email);
  if (known !== undefined) {
    const { id, stamp, email, erasedAt } = known;
    if (email === null) throw accountDeleted(erasedAt);
    // Marks the address as verified, because the provider verified it.
    if (isAccepted && canonicalEmail(profile.email) === email) await markVerified(sql, id, email);
    return { id, stamp, email, isNew: false };
  }
  // Rejects an address with non-ASCII letters, because it could imitate another person's. Registration has the same
  // rule.
  if (!isAccepted) {
    const detail =
      'Lotbook does not accept your email address at this provider. Register with another address, then link the provider under Account.';
    throw new Refusal('forbidden', detail);
  }
  const now = deps.clock.now();
  const user = { id: crypto.randomUUID(), taxpayerId: crypto.randomUUID(), passwordHash: null, isVerified: true, now };
  const email = canonicalEmail(profile.email);
  const made = await insertUser(sql, { ...user, email, name: profile.name, timeZone: profile.timeZone });
  if (!made) throw emailTaken('Sign in to it, then link this provider account under Account.');
  await insertIdentity(sql, { provider, subject: profile.subject, userId: user.id, now });
  return { id: user.id, stamp: 0, email, isNew: true };
}
