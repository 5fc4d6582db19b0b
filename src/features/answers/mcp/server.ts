import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { Refusal } from '../../../base/refusal.ts';
import { ourFault } from '../../../http/problems.ts';
import { requireYear } from '../messages/tools.ts';
import { buildOutputSchema, callTool, type OfferedTool, toRefusedResult } from './offered-tool.ts';
import type { OfferedPrompt } from './prompts.ts';

/** The tools and instructions that the server offers to a program. */
export interface McpOffer {
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly OfferedTool[];
  /** Offered if all of their tools are. */
  readonly prompts: readonly OfferedPrompt[];
  /** Returns the reason why a tool is not available. Null if it is listed and can be called. */
  readonly refusalOf: (tool: OfferedTool) => Refusal | null;
  /** Called when a program calls a tool that `refusalOf` refuses. */
  readonly onRefused: (refusal: Refusal) => void;
}

/**
 * Handles one HTTP message. Returns null if no response is needed. Refuses invalid messages. Throws if a tool has a
 * bug. Keeps no state between requests, so any server can handle any of them.
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

/** Serves one program over stdin and stdout until it closes stdin. */
export async function serveStdio(offer: McpOffer, onBug: (error: unknown) => void): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const server = createServer(offer, onBug);
  // Ignores an invalid message and continues with the next one.
  server.onerror = () => {};
  server.onclose = () => ended.resolve();
  process.stdin.once('end', () => ended.resolve());
  await server.connect(new StdioServerTransport());
  await ended.promise;
  await server.close();
}

/** Builds the request for the transport. Sets the Accept header, so that every response is JSON and never a stream. */
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
  { version, instructions, tools, prompts, refusalOf, onRefused }: McpOffer,
  onBug: (error: unknown) => void,
): Server {
  const server = new Server(
    { name: 'lotbook', title: 'Lotbook', version },
    { capabilities: { tools: {}, prompts: {} }, instructions, jsonSchemaValidator },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.filter((tool) => refusalOf(tool) === null).map(describeTool),
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
      throw new McpError(ErrorCode.InternalError, ourFault);
    }
  });
  const callable = new Set(tools.filter((tool) => refusalOf(tool) === null).map(({ name }) => name));
  const offered = prompts.filter((prompt) => prompt.tools.every((name) => callable.has(name)));
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: offered.map(describePrompt) }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = offered.find(({ name }) => name === params.name);
    if (prompt === undefined) throw new McpError(ErrorCode.InvalidParams, 'There is no prompt with that name.');
    const text = prompt.write(readPromptYear(params.arguments?.year));
    return { description: prompt.description, messages: [{ role: 'user' as const, content: { type: 'text', text } }] };
  });
  return server;
}

function describePrompt({ name, title, description }: OfferedPrompt) {
  return { name, title, description, arguments: [{ name: 'year', description: 'The tax year.', required: true }] };
}

function readPromptYear(text: string | undefined): number {
  try {
    return requireYear(text);
  } catch (error) {
    throw new McpError(ErrorCode.InvalidParams, error instanceof Refusal ? error.detail : ourFault);
  }
}

function describeTool(tool: OfferedTool) {
  const { name, title, description, parameters, writes } = tool;
  return {
    ...{ name, title, description },
    inputSchema: { ...parameters, type: 'object' as const },
    outputSchema: buildOutputSchema(tool),
    // Repeating a call has no further effect, and no call reaches anything outside these books.
    annotations: { title, readOnlyHint: !writes, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

const jsonSchemaValidator = new AjvJsonSchemaValidator();
/** Caches compiled validators by the text of their schema, because Ajv never releases a compiled schema. */
const validators = new Map<string, ReturnType<AjvJsonSchemaValidator['getValidator']>>();

function invalidInput({ parameters }: OfferedTool, input: object): Refusal | null {
  const key = JSON.stringify(parameters);
  const validate = validators.get(key) ?? jsonSchemaValidator.getValidator(parameters);
  validators.set(key, validate);
  const { valid, errorMessage } = validate(input);
  return valid ? null : new Refusal('invalid', `The arguments are not valid: ${errorMessage ?? 'see the schema'}.`);
}
