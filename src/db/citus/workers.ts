import type { ConnectionPool } from '../connection.ts';
import { MigrationError } from '../migration-files.ts';

/** Runs one statement on each Citus worker. */
export async function onWorkers(sql: Awaited<ReturnType<ConnectionPool['reserve']>>, statement: string): Promise<void> {
  const [failed] = await sql<{ node: string; result: string }[]>`
    select nodename as node, result from run_command_on_workers(${statement}) where not success`;
  if (failed !== undefined) throw new MigrationError(`Citus worker ${failed.node} refuses: ${failed.result}`);
}
