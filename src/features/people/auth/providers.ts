import { Refusal } from '../../../base/refusal.ts';
import type { ProviderCredentials } from '../../../config.ts';
import type { Provider } from './auth.queries.ts';

/**
 * The only file that uses arctic: OAuth 2 with state and PKCE (S256), in the same way for both providers. The library
 * takes about 6 MB, so it is loaded with the first provider sign-in.
 */
export interface ProviderEndpoints {
  readonly authorization: string;
  readonly token: string;
  readonly profile: string;
}

/** The endpoints of the providers. Both use arctic's OAuth2Client, because its GitHub class does not support PKCE. */
export const providerEndpoints: Readonly<Record<Provider, ProviderEndpoints>> = {
  google: {
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    profile: 'https://openidconnect.googleapis.com/v1/userinfo',
  },
  github: {
    authorization: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    profile: 'https://api.github.com/user',
  },
};

/** A user's profile at the provider. */
export interface Profile {
  readonly subject: string;
  /** Verified by the provider. */
  readonly email: string;
  readonly name: string;
}

export interface ProviderClient {
  /** Returns the URL to open in the browser, and the secrets to store until the browser returns. */
  start(): Promise<{ readonly url: URL; readonly state: string; readonly codeVerifier: string }>;
  /** Requests the profile for a code from the provider over TLS. Does not trust tokens from the browser. */
  requestProfile(code: string, codeVerifier: string): Promise<Profile>;
}

const responseTimeoutMilliseconds = 10_000;
const responseBytesMax = 1_000_000;
const scopes: Readonly<Record<Provider, string[]>> = {
  google: ['openid', 'email', 'profile'],
  github: ['read:user', 'user:email'],
};

export function openProvider(
  provider: Provider,
  credentials: ProviderCredentials,
  redirectUri: string,
  endpoints: ProviderEndpoints,
): ProviderClient {
  return {
    async start() {
      const { CodeChallengeMethod, generateCodeVerifier, generateState, OAuth2Client } = await import('arctic');
      const client = new OAuth2Client(credentials.clientId, credentials.clientSecret, redirectUri);
      const [state, codeVerifier] = [generateState(), generateCodeVerifier()];
      const url = client.createAuthorizationURLWithPKCE(
        endpoints.authorization,
        state,
        CodeChallengeMethod.S256,
        codeVerifier,
        scopes[provider],
      );
      return { url, state, codeVerifier };
    },
    async requestProfile(code, codeVerifier) {
      try {
        const grant = {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: codeVerifier,
        };
        const accessToken = await exchange(endpoints.token, credentials, new URLSearchParams(grant));
        return await readers[provider](endpoints.profile, accessToken);
      } catch (error) {
        throw providerRefusal(error);
      }
    },
  };
}

const readers: Readonly<Record<Provider, (url: string, accessToken: string) => Promise<Profile>>> = {
  google: async (url, accessToken) => {
    const profile = await requestJson(url, accessToken);
    if (field(profile, 'email_verified') !== true) throw unverifiedEmail();
    return { subject: text(profile, 'sub'), email: text(profile, 'email'), name: optionalText(profile, 'name') };
  },
  github: async (url, accessToken) => {
    const profile = await requestJson(url, accessToken);
    const emails = await requestJson(`${url}/emails`, accessToken);
    const primary = (Array.isArray(emails) ? emails : []).find((email: unknown) => field(email, 'primary') === true);
    if (field(primary, 'verified') !== true) throw unverifiedEmail();
    const subject = field(profile, 'id');
    if (typeof subject !== 'number') throw new Error('GitHub sent no ID.');
    return { subject: String(subject), email: text(primary, 'email'), name: optionalText(profile, 'name') };
  },
};

/**
 * Exchanges a code for an access token (RFC 6749, 4.1.3). Does not use arctic's own request, which accepts responses of
 * any size, follows redirects with the secret, and has no timeout.
 */
async function exchange(url: string, { clientId, clientSecret }: ProviderCredentials, grant: URLSearchParams) {
  const response = await fetch(url, {
    ...limits(),
    method: 'POST',
    body: grant,
    headers: { ...headers, authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
  });
  const tokenResponse = await readJsonResponse(response).catch(() => undefined);
  // GitHub reports errors with status 200.
  if (typeof field(tokenResponse, 'error') === 'string' && (response.ok || response.status < 500))
    throw new RefusedCode();
  if (!response.ok) throw new Error(`The provider returned ${response.status}.`);
  return text(tokenResponse, 'access_token');
}

async function requestJson(url: string, accessToken: string): Promise<unknown> {
  const response = await fetch(url, { ...limits(), headers: { ...headers, authorization: `Bearer ${accessToken}` } });
  if (!response.ok) throw new Error(`The provider returned ${response.status}.`);
  return readJsonResponse(response);
}

const headers = { accept: 'application/json', 'user-agent': 'Lotbook' };

/** Returns the options of a request to a provider. The signal also aborts a response that never ends. */
function limits(): RequestInit {
  return { signal: AbortSignal.timeout(responseTimeoutMilliseconds), redirect: 'error' };
}

/**
 * Reads the JSON of a response. Throws if the response is too large, regardless of the length that the provider
 * declares.
 */
async function readJsonResponse(response: Response): Promise<unknown> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  // Throwing inside the loop cancels the stream.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > responseBytesMax) throw new Error("The provider's response is too large.");
    chunks.push(chunk);
  }
  return JSON.parse(await new Blob(chunks).text());
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function text(value: unknown, name: string): string {
  const fieldValue = field(value, name);
  if (typeof fieldValue !== 'string' || fieldValue === '') throw new Error(`The provider sent no ${name}.`);
  return fieldValue;
}

function optionalText(value: unknown, name: string): string {
  const fieldValue = field(value, name);
  // Removes NUL, which PostgreSQL cannot store in text.
  return typeof fieldValue === 'string' ? fieldValue.replaceAll('\0', '').slice(0, 200) : '';
}

function unverifiedEmail(): Refusal {
  return new Refusal('forbidden', 'The provider has not verified your email address. Verify it there, then try again.');
}

class RefusedCode extends Error {}

/**
 * Returns the error for a failed provider request. A code that the provider rejects is the browser's fault. Any other
 * error is the provider's.
 */
function providerRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof RefusedCode) {
    return new Refusal('bad_request', 'The provider rejected this sign-in. Start again.');
  }
  return new Refusal('provider_failed', 'The provider returned an error. Try again soon.');
}
