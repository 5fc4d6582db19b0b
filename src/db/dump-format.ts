import { createHash } from 'node:crypto';
import type { Sql } from './connection.ts';

/** The reason why a dump could not be written or loaded, for the person who ran it. */
export class DumpError extends Error {
  override readonly name = 'DumpError';
}

/**
 * The format of a dump: a tar, compressed with zstd. `lotbook.json` (DumpHead) comes first. The parts
 * `tables/NAME/PART` follow, which together are the table as COPY writes it. `end.json` (DumpEnd) comes last, and a
 * dump without it is incomplete.
 */
export interface DumpHead {
  readonly format: 1;
  readonly lotbook: string;
  readonly takenAt: string;
  /** The steps that created the schema. */
  readonly schema: readonly DumpStep[];
  /** In an order that satisfies foreign keys: referenced tables come first. */
  readonly tables: readonly DumpTable[];
}

export interface DumpStep {
  readonly number: number;
  readonly name: string;
  readonly hash: string;
}

export interface DumpTable {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface DumpEnd {
  readonly tables: readonly TableSum[];
}

/** The contents of a table. */
export interface TableSum {
  readonly name: string;
  readonly rows: number;
  /** Digest of the bytes in the dump. */
  readonly sha256: string;
  /** The sum of the XXH64 of the rows, modulo 2⁶⁴, which is equal for equal rows in any order. */
  readonly content: string;
}

export const headName = 'lotbook.json';
export const endName = 'end.json';
export const tablesFolder = 'tables/';

/** Counts rows and sums their digests as the bytes of a COPY pass through. */
export class TableCounter {
  readonly #sha256 = createHash('sha256');
  #rows = 0;
  #content = 0n;
  #unfinished: Uint8Array = new Uint8Array(0);

  add(piece: Uint8Array): void {
    this.#sha256.update(piece);
    let start = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, start)) {
      const line = piece.subarray(start, end);
      this.#addRow(this.#unfinished.length === 0 ? line : Buffer.concat([this.#unfinished, line]));
      this.#unfinished = nothing;
      start = end + 1;
    }
    if (start < piece.length) this.#unfinished = Buffer.concat([this.#unfinished, piece.subarray(start)]);
  }

  sum(name: string): TableSum {
    const content = this.#content.toString(16).padStart(16, '0');
    return { name, rows: this.#rows, sha256: this.#sha256.digest('hex'), content };
  }

  #addRow(row: Uint8Array): void {
    this.#rows += 1;
    this.#content = (this.#content + Bun.hash.xxHash64(row)) & digestMask;
  }
}

/** Inside a row, COPY writes a line break as `\n`. */
const newline = 10;
const nothing = new Uint8Array(0);
const digestMask = 2n ** 64n - 1n;

/**
 * Returns every table in the schema except the list of its steps and unlogged tables, whose rows may be lost in a
 * crash. Includes only columns that are stored rather than computed from others.
 */
export async function readTables(sql: Sql): Promise<DumpTable[]> {
  const tables = await sql<(DumpTable & { readonly needs: string[] })[]>`
    select c.relname::text as name,
      array(
        select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
      ) as columns,
      array(
        select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid
      ) as needs
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relpersistence = 'p' and c.relname <> 'schema_migrations'
    order by c.relname collate "C"`;
  const ordered: DumpTable[] = [];
  const done = new Set<string>();
  while (ordered.length < tables.length) {
    const ready = tables.filter(({ name, needs }) => !done.has(name) && needs.every((other) => done.has(other)));
    if (ready.length === 0) throw new Error('The foreign keys of the tables form a cycle.');
    for (const { name, columns } of ready) {
      ordered.push({ name, columns });
      done.add(name);
    }
  }
  return ordered;
}

/** Quotes the name of a table or column for a statement. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
