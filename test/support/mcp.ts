import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TestApp, TestClient } from './app.ts';
import { mainFile } from './process.ts';

/** An AI program that uses the protocol's official client. */
export interface McpProgram {
  readonly client: Client;
  call(name: string, input?: object): Promise<McpResult>;
  /** The result of the tool, without its markup. */
  found<T = Record<string, unknown>>(name: string, input?: object): Promise<T>;
}

export interface McpResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: { readonly notice: string; readonly untrustedData: unknown };
  readonly isError?: boolean;
}

/** Connects over HTTP, calling the application without a socket. */
export async function programAt(app: TestApp, token: string, path = '/mcp'): Promise<McpProgram> {
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost${path}`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (url, init) => app.app.fetch(new Request(url, init)),
  });
  return connected((client) => client.connect(transport));
}

/** Connects over stdin and stdout of `lotbook mcp`. */
export async function programOver(args: readonly string[]): Promise<McpProgram> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [mainFile, 'mcp', ...args],
    stderr: 'pipe',
  });
  return connected((client) => client.connect(transport));
}

export async function fetchToken(who: TestClient, scopes: readonly string[], client: string | null = null) {
  const body = { name: 'A program', scopes, client };
  return (await who.json<{ id: string; token: string }>('POST', '/v1/auth/tokens', { body }, 201)).token;
}

async function connected(connect: (client: Client) => Promise<void>): Promise<McpProgram> {
  const client = new Client({ name: 'test', version: '1' });
  await connect(client);
  const call: McpProgram['call'] = async (name, input = {}) =>
    (await client.callTool({ name, arguments: { ...input } })) as unknown as McpResult;
  return {
    client,
    call,
    found: async <T>(name: string, input?: object): Promise<T> => {
      const { structuredContent, isError, content } = await call(name, input);
      if (structuredContent === undefined || isError === true) throw new Error(content[0]?.text ?? `${name} failed`);
      return structuredContent.untrustedData as T;
    },
  };
}
