import { openPool } from '../../../src/db/connection.ts';

/**
 * The workers of the Citus on whose coordinator the tests run (`scripts/citus`); none elsewhere. There no database is a copy of
 * another one: each is made on every server, and distributed anew.
 */
export const workers: readonly string[] = (process.env.LOTBOOK_TEST_CITUS_WORKERS ?? '')
  .split(' ')
  .filter((name) => name !== '');

/** Makes a cluster of an empty database: the same one on each worker, named to the coordinator. */
export async function joinWorkers(url: string): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  for (const worker of workers) {
    await send(
      at(url, worker, 'postgres'),
      `create database ${pathname.slice(1)} template template0 encoding 'UTF8' locale 'C'`,
    );
    await send(at(url, worker, pathname.slice(1)), 'create extension citus');
  }
  const adding = workers.map((worker) => `select citus_add_node('${worker.split(':')[0]}', ${worker.split(':')[1]});`);
  await send(
    url,
    `create extension citus; select citus_set_coordinator_host('${hostname}', ${port}); ${adding.join(' ')}`,
  );
}

export async function dropOnWorkers(url: string): Promise<void> {
  for (const worker of workers) {
    await send(at(url, worker, 'postgres'), `drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
  }
}

function at(url: string, worker: string, database: string): string {
  const address = new URL(url);
  [address.hostname, address.port] = worker.split(':') as [string, string];
  address.pathname = `/${database}`;
  return address.href;
}

async function send(url: string, text: string): Promise<void> {
  const pool = openPool(url, 1, { statement_timeout: 0 });
  try {
    await pool.unsafe(text);
  } finally {
    await pool.end({ timeout: 5 });
  }
}
