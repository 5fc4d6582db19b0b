import { Refusal } from '../base/refusal.ts';

export const databaseSilent = 'The database is not responding.';

/** Returns a problem for the user if the database is unavailable or overloaded. Returns other errors unchanged. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error;
  const code = 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') return error;
  if (unavailable.has(code)) {
    return new Refusal(
      'database_unavailable',
      `${databaseSilent} Try again in a minute.`,
      { retryAfterSeconds: 5 },
      error,
    );
  }
  if (code === diskFull) {
    return new Refusal(
      'database_unavailable',
      "The server's disk is full. Nothing was changed. Contact its administrator.",
      { retryAfterSeconds: 60 },
      error,
    );
  }
  if (code === parentDeleted) return booksDeleted();
  if (tooSlow.has(code)) {
    return new Refusal(
      'overloaded',
      'This took too long and was canceled. Nothing was changed. Try again later.',
      { retryAfterSeconds: 10 },
      error,
    );
  }
  if (collided.has(code)) {
    return new Refusal(
      'overloaded',
      'Another request changed the same data. Nothing was changed. Try again.',
      { retryAfterSeconds: 1 },
      error,
    );
  }
  return error;
}

/** Returns the error for an account or a client that was deleted during the request. */
export function booksDeleted(): Refusal {
  return new Refusal('not_found', 'These books were deleted. Choose other books.');
}

const unavailable = new Set([
  'ECONNRESET',
  'EPIPE',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'ECONNREFUSED',
  'ENOENT',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
  'CONNECTION_ENDED',
  '53300',
  // A Citus coordinator cannot reach a worker.
  '08000',
  '08001',
  '08003',
  '08006',
  '57P01',
  '57P02',
  '57P03',
]);
/** The codes for statement_timeout and lock_timeout. */
const tooSlow = new Set(['57014', '55P03']);
/**
 * A deadlock or a serialization failure, in which PostgreSQL ended one of two transactions so that the other could
 * continue.
 */
const collided = new Set(['40P01', '40001']);
/** A foreign key to a user or a taxpayer. No other referenced row can be missing. */
const parentDeleted = '23503';
const diskFull = '53100';
