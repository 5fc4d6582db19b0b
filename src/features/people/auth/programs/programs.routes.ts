import { Elysia, t } from 'elysia';
import type { Deps } from '../../../../deps.ts';
import { parseUuid, requireFound } from '../../../../http/errors.ts';
import { group, lasting, person } from '../../../../http/operations.ts';
import { closed, id, instant, nullable, oneOf, problems } from '../../../../http/schemas.ts';
import type { Access } from '../access.ts';
import { approveProgramConnection, previewProgramConnection } from './authorization.ts';
import {
  deleteProgramConnectionOf,
  listProgramConnections,
  type ProgramConnectionListRow,
  programScopes,
} from './programs.queries.ts';
import { connectionsMax } from './programs.ts';

const { signedIn } = group('AI programs');

const optional = (maxLength: number, description?: string) =>
  t.Optional(t.String({ maxLength, ...(description === undefined ? {} : { description }) }));

const exampleRequest = {
  client_id: 'mzxw6ytboi2gk3tdn5sgk4tf',
  redirect_uri: 'http://127.0.0.1:33418/callback',
  response_type: 'code',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  scope: 'read',
};

/** The parameters of an authorization request, which the web client got in its address. */
const requestMembers = {
  client_id: t.String({ maxLength: 100, examples: [exampleRequest.client_id] }),
  redirect_uri: t.String({ maxLength: 1000, examples: [exampleRequest.redirect_uri] }),
  response_type: optional(100, '`code`.'),
  code_challenge: optional(200, 'The proof of RFC 7636, by the method `S256`.'),
  code_challenge_method: optional(100),
  scope: optional(1000, 'Scopes with spaces between them. `read` by default.'),
  state: optional(2000, 'Returned to the program unchanged.'),
  resource: optional(1000, 'The address of /mcp on this server (RFC 8707).'),
};
const scopes = t.Array(oneOf(programScopes), { minItems: 1, maxItems: programScopes.length });
const client = nullable(
  t.String({ description: 'The client whose books the program reads. Null for your own books.' }),
);

const PreviewSchema = closed(
  {
    name: t.String({ description: 'The name that the program gave itself. Nobody has verified it.' }),
    redirectHost: t.String({ description: 'The host that gets the code.' }),
    isLocal: t.Boolean({ description: 'Whether the program runs on the user’s own computer.' }),
    scopes,
    declineUrl: t.String({ description: 'Where to send the browser if the user declines.' }),
  },
  { title: 'ProgramConnectionPreview' },
);
const ProgramConnection = closed(
  {
    ...{ id, name: t.String(), redirectHost: t.String(), scopes, client, createdAt: instant, lastUsedAt: instant },
    expiresAt: t.Intersect([instant], { description: 'When the connection ends if the program does not use it.' }),
  },
  { title: 'ProgramConnection' },
);

/** Defines the routes with which a user connects a program, sees what is connected, and ends it. */
export const programRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/auth/programs' })
    .use(access)
    .get(
      '',
      async ({ caller }) => {
        const rows = await deps.database.asService((sql) => listProgramConnections(sql, caller.userId), {
          readOnly: true,
        });
        return { data: rows.map(toProgramConnectionView) };
      },
      signedIn('listProgramConnections', person(null), {
        summary: 'List the connected AI programs, newest first',
        response: { 200: closed({ data: t.Array(ProgramConnection) }) },
      }),
    )
    .post(
      '/preview',
      ({ body }) => previewProgramConnection(deps, body),
      signedIn('previewProgramConnection', person(null), {
        summary: 'Check what a program asks for',
        description:
          'Checks the parameters of an authorization request, and returns what the user decides about. An error that the program may know has `redirectTo`.',
        body: closed(requestMembers, { title: 'AuthorizationRequest', examples: [exampleRequest] }),
        response: { 200: PreviewSchema },
      }),
    )
    .post(
      '',
      async ({ body, caller }) => ({ redirectTo: await approveProgramConnection(deps, caller, body.request, body) }),
      signedIn('createProgramConnection', lasting('program_connected'), {
        summary: 'Connect an AI program',
        description: `Requires a recent sign-in. The response contains the program’s address with a code, which works once and for a minute. An account can have at most ${connectionsMax} connections. We email the owner about each one.`,
        body: closed(
          { request: closed(requestMembers), scopes, client },
          { title: 'NewProgramConnection', examples: [{ request: exampleRequest, scopes: ['read'], client: null }] },
        ),
        response: {
          200: closed({ redirectTo: t.String({ description: 'Where to send the browser.' }) }, { title: 'Connected' }),
          ...problems('conflict', 'reauthentication_required'),
        },
      }),
    )
    .delete(
      '/:id',
      async ({ caller, params }) => {
        const connectionId = parseUuid(params.id);
        requireFound(
          await deps.database.asService((sql) => deleteProgramConnectionOf(sql, caller.userId, connectionId)),
        );
      },
      signedIn('revokeProgramConnection', person('program_disconnected'), {
        summary: 'Disconnect an AI program',
        response: { 204: t.Void() },
      }),
    );

function toProgramConnectionView({
  clientId,
  redirectUri,
  createdAt,
  lastUsedAt,
  expiresAt,
  ...row
}: ProgramConnectionListRow) {
  return {
    ...row,
    client: clientId,
    redirectHost: new URL(redirectUri).host,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
