import { toOpenAPISchema } from '@elysiajs/openapi';
import type { AnyElysia } from 'elysia';
import { type RefusalCode, refusalCodes } from '../../base/refusal.ts';
import { type Operation, tokenScopes } from '../operations.ts';
import { problemTable } from '../problems.ts';
import { day, id, instant, money, Problem, quantity } from '../schemas.ts';
import {
  cleanSchema,
  hoist,
  isObject,
  type Json,
  type JsonObject,
  mapMembers,
  type NamedWords,
} from './document-schemas.ts';
import { groups } from './groups.ts';

/** The version of the API. Its major part is the path segment `/v1`. */
const interfaceVersion = '1.0.0';

/**
 * Creates the OpenAPI 3.1 document of an application from its routes with @elysiajs/openapi. Uses only the library's
 * function because its own route returns 404 until its first await. Adds errors, security and names.
 */
export function openApiDocument(app: AnyElysia, words: NamedWords): JsonObject {
  const generated = plain(toOpenAPISchema(app, undefined, undefined, undefined, '3.1.2')) as { paths: JsonObject };
  const routes = collectRoutes(app);
  const schemas: JsonObject = {};
  for (const schema of [Problem, money, quantity, day, instant]) hoist(cleanSchema(plain(schema)), schemas, words);
  const paths: JsonObject = {};
  const tagged = taggedPaths(routes);
  for (const [path, item] of Object.entries(generated.paths)) {
    if (!isObject(item)) continue;
    paths[path] = {};
    for (const [method, operation] of Object.entries(item)) {
      if (!isObject(operation) || method === 'all') continue;
      const address = { method, path, isTagged: tagged.has(path) };
      const completed = complete(operation, address, routes.get(`${method} ${path}`) ?? {});
      paths[path][method] = hoist(completed, schemas, words);
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Lotbook', version: interfaceVersion, description: introduction },
    // Relative, so the command prints the same text that every address serves.
    servers: [{ url: '/' }],
    tags: listTags(paths),
    paths,
    components: { schemas, securitySchemes },
  };
}

/** The options of a route. The library omits or changes some of them. */
interface RouteHooks {
  readonly operation?: Operation;
  readonly params?: object;
  /** The JSON body. The library omits it because the routes use our own parser. */
  readonly body?: object | null;
  /** The key is a status. The library drops the descriptions of enums and the integer types. */
  readonly response?: object;
  readonly detail?: { readonly responses?: object };
}

type DocumentedRoute = Readonly<Record<'method' | 'path', string>> & { readonly hooks?: RouteHooks };

function collectRoutes(app: AnyElysia): Map<string, RouteHooks> {
  const routes = (app.routes as readonly DocumentedRoute[]).map(({ method, path, hooks }) => {
    const documentedPath = path.replace(/\/$/, '').replace(/:(\w+)/g, '{$1}');
    return [`${method.toLowerCase()} ${documentedPath}`, hooks ?? {}] as const;
  });
  return new Map(routes);
}

function toJsonMembers(value: object | undefined): JsonObject {
  const members = plain(value ?? {});
  return isObject(members) ? members : {};
}

/** Returns the paths with an operation that fails if the resource has changed since it was read. */
function taggedPaths(routes: ReadonlyMap<string, RouteHooks>): Set<string> {
  const changing = [...routes].filter(([, { response = {} }]) => '412' in response);
  return new Set(changing.map(([key]) => key.slice(key.indexOf(' ') + 1)));
}

type RouteAddress = Pick<DocumentedExchange, 'method' | 'path' | 'isTagged'>;

/** Describes `:id` in the path of a route that declares no parameters. */
const idSchema = plain(id);

/** TypeBox marks a schema inside `t.Optional` with a symbol of this description. */
const optionalMark = 'TypeBox.Optional';

function complete(operation: JsonObject, address: RouteAddress, hooks: RouteHooks): JsonObject {
  const { method, path } = address;
  const { parameters, requestBody, responses: generated, ...rest } = operation;
  const declared = toJsonMembers(hooks.response);
  const body = hooks.body ? jsonBody(hooks.body) : withSchemasCleaned(requestBody);
  const responses = { ...toJsonMembers(hooks.detail?.responses) };
  for (const [status, response] of Object.entries(isObject(generated) ? generated : {}))
    responses[status] = withSchema(response, declared[status]);
  const inputs = [...(Array.isArray(parameters) ? parameters : [])]
    .map(withSchemasCleaned)
    .filter(isObject)
    .map((input) => (input.name === 'id' && hooks.params === undefined ? { ...input, schema: idSchema } : input))
    .map(withDescription);
  const exchange: DocumentedExchange = { ...address, responses, declared: declaredCodes(declared) };
  inputs.push(...requestHeaders(exchange));
  const circumstances = {
    operation: hooks.operation,
    writes: method !== 'get',
    named: path.includes('{') || inputs.some((input) => input.name === 'client'),
    checked: body !== undefined || inputs.length > 0,
    hasCursor: inputs.some((input) => input.name === 'cursor'),
    takesKey: takesIdempotencyKey(exchange),
  };
  return {
    ...rest,
    security: buildSecurity(hooks.operation),
    ...(inputs.length === 0 ? {} : { parameters: inputs }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: completeResponses(exchange, buildRefusalResponses(circumstances, declared)),
  };
}

function withSchema(documentedResponse: Json, schema: Json | undefined): Json {
  if (schema === undefined || !isObject(documentedResponse) || !isObject(documentedResponse.content))
    return documentedResponse;
  const { 'application/json': json, ...others } = documentedResponse.content;
  return json === undefined
    ? documentedResponse
    : { ...documentedResponse, content: { 'application/json': { schema }, ...others } };
}

/**
 * Adds the description and the example of a parameter's schema to the parameter. Ids get no example because they are
 * not known in advance.
 */
function withDescription(parameter: JsonObject): JsonObject {
  const { schema, ...rest } = parameter;
  if (!isObject(schema)) return parameter;
  const { description, examples, ...kept } = schema;
  const [example] = [examples ?? schema.enum ?? []].flat();
  const isAsked = parameter.required === true && parameter.name !== 'id' && example !== undefined;
  return {
    ...rest,
    ...(description === undefined || rest.description !== undefined ? {} : { description }),
    ...(isAsked ? { example } : {}),
    schema: kept,
  };
}

function jsonBody(schema: object): JsonObject {
  const optional = Object.getOwnPropertySymbols(schema).some((symbol) => symbol.description === optionalMark);
  const body = cleanSchema(plain(schema));
  const [example] = isObject(body) && Array.isArray(body.examples) ? body.examples : [];
  const content = { schema: body, ...(example === undefined ? {} : { example }) };
  return { required: !optional, content: { 'application/json': content } };
}

function withSchemasCleaned(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item) => withSchemasCleaned(item) ?? null);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]): [string, Json] => {
    if (name === 'schema') return [name, cleanSchema(member)];
    if (name === 'x-events') return [name, mapMembers(member, cleanSchema)];
    return [name, withSchemasCleaned(member) ?? null];
  });
  return Object.fromEntries(entries.filter(([name, member]) => name !== 'description' || member !== null));
}

