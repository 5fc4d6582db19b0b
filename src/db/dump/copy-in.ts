import type { Sql } from '../connection.ts';
import { DumpError } from './dump-error.ts';

/**
 * Runs COPY … FROM STDIN with back-pressure. If PostgreSQL refuses after the last byte, the error never reaches the
 * driver's stream (porsager/postgres#1173), which would wait forever. The next statement fails instead.
 */
export async function copyIn(
  sql: Sql,
  statement: string,
  pieces: AsyncIterable<Uint8Array>,
  table: string,
): Promise<void> {
  const stream = await sql.unsafe(statement).writable();
  const refused = Promise.withResolvers<never>();
  refused.promise.catch(() => {});
  stream.once('error', refused.reject);
  const passed = (work: Promise<unknown>): Promise<unknown> => Promise.race([work, refused.promise]);
  try {
    for await (const piece of pieces) {
      if (!stream.write(piece)) await passed(new Promise((resolve) => stream.once('drain', resolve)));
    }
    stream.end();
    await passed(waitForCopyEnd(sql));
  } catch (error) {
    if (!stream.destroyed) stream.destroy(error instanceof Error ? error : new Error(String(error)));
    if (!isDatabaseError(error)) throw error;
    const why = error.code === transactionAborted ? '' : `: ${error.message}`;
    throw new DumpError(`The dump is damaged: PostgreSQL does not accept the rows of ${table}${why}.`);
  }
}

const transactionAborted = '25P02';

/** Waits for the end of the COPY because the driver refuses other statements until then. */
async function waitForCopyEnd(sql: Sql): Promise<void> {
  for (;;) {
    try {
      await sql.unsafe('select 1');
      return;
    } catch (error) {
      if (!isDatabaseError(error) || error.code !== 'COPY_IN_PROGRESS') throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function isDatabaseError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
