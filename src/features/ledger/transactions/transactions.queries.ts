import type { Sql } from '../../../db/connection.ts';
import type { AssetClass, TransactionType } from '../../../engine/model.ts';
import type { SourceText } from '../../../formats/rows/source-text.ts';
import type { SecurityName } from '../../../formats/security-names.ts';
import type { KeptBytes } from '../blobs/read.ts';
import { coins, listSymbolsNamed, securities } from './asset-names/common-names.ts';
import type { StoredSettings } from './elections.ts';
import type { SqlPart, StageScope, TouchedRow } from './rows.queries.ts';
import { type LastLine, positionColumn, stagedRows } from './staged.queries.ts';

/** Returns whether the finalized allocation includes any of these rows. */
export async function isAllocated(sql: Sql, taxpayerId: string, ids: readonly string[]): Promise<boolean> {
  const rows = await sql`
    select from allocations where taxpayer_id = ${taxpayerId} and transactions && ${ids as string[]}::uuid[]`;
  return rows.length > 0;
}

export async function selectElections(
  sql: Sql,
  taxpayerId: string,
): Promise<{ settings: StoredSettings; time_zone: string }> {
  const [row] = await sql<{ settings: StoredSettings; time_zone: string }[]>`
    select settings, time_zone from taxpayers where id = ${taxpayerId}`;
  if (row === undefined) throw new Error('The taxpayer has no row.');
  return row;
}

/** Rows with equal values for everything that determines the classes of their assets. */
export interface AssetUse {
  readonly type: TransactionType;
  readonly account: string;
  readonly asset: string;
  readonly received_asset: string;
  readonly fee_asset: string;
  readonly underlying: string;
  readonly asset_class: AssetClass;
  readonly stated_class: AssetClass | null;
  readonly source_class: AssetClass | null;
  readonly rows: number;
  readonly first: string;
  readonly last: string;
}

/** Selects the asset uses in these accounts, or in all accounts. */
export async function selectAssetUses(sql: Sql, taxpayerId: string, accounts: readonly string[] | null = null) {
  return sql<AssetUse[]>`
    select type, account, asset, received_asset, fee_asset, underlying, asset_class, stated_class, source_class,
      count(*)::integer as rows, min(on_day)::text as first, max(on_day)::text as last
    from transactions
    where taxpayer_id = ${taxpayerId}
      and (${accounts as string[] | null}::text[] is null or account = any(${accounts as string[] | null}::text[]))
    group by type, account, asset, received_asset, fee_asset, underlying, asset_class, stated_class, source_class`;
}

/**
 * Selects the imports that contain each row. A row is removed with the last of them. A row with one source references
 * it directly. If a row has several sources, all of them are in `transaction_sources`, each with its own values for the
 * row.
 */
export const rowSources = (sql: Sql) => sql`(
  select taxpayer_id, import_id, transaction_id, line from transaction_sources
  union all
  select taxpayer_id, import_id, id, source_line from transactions t
  where import_id is not null
    and not exists (select from transaction_sources s where s.taxpayer_id = t.taxpayer_id and s.transaction_id = t.id)
)`;

/** Matches rows that this import contains. The condition looks up one row at a time and does not read any others. */
export const isSource = (sql: Sql, taxpayerId: SqlPart, importId: SqlPart, transactionId: SqlPart) => sql`(
  exists (
    select from transaction_sources s
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.transaction_id = ${transactionId}
  ) or exists (
    select from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.id = ${transactionId} and t.import_id = ${importId} and not exists (
      select from transaction_sources s where s.taxpayer_id = ${taxpayerId} and s.transaction_id = ${transactionId}
    )
  )
)`;

/**
 * Records this import as a source of those of its rows that are already stored. `unsettled` counts rows whose line, time
 * zone or class may change as a result. `lines` counts the file lines that they come from.
 */
export async function linkStoredRows(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  lastLine: LastLine,
  from = stagedRows(sql),
): Promise<LinkCounts> {
  // A row that first came from another kind of file (`matched.ts`) keeps its position, because line numbers in two
  // different files are not comparable.
  const position = sql`case when t.fingerprint = s.fingerprint then ${positionColumn(sql, lastLine)} else t.line end`;
  const known = sql`s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and t.taxpayer_id = s.taxpayer_id and t.id = s.id`;
  const [counts] = await sql<LinkCounts[]>`
    select count(*)::integer as known, coalesce(sum(s.lines), 0)::integer as lines, (count(*) filter (where
      ${position} < t.line or (t.edition is null and
        (least(t.time_zone, s.time_zone), least(t.stated_class, s.stated_class), least(t.source_class, s.source_class))
          is distinct from (t.time_zone, t.stated_class, t.source_class))))::integer as unsettled
    from ${from} s, transactions t where ${known}`;
  if (counts === undefined) throw new Error('The count returned no row.');
  if (counts.known === 0) return counts;
  await sql`
    insert into transaction_sources
      (taxpayer_id, import_id, transaction_id, line, place, time_zone, stated_class, source_class)
    select t.taxpayer_id, t.import_id, t.id, t.source_line, t.line, t.time_zone, t.stated_class, t.source_class
    from ${from} s, transactions t
    where ${known} and t.import_id is not null and not exists (
      select from transaction_sources o where o.taxpayer_id = t.taxpayer_id and o.transaction_id = t.id
    )
    order by t.import_id, t.id`;
  await sql`
    insert into transaction_sources
      (taxpayer_id, import_id, transaction_id, line, place, time_zone, stated_class, source_class)
    select s.taxpayer_id, s.import_id, s.id, s.line, ${position}, s.time_zone, s.stated_class, s.source_class
    from ${from} s, transactions t where ${known} order by s.id`;
  return counts;
}

