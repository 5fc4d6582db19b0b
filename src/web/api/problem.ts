import { withDays } from '../format/dates.ts';

/** An error response from the API (RFC 9457) or a failed connection. `message` includes the next step. */
export class Problem extends Error {
  constructor(
    /** `year_locked`, `plan_limit` and so on, or `offline` if there was no response. */
    readonly code: string,
    readonly status: number,
    message: string,
    /** The request id for support. */
    readonly requestId: string | null,
    /** The errors for single fields. */
    readonly fields: readonly FieldProblem[] = [],
    /** All fields of the response, for pages that handle this code. */
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'Problem';
  }
}

interface FieldProblem {
  /** A JSON pointer into the request body, such as `/email`. */
  readonly pointer?: string;
  readonly line?: number;
  readonly column?: string;
  readonly detail: string;
}

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DOMException && error.name === 'AbortError') {
    return new Problem('aborted', 0, 'Stopped.', null);
  }
  return offline("Can't reach the server.");
}

export function offline(what: string): Problem {
  return new Problem('offline', 0, `${what} Check your connection, then try again.`, null);
}

/** Builds a Problem from the body of an error response. */
export function problemFrom(status: number, body: unknown): Problem {
  const members = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = (name: string): string | null => (typeof members[name] === 'string' ? members[name] : null);
  const fields = (Array.isArray(members.errors) ? (members.errors as FieldProblem[]) : []).map((field) => ({
    ...field,
    detail: withDays(field.detail),
  }));
  // The API's `detail` repeats the field errors for programs, so pages show a short sentence instead.
  const isOfFields = fields.length > 0 && text('errorsIn') !== null;
  const stated = isOfFields ? 'Check the fields below.' : text('detail');
  const message = withDays(stated ?? text('title') ?? `Something went wrong on our end (${status}).`);
  return new Problem(text('code') ?? 'unknown', status, message, text('instance'), fields, members);
}
