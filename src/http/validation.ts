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
const [tooManyItems, tooFewItems] = [2, 4];
export const unknownMember = 42;
const missingMember = 45;
const otherFormat = 50;
const [tooLong, tooShort, otherPattern] = [51, 52, 53];
const noAlternative = 62;
const errorsMax = 20;
/** The caller chooses the names, so they are echoed only in part. */
const pointerLengthMax = 300;

/** Returns one error per location, with the expected value. Never repeats the actual value. */
export function toRefusalErrors(invalidItems: Iterable<Invalid>): RefusalError[] {
  const errors = new Map<string, RefusalError>();
  for (const item of listDeepest(invalidItems)) {
    const pointer = (item.path ?? '').slice(0, pointerLengthMax);
    if (!errors.has(pointer)) errors.set(pointer, { pointer, code: 'invalid', detail: describeInvalid(item) });
    if (errors.size >= errorsMax) break;
  }
  return [...errors.values()];
}

/** Returns the errors for the alternative that resembles the value if a union failed inside it. */
function* listDeepest(invalidItems: Iterable<Invalid>): Generator<Invalid> {
  for (const item of invalidItems) {
    const inner = item.type === noAlternative ? (item.errors ?? []).map((errors) => [...errors]) : [];
    const resembling = inner.find((errors) => errors.length > 0 && errors.every((error) => isInside(error, item)));
    if (resembling === undefined) yield item;
    else yield* listDeepest(resembling);
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
  const { description, minItems, maxItems, minLength, maxLength, 'x-message': message } = (item.schema ?? {}) as Schema;
  if (item.type === tooFewItems) return `Use at least ${minItems} items`;
  if (item.type === tooManyItems) return `Use at most ${maxItems} items`;
  if (item.type === tooShort) return `Use at least ${minLength} characters`;
  if (item.type === tooLong) return `Use at most ${maxLength} characters`;
  if (item.type === otherPattern && message !== undefined) return message;
  if (description !== undefined && (item.type === otherFormat || item.type === otherPattern))
    return `Wrong format. Expected: ${description.replace(/\.$/, '')}`;
  return item.message ?? 'Not valid';
}

interface Schema {
  readonly const?: unknown;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  /** The error for a text that the pattern does not match. */
  readonly 'x-message'?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
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
