import { type TarEntry, tarEntries } from '../base/tar.ts';
import { decompress } from '../base/zstd.ts';
import { openPool, type Sql } from './connection.ts';
import {
  type DumpEnd,
  DumpError,
  type DumpHead,
  type DumpTable,
  endName,
  headName,
  quoteName,
  readTables,
  TableCounter,
  type TableSum,
  tablesFolder,
} from './dump-format.ts';
import { detachStaged, failCalculations } from './interrupted-work.ts';
import { appliedSteps, hashOf, migrate, migrations } from './migrate.ts';
import type { Migration } from './migration-files.ts';

export interface LoadedDump {
  readonly head: DumpHead;
  readonly tables: readonly TableSum[];
  /** The steps that upgraded the dump to this version. */
  readonly applied: readonly string[];
}

/**
 * Loads a dump into a database without rows, all or nothing. Creates the schema of the dump, loads the dump, and then
 * migrates to this version.
 */
export async function loadDump(ownerUrl: string, bytes: AsyncIterable<Uint8Array>): Promise<LoadedDump> {
  const entries = tarEntries(decompress(bytes));
  try {
    const first = await entries.next().catch(() => undefined);
    const entry = first?.value;
    if (entry === undefined || entry.name !== headName) throw new DumpError('This is not a Lotbook dump.');
    const head = JSON.parse(await readText(entry)) as DumpHead;
    const steps = findSchemaSteps(head);
    await refuseOtherSchema(ownerUrl, steps, head);
    await migrate(ownerUrl, steps);
    const tables = await fill(ownerUrl, head, entries);
    return { head, tables, applied: await migrate(ownerUrl) };
  } finally {
    await entries.return(undefined).catch(() => {});
  }
}

/** Returns this program's steps that created the schema of the dump. */
function findSchemaSteps(head: DumpHead): readonly Migration[] {
  if (head.format !== 1) throw newer(head, `format ${head.format}`);
  return head.schema.map(({ number, name, hash }) => {
    const step = migrations.find((migration) => migration.number === number);
    if (step === undefined) throw newer(head, name);
    if (hashOf(step) !== hash) {
      throw new DumpError(
        `The dump was written by a development version of Lotbook (${head.lotbook}), which had a different ${name}. Use that version.`,
      );
    }
    return step;
  });
}

function newer({ lotbook }: DumpHead, what: string): DumpError {
  return new DumpError(
    `The dump was written by a newer Lotbook (${lotbook}), which has ${what}. Use that version or a later one.`,
  );
}

async function refuseOtherSchema(ownerUrl: string, steps: readonly Migration[], head: DumpHead): Promise<void> {
  const applied = await appliedSteps(ownerUrl);
  if (applied <= steps.length) return;
  throw new DumpError(
    `The database has the schema of a newer version than the dump (${head.lotbook}). Load it into a database without tables.`,
  );
}

async function fill(ownerUrl: string, head: DumpHead, entries: AsyncGenerator<TarEntry>): Promise<readonly TableSum[]> {
  const pool = openPool(ownerUrl, 1, { statement_timeout: 0, idle_in_transaction_session_timeout: 0 });
  // Does not use the driver's own transactions, which give up when a statement fails, because `copyIn` retries a
  // statement.
  const session = await pool.reserve();
  try {
    await session.unsafe('begin');
    const sums = await fillTables(session as unknown as Sql, head, entries);
    await session.unsafe('commit');
    return sums;
  } catch (error) {
    await session.unsafe('rollback').catch(() => {});
    throw error;
  } finally {
    session.release();
    await pool.end({ timeout: 5 });
  }
}

async function fillTables(sql: Sql, head: DumpHead, entries: AsyncGenerator<TarEntry>): Promise<readonly TableSum[]> {
  const tables = await readTables(sql);
  if (JSON.stringify(tables) !== JSON.stringify(head.tables)) {
    throw new DumpError('The tables of the dump do not match its schema.');
  }
  await openForOwner(sql, tables);
  await refuseRows(sql, tables);
  const sums = await copyAll(sql, tables, entries);
  await detachStaged(sql);
  await failCalculations(sql);
  await continueNumbers(sql);
  await closeAgain(sql, tables);
  return sums;
}

