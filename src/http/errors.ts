import { expectedDate, parseDay } from '../base/day.ts';
import { invalidMember, Refusal, type RefusalCode, type RefusalError, type RefusalMore } from '../base/refusal.ts';
import { internalError } from './problems.ts';
import { type Invalid, toRefusalErrors, unknownMember } from './validation.ts';

/**
 * Converts an error from a route into a Refusal. The framework's errors are recognized by their shape. The database's
 * errors are already Refusals. `bug` means that the error must be logged.
 */
export function toRefusal(thrown: unknown): { refusal: Refusal; bug: boolean } {
  const error = unwrap(thrown);
  if (error instanceof Refusal) return { refusal: error, bug: false };
  const code = codeOf(error);
  if (code === 'PARSE') return { refusal: new Refusal('invalid_json', 'The body is not valid JSON.'), bug: false };
  if (code === 'NOT_FOUND') return { refusal: notFound(), bug: false };
  if (code === 'VALIDATION') return validationRefusal(error as ValidationLike);
  return { refusal: internalError(), bug: true };
}

/** Returns the same response for a missing resource and for another user's. */
export function notFound(): Refusal {
  return new Refusal('not_found', 'Not found. It may have been deleted, or the address is wrong.');
}

/** Returns a resource, or the result of a change that succeeds only if its resource exists. */
export function requireFound<Found>(found: Found | undefined | false): Found {
  if (found === undefined || found === false) throw notFound();
  return found;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Checks an id from a path or a query. Our ids are UUIDs, so any other text is not found. */
export function parseUuid(text: string): string {
  if (!isUuid(text)) throw notFound();
  return text;
}

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

interface ValidationLike {
  readonly type: string;
  readonly all: readonly Invalid[];
}

/** Returns the original error. Elysia wraps errors from a body parser. */
function unwrap(thrown: unknown): unknown {
  const isWrapper = thrown instanceof Error && codeOf(thrown) === 'PARSE' && thrown.cause instanceof Refusal;
  return isWrapper ? thrown.cause : thrown;
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

function validationRefusal(error: ValidationLike): { refusal: Refusal; bug: boolean } {
  if (error.type === 'response') return { refusal: internalError(), bug: true };
  if (error.type === 'params') return { refusal: notFound(), bug: false };
  const unknown = error.all.find((item) => item.type === unknownMember);
  if (error.type === 'query' && unknown !== undefined) {
    return { refusal: unknownParameter(nameOf(unknown.path ?? '')), bug: false };
  }
  const where = error.type === 'query' || error.type === 'property' ? 'A query parameter' : body;
  const errors = toRefusalErrors(error.all);
  const detail = `${where} is not valid: ${formatErrors(errors)}.`;
  return {
    refusal: new Refusal('invalid', detail, { errors, members: { errorsIn: where === body ? 'body' : 'query' } }),
    bug: false,
  };
}

const body = 'The body';

export function unknownParameter(name: string): Refusal {
  return new Refusal(
    'unknown_parameter',
    `The query parameter "${printable(name)}" is unknown. Remove it or correct its name.`,
    {
      errors: [{ pointer: `/${printable(name)}`, code: 'unknown_parameter', detail: 'Unknown' }],
    },
  );
}

/** Returns the error for a parameter that the schema accepts but whose value is not valid. */
export function invalidParameter(name: string, detail: string): Refusal {
  const errors = [{ pointer: `/${name}`, code: 'invalid', detail }];
  return new Refusal('invalid', `A query parameter is not valid: ${formatErrors(errors)}.`, {
    errors,
    members: { errorsIn: 'query' },
  });
}

/**
 * Describes a response that does not match its schema, for the log. Includes the location and the reason, but never the
 * values.
 */
export function loggable(error: unknown): unknown {
  if (codeOf(error) !== 'VALIDATION') return error;
  const { type, all } = error as ValidationLike;
  return new Error(`${type} does not match its schema: ${formatErrors(toRefusalErrors(all))}`);
}

function formatErrors(errors: readonly RefusalError[]): string {
  const sentences = errors.map(({ pointer = '', detail }) => {
    return `${pointer === '' ? 'as a whole' : printable(nameOf(pointer).replaceAll('/', '.'))}: ${detail}`;
  });
  return sentences.join('; ') || 'it does not match';
}

function nameOf(pointer: string): string {
  return pointer.replace(/^\//, '').replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns a name that the caller chose, shortened and without special characters. */
function printable(name: string): string {
  return name.replace(/[^\w\-./~[\] ]/g, '?').slice(0, 80);
}

/** Returns the day in a query parameter, or null without one. */
export function parseDayParameter(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (parseDay(text) !== undefined) return text;
  throw invalidMember(`/${name}`, expectedDate);
}

/** An error in the form that a Worker sends. Messages can contain only plain data. */
export type ErrorWords =
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly detail: string; readonly more: RefusalMore }
  | { readonly kind: 'failed'; readonly reason: string };

export function toErrorWords(error: unknown): ErrorWords {
  if (error instanceof Refusal) {
    return { kind: 'refused', code: error.code, detail: error.detail, more: error.more };
  }
  return { kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

export function fromErrorWords(words: ErrorWords): Error {
  return words.kind === 'refused' ? new Refusal(words.code, words.detail, words.more) : new Error(words.reason);
}
