import type { RefusalError } from '../base/refusal.ts';

/** The properties of a validation error that we use. */
export interface Invalid {
  readonly path?: string;
  readonly type?: number;
  readonly message?: string;
  readonly schema?: object;
  /** For a union, the errors for each alternative. */
  readonly errors?: readonly Iterable<Invalid>[];
}

/** TypeBox's error codes. */
export const unknownMember = 42;
const missingMember = 45;
const noAlternative = 62;
const errorsMax = 20;
/** The caller chooses the names, so they are echoed only in part. */
const pointerLengthMax = 300;

/** Returns one error per location, with the expected value. Never repeats the actual value. */
export function toRefusalErrors(invalidItems: Iterable<Invalid>): RefusalError[] {
  const errors = new Map<string, RefusalError>();
  for (const item of deepest(invalidItems)) {
    const pointer = (item.path ?? '').slice(0, pointerLengthMax);
    if (!errors.has(pointer)) errors.set(pointer, { pointer, code: 'invalid', detail: describeInvalid(item) });
    if (errors.size >= errorsMax) break;
  }
  return [...errors.values()];
}

/** Returns the errors for the alternative that resembles the value if a union failed inside it. */
function* deepest(invalidItems: Iterable<Invalid>): Generator<Invalid> {
  for (const item of invalidItems) {
    const inner = item.type === noAlternative ? (item.errors ?? []).map((errors) => [...errors]) : [];
    const resembling = inner.find((errors) => errors.length > 0 && errors.every((error) => isInside(error, item)));
    if (resembling === undefined) yield item;
    else yield* deepest(resembling);
  }
}

function isInside(inner: Invalid, outer: Invalid): boolean {
  return (inner.path ?? '').length > (outer.path ?? '').length;
}

function describeInvalid(item: Invalid): string {
  if (item.type === unknownMember) return 'Unknown';
  if (item.type === missingMember) return 'Missing';
  const words = item.type === noAlternative ? alternatives(item.schema) : [];
  if (words.length > 0)
    return `Expected ${[words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ')}`;
  const { description, 'x-message': message } = (item.schema ?? {}) as Schema;
  if (message !== undefined) return message;
  const lengths = /length (greater|less) or equal to (\d+)/.exec(item.message ?? '');
  if (lengths !== null) {
    const things = item.message?.includes('array') === true ? 'items' : 'characters';
    return `Use at ${lengths[1] === 'greater' ? 'least' : 'most'} ${lengths[2]} ${things}`;
  }
  const isPattern = item.message?.includes(' to match ') === true;
  return isPattern && description !== undefined
    ? `Wrong format. Expected: ${description.replace(/\.$/, '')}`
    : (item.message ?? 'Not valid');
}

interface Schema {
  readonly const?: unknown;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  /** The error for the user, without a final period. */
  readonly 'x-message'?: string;
  readonly anyOf?: readonly Schema[];
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function alternatives(schema: Schema | undefined): string[] {
  // The framework adds this alternative to every boolean in a query because it accepts text for it.
  const shown = (schema?.anyOf ?? []).filter(({ format }) => format !== 'boolean');
  return shown.flatMap((item) => {
    if (item.anyOf !== undefined) return alternatives(item);
    if (item.const !== undefined) return [String(item.const)];
    return item.type === undefined ? [] : [typeWords[item.type] ?? item.type];
  });
}
