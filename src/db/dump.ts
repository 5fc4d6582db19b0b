import { type TarEntry, tarFile, writeTar } from '../base/tar.ts';
import { compress } from '../base/zstd.ts';
import { openPool, type Sql } from './connection.ts';
import {
  DumpError,
  type DumpHead,
  type DumpStep,
  type DumpTable,
  endName,
  headName,
  quoteName,
  readTables,
  TableCounter,
  type TableSum,
  tablesFolder,
} from './dump-format.ts';

interface Dump {
  readonly bytes: AsyncGenerator<Uint8Array>;
  /** The contents of the dump, which are known only after the last byte. */
  sums(): readonly TableSum[];
}

/** Dumps all tables in one snapshot while others write. Any PostgreSQL from version 15 on can load the dump. */
export function createDump(ownerUrl: string, lotbook: string): Dump {
  let known: readonly TableSum[] | undefined;
  const entries = readDatabase(ownerUrl, lotbook, (sums) => {
    known = sums;
  });
  return {
    bytes: compress(writeTar(entries)),
    sums: () => {
      if (known === undefined) throw new Error('The dump is not complete.');
      return known;
    },
  };
}

async function* readDatabase(
  ownerUrl: string,
  lotbook: string,
  done: (sums: readonly TableSum[]) => void,
): AsyncGenerator<TarEntry> {
  // The consumer of the bytes can be slow, and the snapshot remains open for that long.
  const pool = openPool(ownerUrl, 1, { statement_timeout: 0, idle_in_transaction_session_timeout: 0 });
  const session = await pool.reserve();
  try {
    await session.unsafe('begin isolation level repeatable read read only');
    const sql = session as unknown as Sql;
    await refuseBoundUser(sql);
    const head = await readHead(sql, lotbook);
    yield tarFile(headName, JSON.stringify(head, null, 2));
    const sums: TableSum[] = [];
    for (const table of head.tables) {
      const counter = new TableCounter();
      let part = 0;
      for await (const content of splitPortions(readTable(sql, table))) {
        counter.add(content);
        part += 1;
        yield tarFile(`${tablesFolder}${table.name}/${String(part).padStart(6, '0')}`, content);
      }
      sums.push(counter.sum(table.name));
    }
    yield tarFile(endName, JSON.stringify({ tables: sums }, null, 2));
    await session.unsafe('commit');
    done(sums);
  } finally {
    session.release();
    await pool.end({ timeout: 1 });
  }
}

/** Refuses a user under row-level security because the dump would lack all taxpayers' rows. */
async function refuseBoundUser(sql: Sql): Promise<void> {
  const [row] = await sql<{ free: boolean; user: string }[]>`
    select rolsuper or rolbypassrls as free, quote_ident(rolname) as user from pg_roles where rolname = current_user`;
  if (row?.free === true) return;
  throw new DumpError(
    'Row-level security hides the books from this database user, who therefore cannot dump them. Use a superuser, or have ' +
      `an administrator run: alter role ${row?.user} bypassrls`,
  );
}

async function readHead(sql: Sql, lotbook: string): Promise<DumpHead> {
  const [made] = await sql<{ at: Date; isThere: boolean }[]>`
    select now() as at, to_regclass('public.schema_migrations') is not null as "isThere"`;
  if (made?.isThere !== true) throw new DumpError('The database has no Lotbook schema. Run "lotbook migrate" first.');
  const schema = await sql<DumpStep[]>`select number, name, hash from schema_migrations order by number`;
  return { format: 1, lotbook, takenAt: made.at.toISOString(), schema: [...schema], tables: await readTables(sql) };
}

async function* readTable(sql: Sql, { name, columns }: DumpTable): AsyncGenerator<Uint8Array> {
  const statement = `copy (select ${columns.map(quoteName).join(', ')} from ${quoteName(name)}) to stdout`;
  for await (const piece of await sql.unsafe(statement).readable()) yield piece as Uint8Array;
}

/** Combines rows into portions because the driver returns single rows. */
async function* splitPortions(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < portionBytes) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

const portionBytes = 1_048_576;
