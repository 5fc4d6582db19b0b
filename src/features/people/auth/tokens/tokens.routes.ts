import { Elysia, t } from 'elysia';
import type { Deps } from '../../../../deps.ts';
import { requireFound } from '../../../../http/errors.ts';
import { limitDefault, page, readCursor } from '../../../../http/list.ts';
import { group, lasting, person, tokenScopes } from '../../../../http/operations.ts';
import {
  closed,
  id,
  instant,
  listOf,
  listQuery,
  notBlank,
  nullable,
  oneOf,
  problems,
  whole,
} from '../../../../http/schemas.ts';
import type { Access } from '../access.ts';
import { deleteAccessToken, listAccessTokens, type TokenListRow } from './tokens.queries.ts';
import { createToken, tokenDaysDefault, tokenDaysMax, tokenLimit } from './tokens.ts';

const { signedIn } = group('Accounts');

const scopes = t.Array(
  oneOf(
    tokenScopes,
    'The permissions of the token. `read`: read the books. `import`: import files and read their progress. `write`: change the books. `reports`: create and download reports. No scope includes another.',
  ),
  { minItems: 1, maxItems: tokenScopes.length },
);
const client = nullable(
  t.String({ description: 'The only client whose books the token can access. Null for all books.' }),
);

const tokenMembers = {
  id,
  name: t.String(),
  scopes,
  client,
  createdAt: instant,
  expiresAt: instant,
  lastUsedAt: nullable(instant),
};
const AccessToken = closed(tokenMembers, { title: 'AccessToken' });
const CreatedToken = closed(
  {
    ...tokenMembers,
    token: t.String({ description: 'The token, which begins with `lot_`. It appears only in this response.' }),
  },
  { title: 'TokenWithSecret' },
);
const TokenBody = closed(
  {
    name: t.String({ minLength: 1, maxLength: 100, ...notBlank, description: 'The purpose of the token.' }),
    scopes,
    client: t.Optional(client),
    days: t.Optional(
      whole({
        minimum: 1,
        maximum: tokenDaysMax,
        default: tokenDaysDefault,
        description: `The number of days until the token expires. Defaults to ${tokenDaysDefault}.`,
      }),
    ),
  },
  { title: 'NewToken', examples: [{ name: 'Nightly import', scopes: ['read', 'import'], days: 90 }] },
);

/** Defines the routes for API tokens, which let programs act for the account. A token cannot create tokens. */
export const tokenRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/auth/tokens' })
    .use(access)
    .get(
      '',
      async ({ caller, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const after = readCursor(parameters.cursor, ['instant', 'string']) ?? null;
        const { userId } = caller;
        const rows = await deps.database.asService((sql) => listAccessTokens(sql, { userId, after, limit }));
        return page(rows, limit, (row) => [row.createdAt.toISOString(), row.id], toTokenView);
      },
      signedIn('listTokens', person(null), {
        summary: 'List the tokens, newest first',
        query: listQuery,
        response: { 200: listOf(AccessToken) },
      }),
    )
    .post(
      '',
      async ({ body, caller, status }) => {
        const { row, token } = await createToken(deps, caller, body);
        return status(201, { ...toTokenView(row), token });
      },
      signedIn('createToken', lasting('token_created'), {
        summary: 'Create a token for a program',
        description: `Requires a recent sign-in. The token is shown only once. Programs send it as \`Authorization: Bearer lot_…\`. Each operation lists the scopes that allow it. Operations on the password, email address, second factor, sessions, tokens and account deletion do not accept tokens. ${tokenLimit} We email the owner about each new token.`,
        body: TokenBody,
        response: { 201: CreatedToken, ...problems('conflict', 'reauthentication_required') },
      }),
    )
    .delete(
      '/:id',
      async ({ caller, params }) => {
        requireFound(await deps.database.asService((sql) => deleteAccessToken(sql, caller.userId, params.id)));
      },
      signedIn('revokeToken', person('token_revoked'), {
        summary: 'Revoke a token',
        params: closed({ id: t.String() }),
        response: { 204: t.Void() },
      }),
    );

function toTokenView({ clientId, createdAt, expiresAt, lastUsedAt, ...row }: TokenListRow) {
  return {
    ...row,
    client: clientId,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
