import { type Static, type TSchema, t } from 'elysia';
import { yearMax, yearMin } from '../base/day.ts';
import type { RefusalCode } from '../base/refusal.ts';
import { refusalCodes } from '../base/refusal.ts';
import { rejectsShownMax } from './csv-list.ts';
import { invalidParameter } from './errors.ts';
import { limitDefault, limitMax } from './list.ts';
import { problemTable } from './problems.ts';

/** An object without additional properties. */
export function closed<Properties extends ObjectProperties>(
  properties: Properties,
  options: { readonly description?: string; readonly title?: string; readonly examples?: readonly object[] } = {},
) {
  return t.Object(properties, { ...options, additionalProperties: false });
}

type ObjectProperties = Parameters<typeof t.Object>[0];

/** The query parameters of a route. Any other parameter is refused. */
export function query<Properties extends ObjectProperties>(properties: Properties) {
  return closed(properties);
}

/** The query parameters of a route for books, with `client` to act on a client's books. */
export function booksQuery<Properties extends ObjectProperties>(properties: Properties) {
  return closed({ ...properties, client: clientParameter });
}

const clientParameter = t.Optional(t.String({ description: 'Id of a client: act on that client’s books (CPA plan).' }));

/** The values of query parameters. */
export type QueryOf<Properties extends ObjectProperties> = Readonly<Static<ReturnType<typeof closed<Properties>>>>;

/** `limit` and `cursor`, which every list has. Spread them into `query` or `booksQuery`. */
export const listQuery = {
  limit: t.Optional(
    wholeParameter('limit', {
      minimum: 1,
      maximum: limitMax,
      default: limitDefault,
      description: 'The maximum number of items per page.',
    }),
  ),
  cursor: t.Optional(t.String({ description: 'The `nextCursor` of the previous page.' })),
};

export function listOf<Item extends TSchema>(item: Item) {
  return closed({
    data: t.Array(item),
    hasMore: t.Boolean(),
    nextCursor: nullable(t.String({ description: 'Send it as `cursor` to read the next page.' })),
  });
}

export function nullable<Schema extends TSchema>(schema: Schema) {
  return t.Union([schema, t.Null()]);
}

interface WholeNumber {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
  readonly description?: string;
  readonly examples?: readonly number[];
}

/** A whole number in JSON. (The framework's own Integer also accepts text, even in bodies.) */
export function whole(options: WholeNumber = {}) {
  return t.Number({ ...options, multipleOf: 1 });
}

/** A whole number in a query, where everything is text. Accepts only digits, not 2e3 or 0x7e8. */
export function wholeParameter(name: string, { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, ...more }: WholeNumber) {
  const documentedAs = { type: 'integer', minimum, maximum, ...more };
  return t
    .Transform(t.String({ documentedAs }))
    .Decode((text) => {
      const value = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
      if (value >= minimum && value <= maximum) return value;
      throw invalidParameter(name, `Expected a whole number from ${minimum} to ${maximum}`);
    })
    .Encode(String);
}

/** The maximum number of values of a repeated parameter. */
const severalMax = 50;

/**
 * A parameter that may be repeated: `type=buy&type=sell`. The framework passes on only the last value (and splits its
 * own lists at commas, which names contain), so `parameterValues` reads all of them.
 */
export function severalParameter<Text extends string = string>(of: {
  readonly words?: readonly Text[];
  readonly description: string;
}) {
  const { words, description } = of;
  const items =
    words === undefined ? { type: 'string', maxLength: textLengthMax } : { type: 'string', enum: [...words] };
  const documentedAs = { type: 'array', items, maxItems: severalMax, description: `${description} May be repeated.` };
  return t
    .Transform(t.String({ documentedAs }))
    .Decode((text): readonly Text[] => [text as Text])
    .Encode((values) => values.join());
}

const textLengthMax = 200;

/** Returns all values of a parameter that may be repeated, validated, or undefined without one. */
export function parameterValues(
  request: Request,
  name: string,
  words?: readonly string[],
): readonly string[] | undefined {
  const values = [...new Set(new URL(request.url).searchParams.getAll(name))];
  if (values.length === 0) return undefined;
  if (values.length > severalMax) throw invalidParameter(name, `Expected at most ${severalMax} values`);
  if (values.some((value) => value.length > textLengthMax))
    throw invalidParameter(name, `Expected at most ${textLengthMax} characters`);
  if (words !== undefined && !values.every((value) => words.includes(value)))
    throw invalidParameter(name, `Expected ${words.join(', ')}`);
  return values;
}

export const year = whole({ minimum: yearMin, maximum: yearMax, description: 'Tax year.', examples: [2024] });
export const yearParameter = wholeParameter('year', {
  minimum: yearMin,
  maximum: yearMax,
  description: 'Tax year.',
  examples: [2024],
});

/** One of a fixed set of words. (The framework's own UnionEnum would make the first word the default.) */
export function oneOf<const Words extends readonly string[]>(words: Words, description?: string) {
  // Adds a prefix to each name because a numeric name such as `8949` would not count as a property.
  const members = Object.fromEntries(words.map((word) => [`=${word}`, word])) as {
    [Word in Words[number] as `=${Word}`]: Word;
  };
  return t.Enum(members, description === undefined ? {} : { description });
}

export const id = t.String({
  description: 'Opaque and URL-safe.',
  examples: ['53c3ec83-a853-47ac-8706-22be23f30a70'],
});
export const instant = t.String({
  title: 'Instant',
  format: 'date-time',
  description: 'RFC 3339, UTC.',
  examples: ['2025-02-01T09:30:00.000Z'],
});
/** The format of a text, with the error for other texts. It is written for users, without a final period. */
export interface TextFormat {
  readonly pattern: string;
  readonly 'x-message': string;
}
export const dayFormat: TextFormat = {
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  'x-message': 'Enter a date like 2025-12-31',
};
export const notBlank: TextFormat = { pattern: '\\S', 'x-message': 'Enter more than spaces' };

