import { isObject, type Json, type JsonObject } from './document-schemas.ts';

/** Properties of an operation that determine its request and response header fields. */
export interface DocumentedExchange {
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
export function requestHeaders(exchange: DocumentedExchange): JsonObject[] {
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
export function responseHeaders(exchange: DocumentedExchange, status: string): JsonObject | undefined {
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
export function takesIdempotencyKey({ path, responses, declared }: DocumentedExchange): boolean {
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