/**
 * Turns off row-level security, which applies to the owner too, and triggers, because the totals that they maintain are
 * already rows in the dump.
 */
async function openForOwner(sql: Sql, tables: readonly DumpTable[]): Promise<void> {
  await sql`set local row_security = off`;
  for (const { name } of tables) {
    await sql.unsafe(`alter table ${quoteName(name)} no force row level security`);
    // Uses a separate statement because Citus accepts this change only by itself.
    await sql.unsafe(`alter table ${quoteName(name)} disable trigger user`);
  }
}

async function refuseRows(sql: Sql, tables: readonly DumpTable[]): Promise<void> {
  for (const { name } of tables) {
    const rows = await sql.unsafe(`select 1 from ${quoteName(name)} limit 1`);
    if (rows.length > 0) {
      throw new DumpError(`The database is not empty: it has rows in ${name}. Load the dump into an empty database.`);
    }
  }
}

async function copyAll(
  sql: Sql,
  tables: readonly DumpTable[],
  entries: AsyncGenerator<TarEntry>,
): Promise<readonly TableSum[]> {
  const sums: TableSum[] = [];
  let entry = await readNext(entries);
  for (const { name, columns } of tables) {
    const counter = new TableCounter();
    const parts = async function* (): AsyncGenerator<Uint8Array> {
      for (; entry.name.startsWith(`${tablesFolder}${name}/`); entry = await readNext(entries)) {
        for await (const piece of entry.content) {
          counter.add(piece);
          yield piece;
        }
      }
    };
    await copyIn(sql, `copy ${quoteName(name)} (${columns.map(quoteName).join(', ')}) from stdin`, parts(), name);
    sums.push(counter.sum(name));
  }
  if (entry.name !== endName) throw new DumpError(`The dump is damaged: ${entry.name} is in no table.`);
  const end = JSON.parse(await readText(entry)) as DumpEnd;
  const wrong = sums.find((sum, at) => JSON.stringify(sum) !== JSON.stringify(end.tables[at]));
  if (wrong !== undefined) throw new DumpError(`The dump is damaged: the content of ${wrong.name} does not match.`);
  return sums;
}

async function closeAgain(sql: Sql, tables: readonly DumpTable[]): Promise<void> {
  await sql`set constraints all immediate`;
  const secured = await sql<{ name: string }[]>`
    select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity`;
  for (const { name } of secured) await sql.unsafe(`alter table ${quoteName(name)} force row level security`);
  for (const { name } of tables) await sql.unsafe(`alter table ${quoteName(name)} enable trigger user`);
}

/** Makes the next row get the number after the last one. */
async function continueNumbers(sql: Sql): Promise<void> {
  const counted = await sql<{ name: string; column: string }[]>`
    select c.relname::text as name, a.attname::text as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and a.attidentity <> ''`;
  for (const { name, column } of counted) {
    await sql.unsafe(
      `select setval(pg_get_serial_sequence($1, $2), max(${quoteName(column)})) from ${quoteName(name)} having max(${quoteName(column)}) is not null`,
      [`public.${quoteName(name)}`, column],
    );
  }
}

async function readNext(entries: AsyncGenerator<TarEntry>): Promise<TarEntry> {
  try {
    const { value } = await entries.next();
    if (value !== undefined) return value as TarEntry;
  } catch (error) {
    throw new DumpError(`The dump is damaged: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new DumpError('The dump is truncated: its end is missing.');
}

async function readText(entry: TarEntry): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of entry.content) pieces.push(piece);
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/**
 * Runs COPY … FROM STDIN with back-pressure. If PostgreSQL refuses after the last byte, the error never reaches the
 * driver's stream (porsager/postgres#1173), which would wait forever. The next statement fails instead.
 */
async function copyIn(sql: Sql, statement: string, pieces: AsyncIterable<Uint8Array>, table: string): Promise<void> {
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
