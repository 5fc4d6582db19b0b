import { formatDay } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { AssetClass, Transaction } from '../../../engine/model.ts';
import { renameRows } from './matched.queries.ts';
import { type SentColumns, type StageScope, sentAs, type TransactionRow, transactionColumns } from './rows.queries.ts';
import type { PreparedRow } from './staging.ts';

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
interface UnsettledRow extends DerivableRow {
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

/** A stored row and the same row with its current derived values. `identity` is set if its id changes. */
export interface DerivedChange {
  readonly before: Transaction;
  readonly after: PreparedRow;
  readonly identity?: { readonly id: string; readonly fingerprint: string; readonly occurrence: number };
}

/** The values that depend on elections, the taxpayer's time zone or the row's sources. */
const derivedValues: SentColumns<DerivedChange> = {
  line: ['integer', ({ after }) => after.line],
  on_day: ['date', ({ after }) => formatDay(after.statement.on)],
  time_zone: ['text', ({ after }) => after.timeZone],
  asset_class: ['text', ({ after }) => after.assetClass],
  stated_class: ['text', ({ after }) => after.statement.assetClass],
  source_class: ['text', ({ after }) => after.sourceClass],
  asset_key: ['text', ({ after }) => after.keys[0] ?? null],
  second_key: ['text', ({ after }) => after.keys[1] ?? null],
  third_key: ['text', ({ after }) => after.keys[2] ?? null],
  fourth_key: ['text', ({ after }) => after.keys[3] ?? null],
  links: ['text', ({ after }) => after.links],
  stated_names: ['text', ({ after }) => after.statedNames],
  asset: ['text', ({ after }) => after.statement.asset],
  received_asset: ['text', ({ after }) => after.statement.receivedAsset],
  fee_asset: ['text', ({ after }) => after.statement.feeAsset],
  underlying: ['text', ({ after }) => after.statement.underlying],
};
const setDerived = Object.keys(derivedValues)
  .map((name) => `${name} = r.${name}`)
  .join(', ');

export async function updateDerived(sql: Sql, taxpayerId: string, changes: readonly DerivedChange[]): Promise<void> {
  const sent = sentAs(sql, 'r', changes, {
    id: ['uuid', ({ before }) => before.id],
    new_id: ['uuid', ({ before, identity }) => identity?.id ?? before.id],
    fingerprint: ['text', ({ identity }) => identity?.fingerprint ?? null],
    occurrence: ['integer', ({ identity }) => identity?.occurrence ?? null],
    ...derivedValues,
  });
  await sql`
    update transactions t set id = r.new_id, fingerprint = coalesce(decode(r.fingerprint, 'hex'), t.fingerprint),
      occurrence = coalesce(r.occurrence, t.occurrence), ${sql.unsafe(setDerived)}
    from ${sent} where t.taxpayer_id = ${taxpayerId} and t.id = r.id`;
  const renamed = changes.flatMap(({ before, identity }): [string, string][] =>
    identity === undefined || identity.id === before.id ? [] : [[before.id, identity.id]],
  );
  if (renamed.length > 0) await renameRows(sql, taxpayerId, renamed);
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
