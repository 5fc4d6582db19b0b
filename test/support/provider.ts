import type { Endpoints } from '../../src/features/people/auth/provider-sign-in.ts';

/** A user of the local sign-in provider. */
export interface Person {
  readonly id: number;
  readonly email: string;
  readonly verified: boolean;
  readonly name: string;
}

/** A local sign-in provider that implements the protocols of Google and GitHub, including their checks. */
export interface ProviderStandIn {
  readonly endpoints: Endpoints;
  /** Lets the user consent. Returns the parameters with which the provider redirects the browser. */
  consent(authorization: URL, person: Person): URL;
  /** Selects the user who consents at once in a redirected browser. Null declines. */
  attend(person: Person | null): void;
  /** Makes the token endpoint fail from now on. */
  breakDown(): void;
  /** Makes responses from this path continue until the reader stops. Returns the number of bytes that were read. */
  flood(path: '/token' | '/google' | '/github' | '/github/emails'): () => number;
  close(): Promise<void>;
}

export const standInCredentials = {
  GOOGLE_CLIENT_ID: 'google-id',
  GOOGLE_CLIENT_SECRET: 'google-secret',
  GITHUB_CLIENT_ID: 'github-id',
  GITHUB_CLIENT_SECRET: 'github-secret',
} as const;

/** More than any reader should read. If the response were endless, a reader without a limit would never fail. */
const floodBytesMax = 40_000_000;

interface Grant {
  readonly person: Person;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly clientId: string;
}

export function startProvider(): ProviderStandIn {
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, Person>();
  let broken = false;
  let attending: Person | null = null;
  const flooded = new Set<string>();
  let sent = 0;
  const unlessFlooded =
    (answer: (request: Request) => Response | Promise<Response>) =>
    (request: Request): Response | Promise<Response> => {
      if (!flooded.has(new URL(request.url).pathname)) return answer(request);
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        controller.enqueue(new Uint8Array(65_536).fill(32));
        sent += 65_536;
        if (sent > floodBytesMax) controller.close();
      };
      return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'application/json' } });
    };
  const consent: ProviderStandIn['consent'] = (authorization, person) => {
    const asked = authorization.searchParams;
    if (asked.get('code_challenge_method') !== 'S256') throw new Error('The sign-in came without PKCE.');
    const code = crypto.randomUUID();
    const redirectUri = asked.get('redirect_uri') ?? '';
    const [challenge, clientId] = [asked.get('code_challenge') ?? '', asked.get('client_id') ?? ''];
    grants.set(code, { person, challenge, redirectUri, clientId });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    back.searchParams.set('scope', 'whatever the provider adds');
    return back;
  };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/authorize': (request) => {
        const authorization = new URL(request.url);
        if (attending !== null) return Response.redirect(consent(authorization, attending).href);
        const back = new URL(authorization.searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('error', 'access_denied');
        back.searchParams.set('state', authorization.searchParams.get('state') ?? '');
        return Response.redirect(back.href);
      },
      '/token': unlessFlooded(async (request) => {
        if (broken) return new Response('down', { status: 500 });
        const form = new URLSearchParams(await request.text());
        const grant = grants.get(form.get('code') ?? '');
        grants.delete(form.get('code') ?? '');
        const verifier = form.get('code_verifier') ?? '';
        const isFair =
          grant !== undefined &&
          form.get('grant_type') === 'authorization_code' &&
          form.get('redirect_uri') === grant.redirectUri &&
          (await readChallenge(verifier)) === grant.challenge &&
          request.headers.get('authorization') === basic(grant.clientId);
        if (!isFair) return Response.json({ error: 'invalid_grant' }, { status: 400 });
        const token = crypto.randomUUID();
        tokens.set(token, grant.person);
        return Response.json({ access_token: token, token_type: 'bearer' });
      }),
      '/google': unlessFlooded((request) =>
        withPerson(tokens, request, ({ id, email, verified, name }) => {
          return { sub: String(id), email, email_verified: verified, name };
        }),
      ),
      '/github': unlessFlooded((request) =>
        withPerson(tokens, request, ({ id, name }) => ({ id, login: name, name, email: null })),
      ),
      '/github/emails': unlessFlooded((request) =>
        withPerson(tokens, request, ({ email, verified }) => [
          { email: 'old@example.com', primary: false, verified: true },
          { email, primary: true, verified },
        ]),
      ),
    },
  });
  const at = (path: string): string => new URL(path, server.url).href;
  return {
    endpoints: {
      google: { authorization: at('/authorize'), token: at('/token'), profile: at('/google') },
      github: { authorization: at('/authorize'), token: at('/token'), profile: at('/github') },
    },
    consent,
    attend(person) {
      attending = person;
    },
    breakDown() {
      broken = true;
    },
    flood(path) {
      flooded.add(path);
      return () => sent;
    },
    close: () => server.stop(true),
  };
}

/** Computes the challenge like a provider (RFC 7636, 4.6). */
async function readChallenge(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return new Uint8Array(digest).toBase64({ alphabet: 'base64url', omitPadding: true });
}

function basic(clientId: string): string {
  return `Basic ${btoa(`${clientId}:${clientId.replace('-id', '-secret')}`)}`;
}

function withPerson(tokens: Map<string, Person>, request: Request, view: (person: Person) => unknown): Response {
  const token = (request.headers.get('authorization') ?? '').replace('Bearer ', '');
  const person = tokens.get(token);
  return person === undefined ? new Response('who?', { status: 401 }) : Response.json(view(person));
}