export const day = t.String({
  title: 'Day',
  ...dayFormat,
  description: 'A calendar day, `YYYY-MM-DD`.',
  examples: ['2024-12-31'],
});
export const money = t.String({
  title: 'Money',
  pattern: '^-?\\d+\\.\\d{2,8}$',
  description: 'US dollars as a decimal string.',
  examples: ['1250.00'],
});
export const quantity = t.String({
  title: 'Quantity',
  pattern: '^-?\\d+(\\.\\d+)?$',
  description: 'Units as a decimal string.',
  examples: ['0.5'],
});
/** Bytes in the notation of OpenAPI 3.1. Generated clients use a Blob. */
export const binary = { description: 'A file.', contentMediaType: 'application/octet-stream' };

/** The reason why work failed after its request got a response. */
export const FailureReason = closed(
  {
    code: t.String(),
    detail: t.String(),
    year: t.Optional(whole({ description: 'For `year_locked`: the locked year.' })),
  },
  { description: 'The reason for the failure.' },
);

/** The rejected lines of a CSV list. `what` names its values. */
export const rejectsSchema = (what: string) =>
  t.Array(closed({ line: whole(), column: nullable(t.String()), reason: t.String() }), {
    description: `The first ${rejectsShownMax} lines without a valid ${what}.`,
  });

/** The limit of a plan. */
export const planLimit = nullable(whole({ description: 'Null if there is no limit.' }));

export const Problem = t.Object(
  {
    type: t.String({ description: 'Identifies the kind of problem.' }),
    title: t.String(),
    status: whole(),
    detail: t.String(),
    instance: t.String({ description: 'The request id, as in `X-Request-Id`.' }),
    code: oneOf(refusalCodes, 'Stable. Programs should check this code.'),
    errors: t.Optional(
      t.Array(
        closed({
          code: t.String(),
          detail: t.String(),
          pointer: t.Optional(t.String({ description: 'JSON pointer into the body, or /name of a query parameter.' })),
          line: t.Optional(whole()),
          column: t.Optional(t.String()),
        }),
      ),
    ),
    errorsIn: t.Optional(
      oneOf(['body', 'query'], 'Set if `detail` only lists `errors`: the part of the request that they are in.'),
    ),
    year: t.Optional(whole({ description: 'For `year_locked`: the locked year.' })),
    factors: t.Optional(
      t.Array(oneOf(['app', 'passkey', 'recovery_code']), {
        description:
          "For `totp_required`: the account's second factors. A code of the app or a recovery code goes into `totp`; a passkey signs in by itself.",
      }),
    ),
    scopes: t.Optional(
      t.Array(t.String(), { description: 'For `insufficient_scope`: the token needs one of these scopes.' }),
    ),
    plan: t.Optional(t.String({ description: 'For `plan_limit` and `ai_quota`: the plan with the limit.' })),
    limit: t.Optional(whole({ description: 'The limit of the plan.' })),
    used: t.Optional(whole()),
    requested: t.Optional(whole()),
    upgrade: t.Optional(
      nullable(
        closed(
          { plan: t.String(), limit: planLimit },
          { description: 'The first plan with a higher limit; null if there is none.' },
        ),
      ),
    ),
    parameter: t.Optional(
      t.String({
        description:
          'For `ambiguous_file` and `ambiguous_format`: the query parameter that decides how to read the file.',
      }),
    ),
    readings: t.Optional(
      t.Array(closed({ value: t.String(), reads: t.String() }), {
        description: 'Its possible values, with the interpretation of the ambiguous value by each.',
      }),
    ),
    proposal: t.Optional(
      t.Object(
        {
          mapping: t.Object({}, { additionalProperties: true, description: 'A Mapping, to be sent back unchanged.' }),
          columns: t.Array(
            closed({
              column: t.String(),
              field: nullable(t.String({ description: 'The likely content of the file.' })),
              confidence: t.Number({ minimum: 0, maximum: 1 }),
              why: t.String(),
            }),
          ),
          unclear: t.Array(t.String(), { description: 'Columns, and words in the type column, that need a review.' }),
          missing: t.Array(t.String(), { description: 'Members that seem to be missing in the file.' }),
          unknownFutures: t.Array(t.String(), {
            description: 'Roots of futures whose dollars per point are not in the file. Enter them in `multipliers`.',
          }),
        },
        { description: 'For `unknown_format`: a proposed mapping, based on the header and first values of the file.' },
      ),
    ),
    firstRows: t.Optional(
      t.Array(closed({ line: whole(), cells: t.Array(t.String()) }), {
        description: 'With a `proposal` for a table in a ZIP or workbook: its first rows, including the header.',
      }),
    ),
  },
  { additionalProperties: true, title: 'Problem', description: 'application/problem+json, RFC 9457.' },
);

type StatusOf<Code extends RefusalCode> = (typeof problemTable)[Code][0];

/**
 * Declares the problems of a route for its `response`: its specific codes. The document adds the codes common to every
 * route of its kind (`http/openapi/document.ts`). A test fails if a request is refused with any other code.
 */
export function problems<const Code extends RefusalCode>(...codes: Code[]): Record<StatusOf<Code>, typeof Problem> {
  const byStatus = Map.groupBy(codes, (code) => problemTable[code][0]);
  const responses = [...byStatus].map(([status, ofStatus]) => [status, { ...Problem, codes: ofStatus }]);
  return Object.fromEntries(responses) as Record<StatusOf<Code>, typeof Problem>;
}
