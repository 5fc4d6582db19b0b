import { toOpenAPISchema } from '@elysiajs/openapi';
import type { AnyElysia } from 'elysia';
import type { Operation } from '../operations/operations.ts';
import { day, id, instant, money, Problem, quantity } from '../schemas.ts';
import { buildRefusalResponses, declaredCodes } from './common-refusals.ts';
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
import { type DocumentedExchange, requestHeaders, responseHeaders, takesIdempotencyKey } from './header-fields.ts';
import { introduction } from './introduction.ts';
import { buildSecurity, securitySchemes } from './security.ts';

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
