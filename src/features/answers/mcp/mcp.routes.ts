import { Elysia, t } from 'elysia';
import manifest from '../../../../package.json' with { type: 'json' };
import { dayIn, type Instant } from '../../../base/day.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { reportRefusal } from '../../../http/audit/refusals.ts';
import { group } from '../../../http/operations.ts';
import { getRequestFacts } from '../../../http/requests.ts';
import { closed } from '../../../http/schemas.ts';
import type { ImportDeps } from '../../ledger/imports/import-deps.ts';
import type { Access } from '../../people/auth/access.ts';
import { booksView } from '../messages/books-view.ts';
import type { Questioner } from '../messages/converse.ts';
import { toolbox } from '../messages/tools.ts';
import type { BookView } from '../messages/view.ts';
import { lineTools } from './line-tools.ts';
import { importInstructions, importTools, instructions, type OfferedTool, readingTools } from './offered-tool.ts';
import { prompts } from './prompts.ts';
import type { McpOffer } from './server.ts';

/** A JSON-RPC 2.0 message, as used by MCP. This server sends no requests to programs, so it accepts no responses. */
const McpMessage = closed(
  {
    jsonrpc: t.Literal('2.0'),
    id: t.Optional(
      t.Union([t.String({ maxLength: 200 }), t.Number({ multipleOf: 1 })], {
        description: 'Identifies a request. A message without an id is a notification and gets no response.',
      }),
    ),
    method: t.String({
      minLength: 1,
      maxLength: 100,
      description: '`initialize`, `tools/list`, `tools/call` and other MCP methods.',
    }),
    params: t.Optional(t.Object({}, { additionalProperties: true })),
  },
  {
    title: 'McpMessage',
    examples: [
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'year_summary', arguments: { year: 2024 } } },
    ],
  },
);

const McpResponse = closed(
  {
    jsonrpc: t.Literal('2.0'),
    id: t.Optional(t.Union([t.String(), t.Number()])),
    result: t.Optional(
      t.Object(
        {},
        { additionalProperties: true, description: 'The result of `tools/call`: content and structuredContent.' },
      ),
    ),
    error: t.Optional(
      closed({ code: t.Number(), message: t.String(), data: t.Optional(t.Unknown()) }, { description: 'Of JSON-RPC.' }),
    ),
  },
  { title: 'McpResponse' },
);

const { onBooks } = group('AI programs');

/**
 * Gives AI programs access to the books through the Model Context Protocol. It is versioned separately from the API.
 */
export const mcpRoutes = (deps: ImportDeps, access: Access) =>
  new Elysia().use(access).post(
    '/mcp',
    async ({ body, request, server, caller, taxpayer, set }) => {
      // An import may take longer than the idle timeout of a connection.
      server?.timeout(request, 0);
      const { handleHttpMessage: answerByHttp } = await import('./server.ts');
      const rpcResponse = await answerByHttp(offerFor(deps, { caller, taxpayer }, request), request, body);
      if (rpcResponse === null) {
        set.status = 202;
        return;
      }
      return rpcResponse as typeof McpResponse.static;
    },
    onBooks(
      'createMcpMessage',
      { scopes: ['read', 'import'], action: 'file_imported', isForPrograms: true, permission: 'read' },
      {
        summary: 'Handle an MCP message from an AI program',
        description:
          'The Model Context Protocol over streamable HTTP, one message per request. It accepts only tokens, which a program gets by OAuth 2.1 (the metadata is at `/.well-known/oauth-protected-resource/mcp`) or from its user: with `read` a program queries the books with the assistant’s tools, with `import` it imports files, first as a preview. No state is kept between requests, and no stream is offered: GET and DELETE return 405, as the protocol allows. Text from files is in `untrustedData`.',
        body: McpMessage,
        response: { 200: McpResponse, 202: t.Void() },
      },
    ),
  );

function offerFor(deps: ImportDeps, asker: Questioner, request: Request): McpOffer {
  const { scopes = [], isConnection = false } = asker.caller.token ?? {};
  const snapshot = <T>(look: (sql: Sql) => Promise<T>) =>
    deps.database.asTaxpayer(asker.taxpayer.id, look, { snapshot: true, readOnly: true });
  const reading = readingTools(toolbox(viewFor(deps, asker)).tools);
  return {
    version: manifest.version,
    instructions: scopes.includes('import') ? `${instructions} ${importInstructions}` : instructions,
    tools: [...reading, ...lineTools(deps, asker.taxpayer.id, snapshot), ...importTools(deps, asker, request)],
    prompts,
    refusalOf: ({ name, scope }: OfferedTool) => {
      if (scopes.includes(scope)) return null;
      const remedy = isConnection
        ? 'Connect the program again and allow that permission.'
        : 'Create a token with that permission.';
      const detail = `This token is limited to ${scopes.join(', ')}. ${name} needs ${scope}. ${remedy}`;
      return new Refusal('insufficient_scope', detail, { members: { scopes: [scope] } });
    },
    onRefused: (refusal) => reportRefusal(deps, refusal, getRequestFacts(request)),
  };
}

/** The same limit as for a calculation, because a planned sale may replay the whole history. */
const statementSecondsMax = 120;

/** Returns the assistant's view of the books, with the same limits as the corresponding routes. */
function viewFor(deps: Deps, { caller, taxpayer }: Questioner): BookView {
  const scope = {
    taxpayerId: taxpayer.id,
    today: dayIn((deps.clock.now().getTime() * 1000) as Instant, taxpayer.timeZone),
    client: taxpayer.id === caller.taxpayerId ? null : taxpayer.id,
  };
  const options = { snapshot: true, readOnly: true };
  const view = booksView((look) => deps.database.asTaxpayer(taxpayer.id, look, options), scope);
  const planning = booksView(
    (look) => deps.database.asTaxpayer(taxpayer.id, look, { ...options, statementSecondsMax }),
    scope,
  );
  return {
    ...view,
    whatIf: async (sales) => {
      deps.rateLimits.take('work', caller.userId);
      return deps.longReads(taxpayer.id, () => planning.whatIf(sales));
    },
  };
}
