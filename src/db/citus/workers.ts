import type { ConnectionPool } from '../connection.ts';
import { MigrationError } from '../migration-files.ts';

/** Has each worker of Citus run it, one statement. */
export async function onWorkers(sql: Awaited<ReturnType<ConnectionPool['reserve']>>, statement: string): Promise<void> {
  const [failed] = await sql<{ node: string; result: string }[]>`
    select nodename as node, result from run_command_on_workers(${statement}) where not success`;
  if (failed !== undefined) throw new MigrationError(`Worker ${failed.node} of Citus refuses: ${failed.result}`);
}
