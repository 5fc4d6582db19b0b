import { isDeepStrictEqual } from 'node:util';

/**
 * Corrects the schemas from @elysiajs/openapi. The validator's own keywords are not JSON Schema 2020-12, so they are
 * replaced or removed. A titled schema that several operations use becomes one component.
 */

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

/** The framework uses these formats to mark text that it coerces. They mean nothing to clients. */
const coercions: ReadonlySet<Json> = new Set(['integer', 'numeric', 'boolean', 'ObjectString', 'ArrayString']);
/** Keywords of the validator or of OpenAPI 3.0. */
const foreignKeywords: ReadonlySet<string> = new Set(['nullable', 'error', 'noValidate', 'transform', 'elysiaMeta']);

export function cleanSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(cleanSchema);
  if (!isObject(schema)) return schema;
  if (isObject(schema.documentedAs)) return cleanSchema(schema.documentedAs);
  const coerced = withoutCoercion(schema);
  if (coerced !== undefined) return cleanSchema(coerced);
  const cleaned: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (foreignKeywords.has(keyword)) continue;
    cleaned[keyword] = keyword === 'properties' ? mapMembers(value, cleanSchema) : cleanSchema(value);
  }
  return withNullAllowed(withNullAsType(asEnum(asInteger(cleaned))));
}

/** Converts a number schema with `multipleOf: 1` to an integer schema. */
function asInteger(schema: JsonObject): JsonObject {
  if (schema.multipleOf !== 1) return schema;
  const { multipleOf: _, ...rest } = schema;
  return { ...rest, type: schema.type === 'number' ? 'integer' : (schema.type ?? 'integer') };
}

/** The enumerations that have a name, by that name. */
export type NamedWords = Readonly<Record<string, readonly string[]>>;

/** Turns each titled schema and each named enumeration into a component, and replaces them with references. */
export function hoist(value: Json, components: JsonObject, words: NamedWords): Json {
  if (Array.isArray(value)) return value.map((item) => hoist(item, components, words));
  if (!isObject(value)) return value;
  const inner = mapMembers(value, (member) => hoist(member, components, words));
  const named = withoutNull(inner);
  const name = nameOfWords(named.enum, words) ?? inner.title;
  // Examples may also have fields with these names.
  if (!isName(name) || (named.type !== 'object' && named.type !== 'string')) return inner;
  const component = components[name] ?? { title: name, ...named };
  components[name] = component;
  if (!isDeepStrictEqual(toValidationRules(component), toValidationRules({ title: name, ...named }))) return inner;
  const reference = { $ref: `#/components/schemas/${name}` };
  // In OpenAPI 3.1 a reference can have a description.
  const { description } = inner;
  const isOwn = isObject(component) && description !== undefined && description !== component.description;
  const more = isOwn ? { description } : {};
  return isNullable(inner) ? { anyOf: [reference, { type: 'null' }], ...more } : { ...reference, ...more };
}

/** Removes the description and examples of a string schema, which do not affect validation. */
function toValidationRules(schema: Json): Json {
  if (!isObject(schema) || schema.type !== 'string') return schema;
  const { description: _, examples: __, ...rules } = schema;
  return rules;
}

function isName(title: Json | undefined): title is string {
  return typeof title === 'string' && /^[A-Z]\w*$/.test(title);
}

function nameOfWords(enumWords: Json | undefined, words: NamedWords): string | undefined {
  if (!Array.isArray(enumWords)) return undefined;
  return Object.keys(words).find((name) => isDeepStrictEqual(enumWords, words[name]));
}

function isNullable({ type }: JsonObject): boolean {
  return Array.isArray(type) && type.includes('null');
}

function withoutNull(schema: JsonObject): JsonObject {
  if (!isNullable(schema) || !Array.isArray(schema.type)) return schema;
  const [only, ...others] = schema.type.filter((type) => type !== 'null');
  if (only === undefined || others.length > 0) return schema;
  const words = Array.isArray(schema.enum) ? { enum: schema.enum.filter((word) => word !== null) } : {};
  return { ...schema, type: only, ...words };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function mapMembers(value: Json, change: (member: Json) => Json): JsonObject {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}

/** Reduces "a number, or text that looks like one" to the number. */
function withoutCoercion(schema: JsonObject): JsonObject | undefined {
  if (!Array.isArray(schema.anyOf)) return undefined;
  const kept = schema.anyOf.filter((item) => !(isObject(item) && coercions.has(item.format ?? null)));
  if (kept.length === schema.anyOf.length) return undefined;
  const { anyOf: _, ...rest } = schema;
  const [only] = kept;
  return kept.length === 1 && isObject(only) ? { ...rest, ...only } : { ...rest, anyOf: kept };
}

/** Converts a union of string constants to an enum. */
function asEnum(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema.anyOf)) return schema;
  const { anyOf: _, ...rest } = schema;
  const words = schema.anyOf.filter(isObject).map((item) => (item.type === 'string' ? item.const : undefined));
  const known = words.filter((word) => word !== undefined);
  return known.length === schema.anyOf.length ? { ...rest, type: 'string', enum: known } : schema;
}

/** Merges "a string or null" into one schema. In responses, the library writes a union of two schemas. */
function withNullAsType(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema.anyOf) || schema.anyOf.length !== 2) return schema;
  const { anyOf: _, ...rest } = schema;
  const others = schema.anyOf.filter((item) => !(isObject(item) && item.type === 'null'));
  const [only] = others;
  if (others.length !== 1 || !isObject(only) || typeof only.type !== 'string') return schema;
  return { ...rest, ...only, type: [only.type, 'null'] };
}

/** Adds null to an enum of a nullable type. Otherwise null would be refused. */
function withNullAllowed(schema: JsonObject): JsonObject {
  const isNullable = Array.isArray(schema.type) && schema.type.includes('null');
  if (!isNullable) return schema;
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) return { ...schema, enum: [...schema.enum, null] };
  if (schema.const === undefined || schema.const === null) return schema;
  const { const: word, ...rest } = schema;
  return { ...rest, enum: [word, null] };
}
