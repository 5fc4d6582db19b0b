import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { Refusal } from '../../base/refusal.ts';
import { buildOutputSchema, callTool, type OfferedTool, toRefusedResult } from './offered-tool.ts';

/** The tools and instructions that a program receives first. */
export interface McpOffer {
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly OfferedTool[];
  /** Whether a tool is listed and can be called. If it cannot, the refusal gives the reason. */
  readonly refusalOf: (tool: OfferedTool) => Refusal | null;
  /** Called when a program calls a tool that `refusalOf` refuses. */
  readonly onRefused: (refusal: Refusal) => void;
}

/**
 * Handles one HTTP message. Returns null if it needs no response. Keeps no state between requests, so any node can
 * handle any of them. Refuses an invalid message and throws if a tool has a bug.
 */
export async function handleHttpMessage(offer: McpOffer, request: Request, message: object): Promise<unknown> {
  const bugs: unknown[] = [];
  const server = createServer(offer, (error) => bugs.push(error));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(toTransportRequest(request), { parsedBody: message });
    if (bugs.length > 0) throw bugs[0];
    if (response.status === 202) return null;
    const rpcResponse: unknown = await response.json();
    if (response.ok) return rpcResponse;
    throw new Refusal('bad_request', 'This is not a message of an MCP version that this server supports.');
  } finally {
    await server.close();
  }
}

/** Serves one program over stdin and stdout, until it closes stdin. */
export async function serveStdio(offer: McpOffer, onBug: (error: unknown) => void): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const server = createServer(offer, onBug);
  // An invalid message does not prevent the next one from being read.
  server.onerror = () => {};
  server.onclose = () => ended.resolve();
  process.stdin.once('end', () => ended.resolve());
  await server.connect(new StdioServerTransport());
  await ended.promise;
  await server.close();
}

/** Every response is JSON, regardless of the Accept header. No response is streamed. */
function toTransportRequest(request: Request): Request {
  const version = request.headers.get('mcp-protocol-version');
  return new Request(request.url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(version === null ? {} : { 'mcp-protocol-version': version }),
    },
  });
}

function createServer(
  { version, instructions, tools, refusalOf, onRefused }: McpOffer,
  onBug: (error: unknown) => void,
): Server {
  const server = new Server(
    { name: 'lotbook', title: 'Lotbook', version },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.filter((tool) => refusalOf(tool) === null).map(listed),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, 'There is no tool with that name.');
    try {
      const input = params.arguments ?? {};
      const forbidden = refusalOf(tool);
      if (forbidden !== null) onRefused(forbidden);
      const refusal = forbidden ?? invalidInput(tool, input);
      const { structured, text } = refusal === null ? await callTool(tool, input) : toRefusedResult(refusal);
      const content = [{ type: 'text' as const, text }];
      return structured === null ? { content, isError: true } : { content, structuredContent: { ...structured } };
    } catch (error) {
      onBug(error);
      throw new McpError(ErrorCode.InternalError, 'Something went wrong on our end.');
    }
  });
  return server;
}

function listed(tool: OfferedTool) {
  const { name, title, description, parameters, writes } = tool;
  return {
    ...{ name, title, description },
    inputSchema: { ...parameters, type: 'object' as const },
    outputSchema: buildOutputSchema(tool),
    // Repeating a call has no further effect, and every call is limited to these books.
    annotations: { title, readOnlyHint: !writes, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

const jsonSchemaValidator = new AjvJsonSchemaValidator();
/** Keyed by the text of the schema, because compiled schemas are never released. */
const validators = new Map<string, ReturnType<AjvJsonSchemaValidator['getValidator']>>();

function invalidInput({ parameters }: OfferedTool, input: object): Refusal | null {
  const key = JSON.stringify(parameters);
  const validate = validators.get(key) ?? jsonSchemaValidator.getValidator(parameters);
  validators.set(key, validate);
  const { valid, errorMessage } = validate(input);
  return valid ? null : new Refusal('invalid', `The arguments are not valid: ${errorMessage ?? 'see the schema'}.`);
}
