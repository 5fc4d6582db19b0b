import type { Sql } from '../connection.ts';

/**
 * Ends an `insert … select` into a table with generated numbers. A Citus cluster assigns the numbers on the coordinator
 * and copies such rows to their worker by COPY, which row-level security refuses. If the statement has a `returning`
 * clause, Citus copies the rows as an intermediate result that the worker reads.
 */
export const numbered = (sql: Sql) => sql`${sql.unsafe(numberedText)}`;

export const numberedText = 'returning 1';
