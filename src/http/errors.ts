import { Refusal, type RefusalError } from '../base/refusal.ts';
import { internalError } from './problems.ts';
import { errorsOf, type Invalid, unknownMember } from './validation.ts';

/**
 * Whatever a route threw, as a Refusal. The framework's errors are told by their shape; the database's are Refusals
 * already; `bug` says that the log must hear of it.
 */
export function refusalOf(thrown: unknown): { refusal: Refusal; bug: boolean } {
  const error = unwrapped(thrown);
  if (error instanceof Refusal) return { refusal: error, bug: false };
  const code = codeOf(error);
  if (code === 'PARSE')
    return { refusal: new Refusal('invalid_json', 'The body is not readable as JSON.'), bug: false };
  if (code === 'NOT_FOUND') return { refusal: notFound(), bug: false };
  if (code === 'VALIDATION') return validationRefusal(error as ValidationLike);
  return { refusal: internalError(), bug: true };
}

/** The one answer for what is not there and for what is somebody else's. */
export function notFound(): Refusal {
  return new Refusal('not_found', 'There is nothing here under this name.');
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An id out of a path or a query, where ours are uuids: what is none names nothing. */
export function uuidOf(text: string): string {
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

/** Elysia wraps what a body parser threw. */
function unwrapped(thrown: unknown): unknown {
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
  const where = error.type === 'query' || error.type === 'property' ? 'A query parameter' : 'The body';
  const errors = errorsOf(error.all);
  const detail = `${where} is not valid: ${sentenceOf(errors)}.`;
  return { refusal: new Refusal('invalid', detail, { errors }), bug: false };
}

export function unknownParameter(name: string): Refusal {
  return new Refusal('unknown_parameter', `The query parameter "${printable(name)}" is not known here.`, {
    errors: [{ pointer: `/${printable(name)}`, code: 'unknown_parameter', detail: 'Not known here' }],
  });
}

/** A parameter that the validator let through and that is not valid all the same. */
export function invalidParameter(name: string, detail: string): Refusal {
  const errors = [{ pointer: `/${name}`, code: 'invalid', detail }];
  return new Refusal('invalid', `A query parameter is not valid: ${sentenceOf(errors)}.`, { errors });
}

/** What the log may hear of an answer that did not fit its schema: where and why, never the numbers in it. */
export function loggable(error: unknown): unknown {
  if (codeOf(error) !== 'VALIDATION') return error;
  const { type, all } = error as ValidationLike;
  return new Error(`${type} does not fit its schema: ${sentenceOf(errorsOf(all))}`);
}

function sentenceOf(errors: readonly RefusalError[]): string {
  const told = errors.map(({ pointer = '', detail }) => {
    return `${pointer === '' ? 'as a whole' : printable(pointer)}: ${detail}`;
  });
  return told.join('; ') || 'it does not fit';
}

function nameOf(pointer: string): string {
  return pointer.replace(/^\//, '').replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A name the caller chose, cut and cleaned: enough to find it, nothing to smuggle. */
function printable(name: string): string {
  return name.replace(/[^\w\-./~[\] ]/g, '?').slice(0, 80);
}