/** Removes staged rows that are already stored. */
export async function deleteStagedDuplicates(sql: Sql, { taxpayerId, importId }: StageScope): Promise<void> {
  await sql`
    delete from staged s using transactions t
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and t.taxpayer_id = s.taxpayer_id and t.id = s.id`;
}

/** Selects the current accounts of the rows that this import shares with others. They may have been corrected. */
export async function selectSharedAccounts(sql: Sql, { taxpayerId, importId }: StageScope) {
  return sql<{ account: string; box: null }[]>`
    select distinct t.account, null as box
    from transaction_sources s join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId}`;
}

interface LinkCounts {
  readonly known: number;
  readonly unsettled: number;
  readonly lines: number;
}

/** Deletes rows with their sources. Returns the number of rows. */
export async function deleteRows(sql: Sql, taxpayerId: string, ids: readonly string[]): Promise<number> {
  const named = ids as string[];
  await sql`
    delete from transaction_sources where taxpayer_id = ${taxpayerId} and transaction_id = any(${named}::uuid[])`;
  const deleted = await sql`delete from transactions where taxpayer_id = ${taxpayerId} and id = any(${named}::uuid[])`;
  return deleted.count;
}

/** Removes the import as a source, and deletes its rows that have no other source. */
export async function unlinkImport(sql: Sql, scope: StageScope): Promise<{ removed: number; touched: TouchedRow[] }> {
  const { taxpayerId, importId } = scope;
  // Makes rows with other sources reference one of them.
  await sql`
    update transactions t set import_id = s.import_id, source_line = s.line
    from transaction_sources s
    where t.taxpayer_id = ${taxpayerId} and t.import_id = ${importId}
      and s.taxpayer_id = ${taxpayerId} and s.transaction_id = t.id and s.import_id <> ${importId}`;
  await sql`delete from transaction_sources where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
  const touched = await sql<TouchedRow[]>`
    select k.asset_key, min(t.on_day) as day
    from transactions t, lateral (values (t.asset_key), (t.second_key), (t.third_key), (t.fourth_key)) as k (asset_key)
    where t.taxpayer_id = ${taxpayerId} and t.import_id = ${importId} and k.asset_key is not null
    group by k.asset_key`;
  const deleted = await sql`delete from transactions where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
  return { removed: deleted.count, touched };
}

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

/** Stores the names of securities in an imported file. They are deleted with the import. */
export async function insertAssetNames(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  names: readonly SecurityName[],
): Promise<void> {
  const values = names.map(({ asset, name }) => ({ taxpayer_id: taxpayerId, import_id: importId, asset, name }));
  for (let at = 0; at < values.length; at += rowsPerInsert) {
    await sql`insert into asset_names ${sql(values.slice(at, at + rowsPerInsert))}`;
  }
}

const rowsPerInsert = 1_000;

interface AssetWords {
  readonly asset: string;
  /** The taxpayer's name for it. */
  readonly name: string | null;
  /** The main name of the security, if `asset` is another name of it. */
  readonly sameAs: string | null;
}

/** Selects the assets that the settings name or rename. */
export async function selectAssetWords(sql: Sql, taxpayerId: string) {
  return sql<AssetWords[]>`
    select a.key as asset, a.value->>'name' as name, a.value->>'sameAs' as "sameAs"
    from taxpayers me, jsonb_each(coalesce(me.settings->'assets', '{}')) as a (key, value)
    where me.id = ${taxpayerId} and (a.value ? 'name' or a.value ? 'sameAs')`;
}

interface FileName extends SecurityName {
  /** The position of its import in the list of imports. */
  readonly sequence: string;
}

/** Selects the name of each asset in the newest import that has one. */
export async function selectFileNames(sql: Sql, taxpayerId: string, assets: readonly string[]) {
  return sql<FileName[]>`
    select distinct on (n.asset) n.asset, n.name, i.sequence
    from asset_names n join imports i on i.taxpayer_id = n.taxpayer_id and i.id = n.import_id
    where n.taxpayer_id = ${taxpayerId} and n.asset = any(${assets as string[]}::text[])
    order by n.asset, i.sequence desc`;
}

/**
 * Builds a condition on rows whose asset has a name that contains the text. `row` is the alias of a table with the
 * columns `asset` and `asset_class`.
 */
export function isNamedLike(sql: Sql, taxpayerId: string, text: string, row: 't' | 'd') {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const [asset, assetClass] = [sql.unsafe(`${row}.asset`), sql.unsafe(`${row}.asset_class`)];
  const [stocks, tokens] = [listSymbolsNamed(securities, text), listSymbolsNamed(coins, text)];
  const root = sql`case when ${assetClass} = 'option' then split_part(${asset}, ' ', 1) else ${asset} end`;
  return sql`(
    ${root} in (
      select coalesce(me.settings->'assets'->n.asset->>'sameAs', n.asset) collate "C"
      from asset_names n join taxpayers me on me.id = n.taxpayer_id
      where n.taxpayer_id = ${taxpayerId} and n.name ilike ${pattern}
      union all
      select a.key collate "C" from taxpayers me, jsonb_each(coalesce(me.settings->'assets', '{}')) as a (key, value)
      where me.id = ${taxpayerId} and a.value->>'name' ilike ${pattern}
    )
    ${stocks.length === 0 ? sql`` : sql`or ${assetClass} <> 'crypto' and ${root} = any(${stocks}::text[])`}
    ${tokens.length === 0 ? sql`` : sql`or ${assetClass} = 'crypto' and ${asset} = any(${tokens}::text[])`}
  )`;
}
