import type { Sql } from '../../../db/connection.ts';
import type { SourceText } from '../../../formats/rows/source-text.ts';
import type { KeptBytes } from '../blobs/read.ts';
import type { StageScope } from './rows/rows.queries.ts';

export async function insertText(sql: Sql, scope: StageScope, text: SourceText): Promise<void> {
  await sql`
    insert into import_texts (taxpayer_id, import_id, first_line, delimiter, content)
    values (${scope.taxpayerId}, ${scope.importId}, ${text.firstLine}, ${text.delimiter}, ${text.content})`;
}

/** Inserts lists of line numbers as one row. `number` must be unique within the import. */
export async function insertGroups(
  sql: Sql,
  scope: StageScope,
  number: number,
  groups: readonly (readonly number[])[],
): Promise<void> {
  const lines = groups.flat();
  const first = lines.reduce((least, line) => Math.min(least, line));
  const last = lines.reduce((most, line) => Math.max(most, line));
  await sql`
    insert into import_groups (taxpayer_id, import_id, number, first_line, last_line, groups)
    values (${scope.taxpayerId}, ${scope.importId}, ${number}, ${first}, ${last}, ${JSON.stringify(groups)})`;
}

/** Deletes the saved text of a file without stored rows. */
export async function deleteTexts(sql: Sql, scope: StageScope): Promise<void> {
  const { taxpayerId, importId } = scope;
  await sql`delete from import_texts where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
  await sql`delete from import_groups where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
}

/** Removes the second copy of the text if the same file is imported again. The caller must hold the taxpayer's lock. */
export async function shareText(sql: Sql, { taxpayerId, importId }: StageScope): Promise<void> {
  const [first] = await sql<{ id: string }[]>`
    select i.id from imports i
    join imports own on own.taxpayer_id = i.taxpayer_id and own.id = ${importId} and own.bytes = i.bytes
    where i.taxpayer_id = ${taxpayerId} and i.id <> ${importId} and i.status = 'completed' and i.text_of is null
      and (select array_agg((first_line, delimiter, ${digest(sql)}) order by first_line) from import_texts
          where taxpayer_id = ${taxpayerId} and import_id = i.id)
        = (select array_agg((first_line, delimiter, ${digest(sql)}) order by first_line) from import_texts
          where taxpayer_id = ${taxpayerId} and import_id = ${importId})
    order by i.sequence limit 1`;
  if (first === undefined) return;
  await sql`update imports set text_of = ${first.id} where taxpayer_id = ${taxpayerId} and id = ${importId}`;
  await sql`delete from import_texts where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
}

/** SQL for the hash of a piece of text, wherever it is stored. */
const digest = (sql: Sql) => sql`coalesce(blob, encode(sha256(content), 'hex'))`;

/** Moves the text of a deleted import to another import of the same file. The caller must hold the taxpayer's lock. */
export async function handOverText(sql: Sql, { taxpayerId, importId }: StageScope): Promise<void> {
  const [heir] = await sql<{ id: string }[]>`
    select id from imports where taxpayer_id = ${taxpayerId} and text_of = ${importId} order by sequence limit 1`;
  if (heir === undefined) return;
  await sql`update import_texts set import_id = ${heir.id} where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
  await sql`
    update imports set text_of = nullif(${heir.id}::uuid, id) where taxpayer_id = ${taxpayerId} and text_of = ${importId}`;
}

/** A piece of text, and the requested line in it. */
type KeptText = KeptBytes & Omit<SourceText, 'content'> & { readonly line: number };
/** A piece of text for sequential reading. */
type NextText = KeptBytes & Pick<SourceText, 'firstLine'>;

/** Selects the piece of text that contains each line. */
export async function selectTexts(sql: Sql, scope: StageScope, lines: readonly number[]) {
  return sql<KeptText[]>`
    select w.line, p.first_line as "firstLine", p.delimiter, p.content, p.blob
    from unnest(${lines as number[]}::integer[]) as w (line), lateral (
      select first_line, delimiter, content, blob from import_texts
      where taxpayer_id = ${scope.taxpayerId} and first_line <= w.line and import_id = (
        select coalesce(text_of, id) from imports where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId}
      )
      order by first_line desc limit 1
    ) p`;
}

/** Selects the pieces of text after a line, in order. */
export async function selectTextsAfter(sql: Sql, scope: StageScope, line: number, limit: number) {
  return sql<NextText[]>`
    select first_line as "firstLine", content, blob from import_texts
    where taxpayer_id = ${scope.taxpayerId} and first_line > ${line} and import_id = (
      select coalesce(text_of, id) from imports where taxpayer_id = ${scope.taxpayerId} and id = ${scope.importId}
    )
    order by first_line limit ${limit}`;
}

/** Selects the lists of line numbers that may contain the line. */
export async function selectGroups(sql: Sql, scope: StageScope, line: number): Promise<number[][]> {
  const rows = await sql<{ groups: string }[]>`
    select groups from import_groups
    where taxpayer_id = ${scope.taxpayerId} and import_id = ${scope.importId} and ${line}::integer between first_line and last_line
    order by number`;
  return rows.flatMap((row) => JSON.parse(row.groups) as number[][]);
}
