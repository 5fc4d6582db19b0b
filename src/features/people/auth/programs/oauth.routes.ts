import { Elysia, t } from 'elysia';
import type { Deps } from '../../../../deps.ts';
import { readForm } from '../../../../http/body.ts';
import { group } from '../../../../http/operations.ts';
import { getRequestFacts } from '../../../../http/requests.ts';
import { closed } from '../../../../http/schemas.ts';
import { programScopes } from './programs.queries.ts';
import { issueTokens, mcpResource, redirectsMax, registerProgram, revokeProgramToken } from './programs.ts';
import { redirectLengthMax } from './redirects.ts';

const { open } = group('AI programs');

/** An error of OAuth. It also has the members of a problem. */
const OAuthError = t.Object(
  {
    error: t.String({ description: '`invalid_grant`, `invalid_client` and other codes of OAuth 2.1.' }),
    error_description: t.String(),
  },
  { title: 'OAuthError', additionalProperties: true },
);

const registrationMembers = {
  client_name: t.Optional(t.String({ maxLength: 1000, description: 'The name that users see.' })),
  redirect_uris: t.Array(t.String({ maxLength: redirectLengthMax }), {
    minItems: 1,
    maxItems: redirectsMax,
    description: 'Where users are sent with a code: HTTPS, or HTTP on a loopback address.',
  }),
};

const Registration = t.Object(registrationMembers, {
  title: 'ProgramRegistration',
  description: 'Other members of RFC 7591 are accepted and ignored.',
  additionalProperties: true,
  examples: [{ client_name: 'Example AI', redirect_uris: ['http://127.0.0.1:33418/callback'] }],
});

const flow = {
  grant_types: t.Array(t.String()),
  response_types: t.Array(t.String()),
  token_endpoint_auth_method: t.Literal('none', { description: 'Programs have no secret. They prove a code by PKCE.' }),
};

const RegisteredProgram = closed(
  {
    client_id: t.String(),
    client_id_issued_at: t.Number({ multipleOf: 1, description: 'Seconds since 1970.' }),
    client_name: t.String(),
    redirect_uris: t.Array(t.String()),
    ...flow,
  },
  { title: 'RegisteredProgram' },
);

const Tokens = closed(
  {
    access_token: t.String(),
    token_type: t.Literal('Bearer'),
    expires_in: t.Number({ multipleOf: 1, description: 'Seconds.' }),
    refresh_token: t.String({ description: 'Works once. Using an earlier one ends the connection.' }),
    scope: t.String({ description: 'The scopes that the user allowed.' }),
  },
  { title: 'ProgramTokens' },
);

/** Describes a form as a request body. The example is what a program sends. */
function formBody(example: string) {
  return {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: { type: 'string' }, example } },
  };
}

/** The members of both metadata documents that name this server. */
const grantTypes = ['authorization_code', 'refresh_token'];

/**
 * Defines the routes of the authorization server for programs that use /mcp: its metadata, registration, tokens and
 * revocation. The web client has the authorization endpoint, /authorize.
 */
export const oauthRoutes = (deps: Deps) => {
  const { baseUrl } = deps.config;
  const resource = {
    resource: mcpResource(deps.config),
    resource_name: 'Lotbook',
    authorization_servers: [baseUrl],
    scopes_supported: programScopes,
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/help/ai-programs`,
  };
  const server = {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    scopes_supported: programScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    protected_resources: [mcpResource(deps.config)],
  };
  const metadata = new Elysia({ detail: { hide: true } })
    // MCP programs that get no challenge look at both addresses.
    .get('/.well-known/oauth-protected-resource/mcp', () => resource)
    .get('/.well-known/oauth-protected-resource', () => resource)
    .get('/.well-known/oauth-authorization-server', () => server);
  return new Elysia()
    .use(metadata)
    .post(
      '/oauth/register',
      async ({ body, request, status }) => {
        deps.rateLimits.take('register', getRequestFacts(request).network);
        const { id, name, redirectUris } = await registerProgram(deps, body);
        return status(201, {
          client_id: id,
          client_id_issued_at: Math.floor(deps.clock.now().getTime() / 1000),
          client_name: name,
          redirect_uris: [...redirectUris],
          ...{ grant_types: grantTypes, response_types: ['code'], token_endpoint_auth_method: 'none' as const },
        });
      },
      open('createProgram', null, {
        summary: 'Register an AI program',
        description:
          'Dynamic client registration (RFC 7591). Anyone can register a program. It gets access only if a user allows it. A program that no user connects for 30 days is removed.',
        body: Registration,
        response: { 201: RegisteredProgram, 400: OAuthError },
      }),
    )
    .post(
      '/oauth/token',
      async ({ request }) => {
        deps.rateLimits.take('connect', getRequestFacts(request).network);
        return issueTokens(deps, await readForm(request));
      },
      open('createProgramTokens', 'program_disconnected', {
        summary: 'Get tokens for /mcp',
        description:
          'The token endpoint of OAuth 2.1. `grant_type` is `authorization_code`, with `code`, `redirect_uri`, `client_id` and `code_verifier`, or `refresh_token`, with `refresh_token` and `client_id`. An access token lasts 30 minutes. A refresh token works once and lasts 90 days. If a code or a refresh token is used twice, the connection ends.',
        parse: 'none',
        detail: {
          requestBody: formBody(
            'grant_type=refresh_token&client_id=mzxw6ytboi2gk3tdn5sgk4tf&refresh_token=lotr_mzxw6ytboi2gk3tdn5sgk4tf_mzxw6ytboi2gk3tdn5sgk4tfon2gs3th',
          ),
        },
        response: { 200: Tokens, 400: OAuthError },
      }),
    )
    .post(
      '/oauth/revoke',
      async ({ request }) => {
        deps.rateLimits.take('connect', getRequestFacts(request).network);
        await revokeProgramToken(deps, await readForm(request));
        return {};
      },
      open('revokeProgramTokens', 'program_disconnected', {
        summary: 'End a connection',
        description:
          'Token revocation (RFC 7009). `token` is the access token or the refresh token of the program `client_id`. Either one ends the connection. An unknown token gets the same response.',
        parse: 'none',
        detail: {
          requestBody: formBody(
            'client_id=mzxw6ytboi2gk3tdn5sgk4tf&token=lotr_mzxw6ytboi2gk3tdn5sgk4tf_mzxw6ytboi2gk3tdn5sgk4tfon2gs3th',
          ),
        },
        response: { 200: closed({}, { title: 'Revoked' }), 400: OAuthError },
      }),
    );
};
