import { adaptDatabase, jobSchema, openBoss } from './boss.ts';
import { type ConnectionPool, openPool, serverRole } from './connection.ts';
import { MigrationError } from './migration-files.ts';

/** An arbitrary number. It must be the same in every Lotbook, and differ from the number for migrations. */
const installLock = 7_102_032;

const queueOptions = {
  // Wakes a listening server.
  notify: true,
  // A server counts as dead if it is silent, no matter how long its job takes.
  heartbeatSeconds: 10,
  expireInSeconds: 3_600,
  // More attempts than any job gets because a job that failed permanently would hold up all later jobs of its taxpayer.
  retryLimit: 100,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  deleteAfterSeconds: 3_600,
} as const;

/** One taxpayer's imports and calculations run one after another, in the order in which they were sent. */
export const booksQueue = 'books';
/** The delay between retries of an email grows from five seconds to an hour. */
export const mailQueue = 'mails';
/**
 * Each kind of scheduled work has its own queue so that it does not wait for taxpayers. A new job is not created while
 * one is queued or running.
 */
export const scheduledQueues = ['digests', 'erasures', 'blob-moves', 'blob-collections'] as const;

const queues = [
  { name: booksQueue, policy: 'key_strict_fifo', options: queueOptions },
  {
    name: mailQueue,
    policy: 'standard',
    options: { ...queueOptions, expireInSeconds: 600, retryDelay: 5, retryDelayMax: 3_600 },
  },
  ...scheduledQueues.map(
    (name) => ({ name, policy: 'exclusive', options: { ...queueOptions, retryLimit: 2 } }) as const,
  ),
] as const;

/** Upgrades the job tables to this version, and grants the server access to them. Runs as their owner. */
export async function installJobQueue(ownerUrl: string): Promise<void> {
  // pg-boss sends its schema as one text, which Citus would send to the workers. The jobs are only on the coordinator.
  const settings = { statement_timeout: 0, lock_timeout: 0, 'citus.enable_ddl_propagation': 'off' };
  const pool = openPool(ownerUrl, 3, settings);
  const alone = await pool.reserve();
  try {
    // Servers that start together wait for the first one.
    await alone`select pg_advisory_lock(${installLock})`;
    if (!(await mayInstall(pool))) return;
    const boss = await openBoss(adaptDatabase(pool), 'migrate');
    await boss.start();
    for (const { name, policy, options } of queues) {
      if ((await boss.getQueue(name)) === null) await boss.createQueue(name, { policy, ...options });
      else await boss.updateQueue(name, options);
    }
    await boss.stop({ graceful: false });
    await pool.unsafe(`
      grant usage on schema ${jobSchema} to ${serverRole};
      grant select, insert, update, delete on all tables in schema ${jobSchema} to ${serverRole};
      grant usage on all sequences in schema ${jobSchema} to ${serverRole}`);
  } finally {
    await alone`select pg_advisory_unlock(${installLock})`;
    alone.release();
    await pool.end({ timeout: 5 });
  }
}

/** Returns false if the tables exist and belong to another role, which manages them. */
async function mayInstall(pool: ConnectionPool): Promise<boolean> {
  const [row] = await pool<{ isMissing: boolean; mayCreate: boolean; isOwner: boolean }[]>`
    select n.oid is null as "isMissing", has_database_privilege(current_database(), 'create') as "mayCreate",
      coalesce(pg_has_role(n.nspowner, 'usage'), false) as "isOwner"
    from (select) as one left join pg_namespace n on n.nspname = ${jobSchema}`;
  if (row?.isMissing === true && !row.mayCreate) {
    throw new MigrationError(
      'The schema of the jobs is missing, and this database user may not create one. Have an administrator run: ' +
        `grant create on database … to the owner of the tables. Then run "lotbook migrate" with the DATABASE_URL of the owner.`,
    );
  }
  return row?.isMissing === true || row?.isOwner === true;
}
