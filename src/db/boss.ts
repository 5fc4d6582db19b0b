import type { Db, JobWithMetadata, PgBoss } from 'pg-boss';
import type { ConnectionPool } from './connection.ts';

export type { JobWithMetadata, PgBoss };

/** The pg-boss tables are in a separate schema. They contain ids and encrypted emails. */
export const jobSchema = 'jobs';

const superviseSeconds = 5;

/**
 * Opens pg-boss, which is loaded only by commands that serve, migrate or send because other commands start faster
 * without it.
 */
export async function openBoss(db: Db, purpose: 'migrate' | 'send' | 'work'): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  return new PgBoss({
    db,
    schema: jobSchema,
    migrate: purpose === 'migrate',
    createSchema: purpose === 'migrate',
    useListenNotify: purpose === 'work',
    supervise: purpose === 'work',
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    schedule: purpose === 'work',
    registerInstance: false,
    // Only the owner of the tables may rebuild their indexes.
    reindex: false,
    monitorVacuum: false,
    openTelemetry: { enabled: false },
  });
}

type Execute = Db['executeSql'];

/**
 * Adapts a pool for pg-boss, which sends some statements as blocks from `BEGIN` to `COMMIT` that must run on one
 * connection.
 */
export function adaptDatabase(pool: ConnectionPool): Db {
  return {
    executeSql: async (text, values) => {
      if (!/^\s*begin\b/i.test(text)) return execute(pool)(text, values);
      const reserved = await pool.reserve();
      try {
        return await execute(reserved)(text, values);
      } finally {
        reserved.release();
      }
    },
    listen: async (channel, onNotification, onReconnect) => {
      const subscription = await pool.listen(channel, onNotification, onReconnect);
      return { close: () => subscription.unlisten() };
    },
  };
}

/** Returns the rows of every statement in a text, in order. */
export function execute(sql: Pick<ConnectionPool, 'unsafe'>): Execute {
  return async (text, values) => {
    const result: unknown[] = await sql.unsafe(text, values as never[]);
    return { rows: result.some(Array.isArray) ? result.flat() : [...result] };
  };
}