function completeResponses(exchange: DocumentedExchange, refusals: JsonObject): JsonObject {
  const responses: JsonObject = {};
  for (const [status, response] of Object.entries(exchange.responses)) {
    if (Number(status) < 400) responses[status] = success(status, response, responseHeaders(exchange, status));
  }
  // Numeric keys are sorted by value.
  return { ...responses, ...refusals };
}

const successWords: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. The work continues.',
  204: 'Done; no body.',
  302: 'Elsewhere.',
  304: 'Not changed since.',
};

function success(status: string, response: Json, fields: JsonObject | undefined): JsonObject {
  if (!isObject(response)) return { description: successWords[status] ?? 'Done.' };
  const { content, description: words, headers: stated, ...rest } = response;
  const headers = { ...(isObject(stated) ? stated : {}), ...fields };
  const isOurs = typeof words === 'string' && !words.startsWith('Response for status');
  const kept = isObject(content) && !('type' in content) ? withSchemasCleaned(content) : undefined;
  return {
    description: isOurs ? words : (successWords[status] ?? 'Done.'),
    ...rest,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(kept === undefined ? {} : { content: kept }),
  };
}

/** Returns the groups that have operations. */
function listTags(paths: JsonObject): JsonObject[] {
  const names = new Set<string>();
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(isObject(item) ? item : {})) {
      const tags = isObject(operation) && Array.isArray(operation.tags) ? operation.tags : [];
      for (const tag of tags) if (typeof tag === 'string') names.add(tag);
    }
  }
  const known = groups.filter(({ name }) => names.delete(name)).map((group) => ({ ...group }));
  return [...known, ...[...names].sort().map((name) => ({ name }))];
}

