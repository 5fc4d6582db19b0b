/** A refusal of the API (RFC 9457), or a connection that failed. Pages show `message`; it says what to do. */
export class Problem extends Error {
  constructor(
    /** `year_locked`, `plan_limit`…; `offline` where no answer came. */
    readonly code: string,
    readonly status: number,
    message: string,
    /** For whoever is asked for help. */
    readonly requestId: string | null,
    /** What was wrong with which member. */
    readonly fields: readonly FieldProblem[] = [],
    /** All members of the answer, for a page that knows the code. */
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'Problem';
  }
}

export interface FieldProblem {
  /** A JSON pointer into what was sent: `/email`. */
  readonly pointer?: string;
  readonly line?: number;
  readonly column?: string;
  readonly detail: string;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DOMException && error.name === 'AbortError') {
    return new Problem('aborted', 0, 'This was stopped.', null);
  }
  return new Problem('offline', 0, 'The server cannot be reached. Check the connection, then try again.', null);
}

/** From the body of an answer that is no success. */
export function problemFrom(status: number, body: unknown): Problem {
  const members = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = (name: string): string | null => (typeof members[name] === 'string' ? members[name] : null);
  const fields = Array.isArray(members.errors) ? (members.errors as FieldProblem[]) : [];
  // That sentence repeats, for programs, what the fields say of themselves.
  const isOfFields = fields.length > 0 && /^(The body|A query parameter) is not valid:/.test(text('detail') ?? '');
  const stated = isOfFields ? 'Something is missing, or not right yet.' : text('detail');
  const message = stated ?? text('title') ?? `The server answered with the status ${status}.`;
  return new Problem(text('code') ?? 'unknown', status, message, text('instance'), fields, members);
}
