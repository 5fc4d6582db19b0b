import fc from 'fast-check';
import type { RequestInput } from '../app.ts';
import type { AddressedOperation, ApiParameter } from './api-document.ts';

/** A request to an operation that is mostly valid and wrong in some parts. */
export interface StrangeRequest {
  readonly path: string;
  readonly given: RequestInput;
  readonly hasSession: boolean;
}

/** Texts that often break programs. */
const oddTexts = [
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  'null',
  'NaN',
  '99999999999999999999',
  '2024-02-30',
  '0001-01-01',
  '2024-01-02T25:61:00Z',
  '’; drop table users; --',
  '../../etc/passwd',
  '\u0000',
  '\ud83d',
  '𝔘𝔫𝔦',
  'x'.repeat(5_000),
  'eyJhIjoxfQ',
  'W10',
];
const oddValues = [null, true, 0, -1, 1.5, 1e308, [], {}, [[]], ...oddTexts];

export function strangeRequests(addressed: AddressedOperation, ids: readonly string[]): fc.Arbitrary<StrangeRequest> {
  const { path, operation } = addressed;
  const parameters = operation.parameters ?? [];
  const places = parameters.filter((each) => each.in === 'path');
  const queries = parameters.filter((each) => each.in === 'query');
  const headers = parameters.filter((each) => each.in === 'header');
  return fc
    .record({
      places: fc.tuple(...places.map((each) => placeOf(each, ids))),
      queries: fc.tuple(...queries.map((each) => maybe(textOf(each, ids), each.required === true ? 9 : 2))),
      headers: fc.tuple(...headers.map((each) => maybe(headerText(each), 2))),
      body: bodyOf(addressed),
      hasSession: fc.nat(19).map((at) => at > 0),
    })
    .map(({ places: values, queries: asked, headers: sent, body, hasSession }) => {
      const address = places.reduce((text, { name }, at) => text.replace(`{${name}}`, encoded(values[at] ?? '')), path);
      const query = queries.flatMap(({ name }, at) => {
        const value = asked[at];
        return value === null || value === undefined ? [] : [`${encoded(name)}=${encoded(value)}`];
      });
      const extra = Object.fromEntries(
        headers.flatMap(({ name }, at) => (typeof sent[at] === 'string' ? [[name, sent[at]]] : [])),
      );
      return {
        path: `${address}${query.length === 0 ? '' : `?${query.join('&')}`}`,
        given: { ...(body.body === undefined ? {} : { body: body.body }), headers: { ...extra, ...body.headers } },
        hasSession,
      };
    });
}

/** Generates the value in this many of ten cases, and otherwise null. */
function maybe<T>(value: fc.Arbitrary<T>, often: number): fc.Arbitrary<T | null> {
  return fc.nat(9).chain((at) => (at < often ? value : fc.constant(null)));
}

function placeOf({ name }: ApiParameter, ids: readonly string[]): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    'x',
    '0',
    '00000000-0000-4000-8000-000000000000',
    ...oddTexts.filter((text) => text.trim() !== ''),
  );
  if (name === 'year') return fc.oneof({ weight: 6, arbitrary: fc.constantFrom('2023', '2024', '2025') }, odd);
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...ids, 'google') }, { weight: 3, arbitrary: odd });
}

function textOf(parameter: ApiParameter, ids: readonly string[]): fc.Arbitrary<string> {
  const schema = (parameter.schema ?? {}) as { enum?: unknown[]; type?: unknown; pattern?: string };
  const known = [...(parameter.example === undefined ? [] : [parameter.example]), ...(schema.enum ?? [])].map(String);
  const likely = [...known, '2024', '2024-01-02', 'true', 'KO', 'Schwab', '10', ...ids.slice(0, 3)];
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...(known.length > 0 ? known : likely)) },
    { weight: 2, arbitrary: fc.constantFrom(...likely) },
    { weight: 2, arbitrary: fc.constantFrom(...oddTexts) },
  );
}

