import type { Sql } from '../../../db/connection.ts';
import type { AssetMember } from '../../../engine/events/same-assets.ts';
import type { AssetClass, Statement } from '../../../engine/model.ts';
import { renameMatched } from './matched.queries.ts';
import { type StageScope, transactionColumns } from './rows/rows.queries.ts';
import type { TransactionRow } from './rows/statement-sql.ts';

/** A row with the values that determine its day and class. */
export interface DerivableRow extends TransactionRow {
  readonly corrected: boolean;
  readonly time_zone: string | null;
  readonly stated_class: AssetClass | null;
  readonly source_class: AssetClass | null;
  readonly occurrence: number | null;
  /** In hex. */
  readonly fingerprint: string | null;
}

const derivableColumns = (sql: Sql) => sql`
  ${transactionColumns(sql)}, t.edition is not null as corrected, t.time_zone, t.stated_class, t.source_class, t.stated_names, t.occurrence,
  encode(t.fingerprint, 'hex') as fingerprint`;

/** A row whose stored values differ from the values of its sources, and the values that it should have. */
export interface UnsettledRow extends DerivableRow {
  readonly settled_line: number;
  readonly settled_zone: string | null;
  readonly settled_stated_class: AssetClass | null;
  readonly settled_source_class: AssetClass | null;
}

/**
 * Selects rows that this import shares with others and whose stored values differ from the values of their sources. If
 * `without` is true, ignores this import as a source.
 */
export async function selectUnsettled(sql: Sql, scope: StageScope, without: boolean) {
  return sql<UnsettledRow[]>`
    with settled as (
      select s.transaction_id, min(s.place) as settled_line, min(s.time_zone) as settled_zone,
        min(s.stated_class) as settled_stated_class, min(s.source_class) as settled_source_class
      from transaction_sources own
      join transaction_sources s on s.taxpayer_id = own.taxpayer_id and s.transaction_id = own.transaction_id
      where own.taxpayer_id = ${scope.taxpayerId} and own.import_id = ${scope.importId}
        and not (${without} and s.import_id = ${scope.importId})
      group by s.transaction_id
    )
    select ${derivableColumns(sql)}, settled_line, settled_zone, settled_stated_class, settled_source_class
    from settled join transactions t on t.taxpayer_id = ${scope.taxpayerId} and t.id = settled.transaction_id
    where t.line <> settled_line or t.edition is null
      and (t.time_zone, t.stated_class, t.source_class) is distinct from (settled_zone, settled_stated_class, settled_source_class)`;
}

/** The values of a stored row that depend on elections, the taxpayer's time zone or its sources. */
export interface DerivedValues {
  readonly id: string;
  readonly newId: string;
  readonly fingerprint: string | null;
  readonly occurrence: number | null;
  readonly line: number;
  readonly onDay: string;
  readonly timeZone: string | null;
  readonly assetClass: AssetClass;
  readonly statedClass: AssetClass | null;
  readonly sourceClass: AssetClass | null;
  readonly keys: readonly string[];
  readonly links: string | null;
  readonly statedNames: string | null;
  /** The row's assets by their names in the books. */
  readonly names: Pick<Statement, AssetMember>;
}

export async function updateDerived(sql: Sql, taxpayerId: string, rows: readonly DerivedValues[]): Promise<void> {
  const of = <Value>(read: (row: DerivedValues) => Value): Value[] => rows.map(read);
  await sql`
    update transactions t set id = r.new_id, fingerprint = coalesce(decode(r.fingerprint, 'hex'), t.fingerprint),
      occurrence = coalesce(r.occurrence, t.occurrence), line = r.line, on_day = r.on_day, time_zone = r.time_zone,
      asset_class = r.asset_class, stated_class = r.stated_class, source_class = r.source_class, asset_key = r.asset_key,
      second_key = r.second_key, third_key = r.third_key, fourth_key = r.fourth_key, links = r.links,
      stated_names = r.stated_names, asset = r.asset, received_asset = r.received_asset, fee_asset = r.fee_asset,
      underlying = r.underlying
    from unnest(
      ${of((row) => row.id)}::uuid[], ${of((row) => row.newId)}::uuid[], ${of((row) => row.fingerprint)}::text[],
      ${of((row) => row.occurrence)}::integer[], ${of((row) => row.line)}::integer[], ${of((row) => row.onDay)}::date[],
      ${of((row) => row.timeZone)}::text[], ${of((row) => row.assetClass)}::text[], ${of((row) => row.statedClass)}::text[],
      ${of((row) => row.sourceClass)}::text[], ${of((row) => row.keys[0] ?? null)}::text[],
      ${of((row) => row.keys[1] ?? null)}::text[], ${of((row) => row.keys[2] ?? null)}::text[],
      ${of((row) => row.keys[3] ?? null)}::text[], ${of((row) => row.links)}::text[],
      ${of((row) => row.statedNames)}::text[], ${of((row) => row.names.asset)}::text[],
      ${of((row) => row.names.receivedAsset)}::text[], ${of((row) => row.names.feeAsset)}::text[],
      ${of((row) => row.names.underlying)}::text[]
    ) as r (
      id, new_id, fingerprint, occurrence, line, on_day, time_zone, asset_class, stated_class, source_class, asset_key,
      second_key, third_key, fourth_key, links, stated_names, asset, received_asset, fee_asset, underlying
    )
    where t.taxpayer_id = ${taxpayerId} and t.id = r.id`;
  const renamed = rows.filter((row) => row.newId !== row.id);
  if (renamed.length === 0) return;
  await sql`
    update transaction_sources s set transaction_id = r.new_id
    from unnest(${renamed.map((row) => row.id)}::uuid[], ${renamed.map((row) => row.newId)}::uuid[]) as r (id, new_id)
    where s.taxpayer_id = ${taxpayerId} and s.transaction_id = r.id`;
  await renameMatched(
    sql,
    taxpayerId,
    renamed.map((row) => [row.id, row.newId]),
  );
}

