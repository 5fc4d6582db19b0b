import type { Sql } from '../connection.ts';

/**
 * Ends an `insert … select` into a table that numbers its rows itself. A cluster of Citus takes the numbers on the
 * coordinator and brings such rows to their worker by COPY, which row-level security refuses; where the statement returns
 * something, it brings them as a result that the worker reads.
 */
export const numbered = (sql: Sql) => sql`${sql.unsafe(numberedText)}`;

export const numberedText = 'returning 1';
