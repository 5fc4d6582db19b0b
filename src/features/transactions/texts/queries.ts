import type { Sql } from '../../../db/connection.ts';
import type { SourceText } from '../../../formats/rows/source-text.ts';
import type { StageScope } from '../rows/queries.ts';

export async function insertText(sql: Sql, scope: StageScope, text: SourceText): Promise<void> {
  await sql`
    insert into import_texts (taxpayer_id, import_id, first_line, delimiter, content)
    values (${scope.taxpayerId}, ${scope.importId}, ${text.firstLine}, ${text.delimiter}, ${text.content})`;
}

/** Lists of lines, as one row: `number` is unique in the import. */
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

/** What was kept of the file, where nothing of it was stored in the end. */
export async function deleteTexts(sql: Sql, scope: StageScope): Promise<void> {
  const { taxpayerId, importId } = scope;
  await sql`delete from import_texts where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
  await sql`delete from import_groups where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
}

/** The piece that holds each line. */
export async function selectTexts(
  sql: Sql,
  scope: StageScope,
  lines: readonly number[],
): Promise<(SourceText & { line: number })[]> {
  return sql<(SourceText & { line: number })[]>`
    select w.line, p.first_line as "firstLine", p.delimiter, p.content
    from unnest(${lines as number[]}::integer[]) as w (line), lateral (
      select first_line, delimiter, content from import_texts
      where taxpayer_id = ${scope.taxpayerId} and import_id = ${scope.importId} and first_line <= w.line
      order by first_line desc limit 1
    ) p`;
}

/** The lists that may hold the line. */
export async function selectGroups(sql: Sql, scope: StageScope, line: number): Promise<number[][]> {
  const rows = await sql<{ groups: string }[]>`
    select groups from import_groups
    where taxpayer_id = ${scope.taxpayerId} and import_id = ${scope.importId} and ${line}::integer between first_line and last_line
    order by number`;
  return rows.flatMap((row) => JSON.parse(row.groups) as number[][]);
}
