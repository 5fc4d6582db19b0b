import type { Sql } from '../../../../db/connection.ts';
import type { StageScope } from '../rows/rows.queries.ts';
import type { Family, PairRow } from './pairs.queries.ts';

/**
 * Returns whether matching is necessary: whether there are rows from another kind of file or manual rows (`others`),
 * and whether any rows were matched before (`aliases`).
 */
export async function findOthers(
  sql: Sql,
  taxpayerId: string,
  family: Family,
): Promise<{ others: boolean; aliases: boolean }> {
  const [row] = await sql<{ others: boolean; aliases: boolean }[]>`
    select exists (
      select from imports where taxpayer_id = ${taxpayerId} and status = 'completed' and imported > 0
        and (format, layout) is distinct from (${family.format}, ${family.layout})
    ) or exists (
      select from transactions where taxpayer_id = ${taxpayerId} and import_id is null
    ) as others, exists (select from row_aliases where taxpayer_id = ${taxpayerId}) as aliases`;
  return row ?? { others: false, aliases: false };
}

/**
 * Gives staged rows that were matched before the ids of their partners, one row per partner. Ignores aliases whose
 * partner is no longer stored.
 */
export async function applyAliases(sql: Sql, scope: StageScope): Promise<void> {
  const { taxpayerId, importId } = scope;
  await sql`
    update staged s set id = p.transaction_id
    from (
      select distinct on (a.transaction_id) own.number, a.transaction_id
      from staged own
      join row_aliases a on a.taxpayer_id = own.taxpayer_id and a.alias_id = own.id
      join transactions t on t.taxpayer_id = a.taxpayer_id and t.id = a.transaction_id
      where own.taxpayer_id = ${taxpayerId} and own.import_id = ${importId} and not exists (
        select from staged k where k.taxpayer_id = ${taxpayerId} and k.import_id = ${importId} and k.id = a.transaction_id
      )
      order by a.transaction_id, own.number
    ) p
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.number = p.number`;
}

/** Records that these staged rows are the same as stored rows, for this and later imports. */
export async function insertAliases(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  pairs: readonly PairRow[],
): Promise<void> {
  const [numbers, others] = [pairs.map((pair) => pair.number), pairs.map((pair) => pair.other_id)];
  const paired = sql`unnest(${numbers}::integer[], ${others}::uuid[]) as p (number, other_id)`;
  await sql`
    insert into row_aliases (taxpayer_id, alias_id, transaction_id, external_id)
    select s.taxpayer_id, s.id, p.other_id, s.external_id
    from staged s join ${paired} on s.number = p.number
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId}
    on conflict (taxpayer_id, alias_id) do update set transaction_id = excluded.transaction_id`;
  await sql`
    update staged s set id = p.other_id from ${paired}
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.number = p.number`;
}

/** Updates the references to stored rows whose ids changed. */
export async function renameMatched(
  sql: Sql,
  taxpayerId: string,
  names: readonly (readonly [before: string, after: string])[],
): Promise<void> {
  const renamed = sql`
    from unnest(${names.map(([before]) => before)}::uuid[], ${names.map(([, after]) => after)}::uuid[]) as r (id, new_id)`;
  await sql`
    update row_aliases a set transaction_id = r.new_id ${renamed}
    where a.taxpayer_id = ${taxpayerId} and a.transaction_id = r.id`;
  await sql`
    update edited_rows e set transaction_id = r.new_id ${renamed}
    where e.taxpayer_id = ${taxpayerId} and e.transaction_id = r.id`;
  await sql`
    update proposed_rows q set transaction_id = r.new_id ${renamed}
    where q.taxpayer_id = ${taxpayerId} and q.transaction_id = r.id`;
  await sql`
    update proposed_rows q set id = r.new_id ${renamed}
    where q.taxpayer_id = ${taxpayerId} and q.id = r.id`;
  await sql`
    update possible_duplicates d set transaction_id = r.new_id ${renamed}
    where d.taxpayer_id = ${taxpayerId} and d.transaction_id = r.id`;
  await sql`
    update possible_duplicates d set other_id = r.new_id ${renamed}
    where d.taxpayer_id = ${taxpayerId} and d.other_id = r.id`;
}

