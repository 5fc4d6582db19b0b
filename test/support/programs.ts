import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { TestApp, TestClient } from './app.ts';

/** The address of the applications that programs connect to. */
export const programBase = 'http://localhost';
export const callback = 'http://127.0.0.1:33418/callback';

/** A program that connects by OAuth with the protocol's official client, and keeps what it gets. */
export class ConnectingProgram implements OAuthClientProvider {
  readonly redirectUrl = callback;
  /** The address that it opened in the browser. */
  opened: URL | null = null;
  information: OAuthClientInformationMixed | undefined;
  kept: OAuthTokens | undefined;
  verifier = '';

  constructor(
    readonly app: TestApp,
    readonly scope: string,
    readonly name = 'Example AI',
  ) {}

  get clientMetadata(): OAuthClientMetadata {
    return { client_name: this.name, redirect_uris: [callback], scope: this.scope };
  }
  state = () => 'state-1';
  clientInformation = () => this.information;
  saveClientInformation = (information: OAuthClientInformationMixed) => {
    this.information = information;
  };
  tokens = () => this.kept;
  saveTokens = (tokens: OAuthTokens) => {
    this.kept = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.opened = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier;
  };
  codeVerifier = () => this.verifier;

  readonly fetch = async (url: string | URL, init?: RequestInit): Promise<Response> =>
    this.app.app.fetch(new Request(url, init));

  /** Connects. If the user must allow it first, returns what the page of the web client sends, and otherwise null. */
  async start(): Promise<Record<string, string> | null> {
    const result = await auth(this, { serverUrl: `${programBase}/mcp`, scope: this.scope, fetchFn: this.fetch });
    if (result === 'AUTHORIZED') return null;
    return Object.fromEntries(this.opened?.searchParams ?? []);
  }

  /** Exchanges the code in an address that the user was sent to. */
  async finish(redirectTo: string): Promise<void> {
    const authorizationCode = new URL(redirectTo).searchParams.get('code') ?? '';
    await auth(this, { serverUrl: `${programBase}/mcp`, authorizationCode, fetchFn: this.fetch });
  }

  /** Opens a conversation with the tokens. Renews them if the server refuses the access token. */
  async open(): Promise<Client> {
    const transport = new StreamableHTTPClientTransport(new URL(`${programBase}/mcp`), {
      authProvider: this,
      fetch: this.fetch,
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    return client;
  }
}

interface Consent {
  readonly scopes?: readonly string[];
  readonly client?: string | null;
}

/** Allows what the program asks for, as the page of the web client does. Returns the address to go to. */
export async function allow(
  who: TestClient,
  request: Record<string, string> | null,
  { scopes = ['read'], client = null }: Consent = {},
): Promise<string> {
  const body = { request, scopes, client };
  return (await who.json<{ redirectTo: string }>('POST', '/v1/auth/programs', { body }, 200)).redirectTo;
}

/** Connects a program for the user. */
export async function connect(
  app: TestApp,
  who: TestClient,
  consent: Consent & { readonly name?: string } = {},
): Promise<ConnectingProgram> {
  const scopes = consent.scopes ?? ['read'];
  const program = new ConnectingProgram(app, scopes.join(' '), consent.name);
  await program.finish(await allow(who, await program.start(), { ...consent, scopes }));
  return program;
}