/** Returns a copy as JSON, without symbols, functions and undefined properties. */
function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** Properties of an operation that determine its common error codes. */
interface Circumstances {
  /** The declaration of the route. */
  readonly operation: Operation | undefined;
  readonly writes: boolean;
  /** The path has an id, so the response may be 404. */
  readonly named: boolean;
  readonly checked: boolean;
  /** The operation lists results page by page. */
  readonly hasCursor: boolean;
  readonly takesKey: boolean;
}

function commonRefusals({ operation, writes, named, checked, hasCursor, takesKey }: Circumstances): RefusalCode[] {
  const { scopes = null, needsVerifiedEmail, isDownload } = operation ?? {};
  const signedIn = scopes !== null;
  const codes: RefusalCode[] = ['bad_request', 'unknown_parameter', 'duplicate_cookie', 'two_credentials'];
  codes.push('rate_limited', 'internal', 'database_unavailable', 'overloaded', 'shutting_down');
  // For a token without permission, or books that the plan or the role does not cover.
  if (signedIn) codes.push('unauthenticated', 'invalid_token', 'forbidden', 'insufficient_scope');
  if (needsVerifiedEmail) codes.push('email_unverified');
  // Books may also be deleted while they are being changed.
  if (named || (signedIn && writes)) codes.push('not_found');
  // A download refuses requests from other sites, as operations that change something do.
  if (writes || isDownload) codes.push('csrf');
  // A body is read even if the operation does not expect one.
  if (writes) codes.push('forbidden', 'invalid_json', 'too_large', 'unsupported_media_type');
  if (hasCursor) codes.push('invalid_cursor');
  if (checked) codes.push('invalid');
  if (takesKey) codes.push('idempotency_in_flight', 'idempotency_mismatch');
  return codes;
}

/** Returns an operation's errors by status: those common to its kind, and those that its route declares. */
function buildRefusalResponses(circumstances: Circumstances, responses: JsonObject): JsonObject {
  const listedCodes = new Set<Json>([...commonRefusals(circumstances), ...declaredCodes(responses)]);
  const byStatus = Map.groupBy(
    refusalCodes.filter((code) => listedCodes.has(code)),
    (code) => problemTable[code][0],
  );
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), refusal(status, codes, responses[String(status)])]),
  );
}

/** Returns the codes that a route declares with `problems`. */
function declaredCodes(responses: JsonObject): Json[] {
  return Object.values(responses).flatMap((response) => (isObject(response) ? [response.codes ?? []].flat() : []));
}

/**
 * Returns the response of a refusal. A schema that a route declares for the status, without `problems`, describes
 * another body that it may have.
 */
function refusal(status: number, codes: readonly RefusalCode[], declared: Json | undefined): JsonObject {
  const isOther = isObject(declared) && declared.codes === undefined;
  const waits = status === 429 || status === 503;
  return {
    description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    ...(waits ? { headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds.' } } } : {}),
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      ...(isOther ? { 'application/json': { schema: cleanSchema(declared) } } : {}),
    },
  };
}

/** Properties of an operation that determine its request and response header fields. */
interface DocumentedExchange {
  readonly method: string;
  readonly path: string;
  /** Declared by the route. */
  readonly responses: JsonObject;
  /** The error codes that the route declares. */
  readonly declared: readonly Json[];
  /** Whether an operation on the path reads `If-Match`. */
  readonly isTagged: boolean;
}

const text = { type: 'string' } as const;

/** RFC 9110, 13.1 · RFC 7240 · HTML, server-sent events. */
const requestFields = {
  'Idempotency-Key': {
    description: 'The response is saved for 24 hours. The same request with the same key gets it again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Prefer: {
    description: '`respond-async`: returns 202 once the request is accepted, and the work continues.',
    schema: text,
  },
  'If-Match': {
    description: 'The `ETag` of the last response. If it has changed since, nothing is done, and the response is 412.',
    schema: text,
  },
  'If-None-Match': {
    description: 'The `ETag` of the last response. If it still matches, the response is 304.',
    schema: text,
  },
  'Last-Event-ID': {
    description: 'The `id` of the last event received. The stream continues after it.',
    schema: text,
  },
} as const satisfies Record<string, JsonObject>;

/** Returns the header fields that a request may have, as parameters. */
function requestHeaders(exchange: DocumentedExchange): JsonObject[] {
  const { method, responses } = exchange;
  const names: (keyof typeof requestFields)[] = [];
  if (takesIdempotencyKey(exchange)) names.push('Idempotency-Key');
  if (canRespondAsync(exchange)) names.push('Prefer');
  if ('412' in responses) names.push('If-Match');
  if ('304' in responses) names.push('If-None-Match');
  if (method === 'get' && isStream(responses['200'])) names.push('Last-Event-ID');
  return names.map((name) => ({ name, in: 'header', required: false, ...requestFields[name] }));
}

const responseFields = {
  Location: {
    description: 'The address of the created resource.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  ETag: { description: 'The entity tag of this state, for `If-Match` and `If-None-Match`.', schema: text },
} as const satisfies Record<string, JsonObject>;

/** Returns the header fields of a successful response, or undefined if it has none of its own. */
function responseHeaders(exchange: DocumentedExchange, status: string): JsonObject | undefined {
  const { method, responses, isTagged } = exchange;
  const names: (keyof typeof responseFields)[] = [];
  const isKept = status === '202' || status === '201';
  if (status === '302' || (isKept && canRespondAsync(exchange))) names.push('Location');
  const isRead = status === '200' || status === '304';
  const hasTag = '304' in responses || (isTagged && (method === 'get' || method === 'patch'));
  if (isRead && hasTag) names.push('ETag');
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, responseFields[name]]));
}