/** What makes two rows a possible duplicate: two files, or two names that the settings join. */
type DuplicateKind = 'files' | 'names';

export interface PossibleDuplicate {
  readonly id: string;
  readonly otherId: string;
  /** Default: `files`. */
  readonly kind?: DuplicateKind;
  readonly detail: string;
}

/**
 * Stores the pairs whose rows are both stored. The import of a pair is that of the later row, or that of the other row
 * if the later one is manual.
 */
export async function insertPossible(
  sql: Sql,
  taxpayerId: string,
  possible: readonly PossibleDuplicate[],
): Promise<number> {
  const rows = await sql`
    insert into possible_duplicates (taxpayer_id, id, import_id, transaction_id, other_id, kind, detail)
    select own.taxpayer_id, p.pair_id, coalesce(own.import_id, other.import_id), p.id, p.other_id, p.kind, p.detail
    from unnest(
      ${possible.map(() => crypto.randomUUID())}::uuid[], ${possible.map((one) => one.id)}::uuid[], ${possible.map((one) => one.otherId)}::uuid[],
      ${possible.map(({ kind = 'files' }) => kind)}::text[], ${possible.map((one) => one.detail)}::text[]
    ) as p (pair_id, id, other_id, kind, detail)
    join transactions own on own.taxpayer_id = ${taxpayerId} and own.id = p.id
    join transactions other on other.taxpayer_id = ${taxpayerId} and other.id = p.other_id
    on conflict (taxpayer_id, transaction_id, other_id) do nothing
    returning 1`;
  return rows.length;
}

export interface OpenDuplicateRow {
  readonly id: string;
  readonly transactionId: string;
  readonly otherId: string;
  readonly importId: string;
  readonly detail: string;
}

/** Selects open pairs whose rows both still exist, either for these rows or for all. */
export async function selectPossible(
  sql: Sql,
  taxpayerId: string,
  of: { readonly ids: readonly string[] } | { readonly after: string | null; readonly limit: number },
): Promise<OpenDuplicateRow[]> {
  const part =
    'ids' in of
      ? sql`and (d.transaction_id = any(${of.ids as string[]}::uuid[]) or d.other_id = any(${of.ids as string[]}::uuid[]))`
      : sql`and (${of.after}::uuid is null or d.id > ${of.after}::uuid)`;
  return sql<OpenDuplicateRow[]>`
    select d.id, d.transaction_id as "transactionId", d.other_id as "otherId", d.import_id as "importId", d.detail
    from possible_duplicates d
    join transactions a on a.taxpayer_id = d.taxpayer_id and a.id = d.transaction_id
    join transactions b on b.taxpayer_id = d.taxpayer_id and b.id = d.other_id
    where d.taxpayer_id = ${taxpayerId} and d.dismissed_at is null ${part}
    order by d.id ${'limit' in of ? sql`limit ${of.limit}` : sql``}`;
}

/** Selects the ids of both rows in each open pair. */
export const doubtfulIds = (sql: Sql, taxpayerId: string) => sql`
  select unnest(array[a.id, b.id]) from possible_duplicates d
  join transactions a on a.taxpayer_id = d.taxpayer_id and a.id = d.transaction_id
  join transactions b on b.taxpayer_id = d.taxpayer_id and b.id = d.other_id
  where d.taxpayer_id = ${taxpayerId} and d.dismissed_at is null`;

/** Dismisses a pair. Returns false if there is no open pair with this id. */
export async function dismissPossible(sql: Sql, taxpayerId: string, id: string, at: Date): Promise<boolean> {
  const rows = await sql`
    update possible_duplicates set dismissed_at = ${at}
    where taxpayer_id = ${taxpayerId} and id = ${id} and dismissed_at is null returning 1`;
  return rows.length > 0;
}

/** Deletes open pairs of two names whose rows now belong to different assets. */
export async function deletePossibleApart(sql: Sql, taxpayerId: string): Promise<void> {
  await sql`
    delete from possible_duplicates d using transactions a, transactions b
    where d.taxpayer_id = ${taxpayerId} and d.kind = 'names' and d.dismissed_at is null
      and a.taxpayer_id = ${taxpayerId} and a.id = d.transaction_id
      and b.taxpayer_id = ${taxpayerId} and b.id = d.other_id and a.asset_key <> b.asset_key`;
}