/** Generates header values without the odd texts' characters that headers cannot contain. */
function headerText({ name }: ApiParameter): fc.Arbitrary<string> {
  const known: Readonly<Record<string, readonly string[]>> = {
    'Idempotency-Key': ['a key with spaces', 'k'.repeat(300)],
    'If-Match': ['"1"', '*', 'W/"x"', 'x'],
    'If-None-Match': ['"1"', '*'],
    Prefer: ['respond-async', 'wait=0'],
    'Last-Event-ID': ['1', '-1', 'x', '99999999999999999999'],
  };
  return fc.oneof(fc.constantFrom(...(known[name] ?? ['x', '1', '*'])), fc.uuid());
}

interface StrangeBody {
  readonly body?: string | FormData;
  readonly headers: Readonly<Record<string, string>>;
}

function bodyOf({ operation }: AddressedOperation): fc.Arbitrary<StrangeBody> {
  const offers = Object.entries(operation.requestBody?.content ?? {});
  if (offers.length === 0) return fc.constant({ headers: {} });
  const text = offers.map(([, { example }]) => example).find((example) => typeof example === 'string');
  const kinds = offers.map(([type, { example = text }]): fc.Arbitrary<StrangeBody> => {
    const headers = { 'content-type': type };
    if (type === 'multipart/form-data') return fc.constantFrom(...forms()).map((body) => ({ body, headers: {} }));
    if (typeof example === 'string') return csvOf(example).map((body) => ({ body, headers }));
    return changed(example).map((value) => ({ body: JSON.stringify(value), headers }));
  });
  const broken: fc.Arbitrary<StrangeBody> = fc.constantFrom(
    { body: '{', headers: { 'content-type': 'application/json' } },
    { body: '[]', headers: { 'content-type': 'application/json' } },
    { body: '{"__proto__":{}}', headers: { 'content-type': 'application/json' } },
    { body: `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, headers: { 'content-type': 'application/json' } },
    { body: '{}', headers: { 'content-type': 'text/plain' } },
    { body: 'x', headers: { 'content-type': offers[0]?.[0] === 'text/csv' ? 'text/csv' : 'application/json' } },
    { body: '{}', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
    { headers: {} },
  );
  return fc.oneof({ weight: 8, arbitrary: fc.oneof(...kinds) }, { weight: 2, arbitrary: broken });
}

function forms(): FormData[] {
  return ['', 'a,b\n1,2\n', 'date,type\n'].map((text) => {
    const form = new FormData();
    form.set('file', new File([text], 'a.csv'));
    return form;
  });
}

/** Generates the file unchanged, or with one cell, one line or its header changed. */
function csvOf(example: string): fc.Arbitrary<string> {
  const lines = example.trimEnd().split('\n');
  return fc
    .tuple(fc.nat(lines.length - 1), fc.nat(12), fc.constantFrom(...oddTexts), fc.nat(3))
    .map(([line, cell, text, how]) => {
      if (how === 0) return example;
      if (how === 1) return `${lines.toSpliced(line, 1).join('\n')}\n`;
      const cells = (lines[line] ?? '').split(',');
      cells[cell % cells.length] = text;
      return `${lines.with(line, cells.join(',')).join('\n')}\n`;
    });
}

/** Generates the example unchanged, or with one to three of its members changed, removed or added. */
function changed(example: unknown): fc.Arbitrary<unknown> {
  const change = fc.tuple(fc.nat(1_000), fc.constantFrom(...oddValues), fc.nat(3));
  return fc
    .array(change, { maxLength: 3 })
    .map((changes) =>
      changes.reduce(
        (value, [at, odd, how]) => changedOnce(value, at, structuredClone(odd), how),
        structuredClone(example),
      ),
    );
}

function changedOnce(value: unknown, at: number, odd: unknown, how: number): unknown {
  const owners = objectsIn(value);
  const owner = owners[at % Math.max(1, owners.length)];
  if (owner === undefined) return value;
  const names = Object.keys(owner);
  const name = names[at % Math.max(1, names.length)];
  if (how === 0 || name === undefined) owner[Array.isArray(owner) ? owner.length : 'surprise'] = odd;
  else if (how === 1) delete owner[name];
  else owner[name] = odd;
  return value;
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(objectsIn)];
}

/** Encodes text for a URL, which cannot contain half a surrogate pair. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