/**
 * Returns whether an operation accepts an Idempotency-Key. A POST that returns 201 or 202 creates something, except for
 * sign-ins and messages of another protocol. Other operations that accept a key declare its errors.
 */
function takesIdempotencyKey({ path, responses, declared }: DocumentedExchange): boolean {
  if (declared.includes('idempotency_mismatch')) return true;
  return path.startsWith('/v1/') && !path.startsWith('/v1/auth/') && ('201' in responses || '202' in responses);
}

/** Returns true for operations on books that run at once or, with `Prefer`, later. An email is always sent later. */
function canRespondAsync(exchange: DocumentedExchange): boolean {
  return '202' in exchange.responses && takesIdempotencyKey(exchange);
}

function isStream(response: Json | undefined): boolean {
  return isObject(response) && isObject(response.content) && 'text/event-stream' in response.content;
}

/** The introduction of the document. */

const introduction = `Capital gains for US investors, traders and their CPAs: from any CSV to Form 8949.

### First steps

1. [Create an account](#/Accounts/createAccount), or [sign in](#/Accounts/signIn). The response sets a session cookie, which
   this page sends with each later request.
2. [Import a file](#/Imports/importTransactions): the export of your broker or exchange, or the sample file shown there
   as \`text/csv\`. Importing the same file twice adds nothing.
3. [See what is missing](#/Issues/listIssues), by the dollars at stake, and [resolve it](#/Issues/resolveIssue).
4. [Read the year](#/Tax/getSummary), [its lines](#/Tax/listDisposals), and
   [the source of each number](#/Tax/getDisposalExplanation).
5. [Create the report](#/Reports/createReport) and [download it](#/Reports/downloadReport) as Form 8949, TXF or CSV.

In this order, the example bodies work unchanged: they refer to that sample file.

### Conventions

Money and quantities are decimal strings, calendar days \`YYYY-MM-DD\`, instants RFC 3339 in UTC. Every refusal is
\`application/problem+json\` with a stable \`code\`. Lists are paged with \`cursor\`. A creating POST accepts
\`Idempotency-Key\` and repeats its stored response for 24 hours. \`?client=\` acts on a client's books (CPA plan).
A browser sends the session cookie, a program its own [token](#/Accounts/createToken): \`Authorization: Bearer lot_…\`.

Generated clients upload a file as \`multipart/form-data\`. Orval generates such an upload if you include only this
media type: \`override: { contentType: { include: ['multipart/form-data'] } }\`.

The codes and their statuses: ${refusalCodes.map((code) => `\`${code}\` ${problemTable[code][0]}`).join(', ')}.`;

/** The ways in which a request can authenticate. */
const securitySchemes: JsonObject = {
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Set by register and login.' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'lot_…',
    description: `A token from POST /v1/auth/tokens, for programs: \`Authorization: Bearer lot_…\`, without a cookie. Each operation names the scopes that allow it, any of which is enough. The scopes: ${tokenScopes.map((scope) => `\`${scope}\``).join(', ')}. Operations without scopes accept only a session.`,
  },
};

/** Describes the authentication of an operation: none, session only, or session and tokens with one of the scopes. */
function buildSecurity(operation: Operation | undefined): Json {
  if (operation === undefined || operation.scopes === null) return [];
  const tokens = operation.scopes.map((scope) => ({ bearer: [scope] }));
  return operation.isForPrograms === true ? tokens : [{ session: [] }, ...tokens];
}
