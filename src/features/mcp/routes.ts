import { Elysia, t } from 'elysia';
import manifest from '../../../package.json' with { type: 'json' };
import { dayIn, type Instant } from '../../base/day.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Deps } from '../../deps.ts';
import { reportRefusal } from '../../http/audit/refusals.ts';
import { factsOf } from '../../http/requests.ts';
import { booksQuery, problems } from '../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import type { ImportDeps } from '../imports/import-deps.ts';
import { booksView } from '../messages/books-view.ts';
import type { Asker } from '../messages/converse.ts';
import { toolbox } from '../messages/tools.ts';
import type { BookView } from '../messages/view.ts';
import { importTools } from './import-tools.ts';
import { importInstructions, instructions } from './instructions.ts';
import { type OfferedTool, readingTools } from './offered-tool.ts';
import { McpAnswer, McpMessage } from './schemas.ts';
import type { McpOffer } from './server.ts';

/** The books for AI programs, by the Model Context Protocol. It is separate from the API and has its own version. */
export const mcpRoutes = (deps: ImportDeps, access: Access) =>
  new Elysia().use(access).post(
    '/mcp',
    async ({ body, request, server, caller, taxpayer, set }) => {
      // An import may take longer than a connection may be silent.
      server?.timeout(request, 0);
      const { answerByHttp } = await import('./server.ts');
      const answer = await answerByHttp(offerFor(deps, { caller, taxpayer }, request), request, body);
      if (answer === null) {
        set.status = 202;
        return;
      }
      return answer as typeof McpAnswer.static;
    },
    {
      books: true,
      query: booksQuery({}),
      body: McpMessage,
      response: { 200: McpAnswer, 202: t.Void(), ...problems('not_found', 'invalid') },
      detail: {
        summary: 'Answer an AI program',
        description:
          'The Model Context Protocol over streamable HTTP, one message a request. It takes tokens alone: with `read` a program asks the books by the assistant’s tools, with `import` it brings files in, first as a preview. Nothing is kept between two requests, and no stream is offered: GET and DELETE answer 405, as the protocol has it. What comes from files stands in `untrustedData`.',
        operationId: 'answerProgram',
        tags: ['AI programs'],
      },
    },
  );

function offerFor(deps: ImportDeps, asker: Asker, request: Request): McpOffer {
  const scopes = asker.caller.token?.scopes ?? [];
  const reading = readingTools(toolbox(viewFor(deps, asker)).tools);
  return {
    version: manifest.version,
    instructions: scopes.includes('import') ? `${instructions} ${importInstructions}` : instructions,
    tools: [...reading, ...importTools(deps, asker, request)],
    refusalOf: ({ name, scope }: OfferedTool) => {
      if (scopes.includes(scope)) return null;
      const detail = `This token may ${scopes.join(', ')}. ${name} needs ${scope}.`;
      return new Refusal('insufficient_scope', detail, { members: { scopes: [scope] } });
    },
    onRefused: (refusal) => reportRefusal(deps, refusal, factsOf(request)),
  };
}

/** A planned sale may replay a whole history, like a calculation. */
const statementSecondsMax = 120;

/** As the assistant sees the books, within the limits that the routes of the same answers have. */
function viewFor(deps: Deps, { caller, taxpayer }: Asker): BookView {
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