/** Selects rows whose day depends on the taxpayer's time zone. */
export async function selectTimed(sql: Sql, taxpayerId: string) {
  return sql<DerivableRow[]>`
    select ${derivableColumns(sql)} from transactions t
    where t.taxpayer_id = ${taxpayerId}
      and (t.at is not null and t.time_zone is null or t.identified_at is not null)`;
}

export interface RowsToClassify {
  /** Selects the rows without a class in these accounts. */
  readonly accounts: readonly string[];
  /** Selects the rows of these assets, and the rows of options with one of these roots. */
  readonly assets: readonly string[];
  /**
   * Names that now mean a different asset. Selects the rows that use such a name in their file, and the rows that had a
   * different name in the books.
   */
  readonly names: readonly string[];
}

export async function selectRowsToClassify(sql: Sql, taxpayerId: string, { accounts, assets, names }: RowsToClassify) {
  return sql<DerivableRow[]>`
    select ${derivableColumns(sql)} from transactions t
    where t.taxpayer_id = ${taxpayerId}
      and (t.stated_class is null and t.account = any(${accounts as string[]}::text[])
        or t.asset = any(${assets as string[]}::text[])
        or t.asset_class in ('option', 'section_1256')
          and (split_part(t.asset, ' ', 1) = any(${assets as string[]}::text[]) or t.underlying = any(${assets as string[]}::text[]))
        ${names.length === 0 ? sql`` : sql`or t.stated_names is not null or ${namesAny(sql, names)}`})`;
}

/** Matches rows `t` whose assets include one of these names, or an option on one of them. */
function namesAny(sql: Sql, names: readonly string[]) {
  const nameArray = sql`${names as string[]}::text[]`;
  return sql`(
    array[t.asset, t.received_asset, t.fee_asset, t.underlying] && ${nameArray}
    or t.asset ~ ' [CP] [0-9.]+$' and array[
      regexp_replace(t.asset, ' [0-9]{4}-[0-9]{2}-[0-9]{2} [CP] [0-9.]+$', ''),
      regexp_replace(t.asset, '[0-9] [0-9]{4}-[0-9]{2}-[0-9]{2} [CP] [0-9.]+$', '')
    ] && ${nameArray})`;
}

/** Counts the stored rows with each of these fingerprints. */
export async function countFingerprints(sql: Sql, taxpayerId: string, fingerprints: readonly string[]) {
  return sql<{ fingerprint: string; occurrence: number }[]>`
    select encode(fingerprint, 'hex') as fingerprint, max(occurrence) as occurrence
    from transactions
    where taxpayer_id = ${taxpayerId} and encode(fingerprint, 'hex') = any(${fingerprints as string[]}::text[])
    group by fingerprint`;
}

export async function selectDerivableRows(sql: Sql, taxpayerId: string, ids: readonly string[]) {
  return sql<DerivableRow[]>`
    select ${derivableColumns(sql)} from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.id = any(${ids as string[]}::uuid[])`;
}

export async function selectDerivable(sql: Sql, taxpayerId: string, id: string) {
  const [row] = await sql<DerivableRow[]>`
    select ${derivableColumns(sql)} from transactions t where t.taxpayer_id = ${taxpayerId} and t.id = ${id}`;
  return row;
}
