import type { Sql } from '../../db/connection.ts';
import type { StoredSettings } from './elections.ts';
import type { StagedColumns } from './staging.ts';

/** What a change moved: by key of a book, the first day on which it did. */
export interface TouchedRow {
  readonly asset_key: string;
  readonly day: string;
}

export const transactionColumns = (sql: Sql) => sql`
  t.id, t.type, (extract(epoch from t.at) * 1000000)::bigint as at, t.on_day, t.account, t.asset, t.asset_class, t.quantity,
  t.amount, t.fee, t.currency, t.received_asset, t.received_quantity, t.fee_asset, t.fee_quantity, t.fee_own, t.to_account,
  t.acquired, t.basis, t.fmv, t.ratio_numerator, t.ratio_denominator, t.lots,
  (extract(epoch from t.identified_at) * 1000000)::bigint as identified_at, t.shares, t.underlying, t.option_right, t.box,
  t.wash, t.term, t.external_id, t.note, t.line`;

/** The columns that a draft, staged or stored, has in both tables, in one order. */
export const statementColumns = (sql: Sql) => sql`
  fingerprint, type, at, on_day, time_zone, account, asset, asset_class, stated_class, source_class, quantity, amount, fee,
  currency, received_asset, received_quantity, fee_asset, fee_quantity, fee_own, to_account, acquired, basis, fmv,
  ratio_numerator, ratio_denominator, lots, identified_at, shares, underlying, option_right, box, wash, term, external_id,
  note, asset_key, second_key, third_key, fourth_key, links`;

export interface StageScope {
  readonly taxpayerId: string;
  readonly importId: string;
}

/**
 * Rows after the first `before` ones of the import. The arrays are taken apart side by side in the list of what is
 * selected: as a table of their own all rows would be written down once more. The fingerprints are read once, by a
 * query of its own. Of each batch, books lie together: so they do in `transactions` later, where a history is read
 * book by book, and sorting a file as a whole would take as long as storing it.
 */
export async function insertStaged(sql: Sql, scope: StageScope, before: number, c: StagedColumns): Promise<void> {
  await sql`
    insert into staged (taxpayer_id, import_id, number, line, lines, id, repeated, ${statementColumns(sql)})
    select ${scope.taxpayerId}, ${scope.importId}, ${before} + r.number, r.line, coalesce(r.lines, 1), r.id, coalesce(r.repeated, false),
      substring((select decode(${c.fingerprints}, 'hex')) from 32 * r.number - 31 for 32),
      r.type, r.at, r.on_day, r.time_zone, r.account, r.asset, r.asset_class, r.stated_class, r.source_class, r.quantity, r.amount, r.fee,
      r.currency, coalesce(r.received_asset, ''), r.received_quantity, coalesce(r.fee_asset, ''), r.fee_quantity, r.fee_own,
      coalesce(r.to_account, ''), r.acquired, r.basis, r.fmv, r.ratio_numerator, r.ratio_denominator, coalesce(r.lots, ''),
      r.identified_at, r.shares, coalesce(r.underlying, ''), r.option_right, r.box, r.wash, r.term,
      coalesce(r.external_id, ''), coalesce(r.note, ''), r.asset_key, r.second_key, r.third_key, r.fourth_key, r.links
    from (
      select generate_series(1, ${c.rows}::integer) as number, unnest(${c.line}::integer[]) as line,
        unnest(${c.lines}::integer[]) as lines, unnest(${c.id}::uuid[]) as id,
        unnest(${c.repeated}::text[]::boolean[]) as repeated, unnest(${c.type}::text[]) as type,
        unnest(${c.at}::timestamptz[]) as at, unnest(${c.onDay}::date[]) as on_day, unnest(${c.timeZone}::text[]) as time_zone,
        unnest(${c.account}::text[]) as account, unnest(${c.asset}::text[]) as asset,
        unnest(${c.assetClass}::text[]) as asset_class, unnest(${c.statedClass}::text[]) as stated_class,
        unnest(${c.sourceClass}::text[]) as source_class, unnest(${c.quantity}::numeric[]) as quantity,
        unnest(${c.amount}::numeric[]) as amount, unnest(${c.fee}::numeric[]) as fee, unnest(${c.currency}::text[]) as currency,
        unnest(${c.receivedAsset}::text[]) as received_asset, unnest(${c.receivedQuantity}::numeric[]) as received_quantity,
        unnest(${c.feeAsset}::text[]) as fee_asset, unnest(${c.feeQuantity}::numeric[]) as fee_quantity,
        unnest(${c.feeOwn}::numeric[]) as fee_own, unnest(${c.toAccount}::text[]) as to_account,
        unnest(${c.acquired}::date[]) as acquired, unnest(${c.basis}::numeric[]) as basis, unnest(${c.fmv}::numeric[]) as fmv,
        unnest(${c.ratioNumerator}::numeric[]) as ratio_numerator, unnest(${c.ratioDenominator}::numeric[]) as ratio_denominator,
        unnest(${c.lots}::text[]) as lots, unnest(${c.identifiedAt}::timestamptz[]) as identified_at,
        unnest(${c.shares}::numeric[]) as shares, unnest(${c.underlying}::text[]) as underlying,
        unnest(${c.right}::text[]) as option_right, unnest(${c.box}::text[]) as box, unnest(${c.wash}::numeric[]) as wash,
        unnest(${c.term}::text[]) as term, unnest(${c.externalId}::text[]) as external_id, unnest(${c.note}::text[]) as note,
        unnest(${c.assetKey}::text[]) as asset_key, unnest(${c.secondKey}::text[]) as second_key,
        unnest(${c.thirdKey}::text[]) as third_key, unnest(${c.fourthKey}::text[]) as fourth_key,
        unnest(${c.links}::text[]) as links
    ) r
    order by (hashtextextended(r.asset_key, 0) & -4294967296) | r.number`;
}

export async function deleteStaged(sql: Sql, scope: StageScope): Promise<void> {
  await sql`delete from staged where taxpayer_id = ${scope.taxpayerId} and import_id = ${scope.importId}`;
}

/** What a row by hand, or a corrected one, has beside its statement. */
export interface StoredIdentity {
  readonly id: string;
  readonly fingerprint: Uint8Array | null;
  readonly occurrence: number | null;
  readonly created_at: Date;
  readonly import_id: string | null;
  readonly source_line: number | null;
}

/** The one staged row under this identity. Its edition is the fingerprint of its content, which is no longer that of the import. */
export async function storeEdition(sql: Sql, scope: StageScope, identity: StoredIdentity): Promise<TouchedRow[]> {
  return sql<TouchedRow[]>`
    with fresh as (
      insert into transactions (
        taxpayer_id, id, occurrence, line, created_at, import_id, source_line, edition, fingerprint,
        type, at, on_day, time_zone, account, asset, asset_class, stated_class, source_class, quantity, amount, fee, currency,
        received_asset, received_quantity, fee_asset, fee_quantity, fee_own, to_account, acquired, basis, fmv,
        ratio_numerator, ratio_denominator, lots, identified_at, shares, underlying, option_right, box, wash, term,
        external_id, note, asset_key, second_key, third_key, fourth_key, links
      )
      select
        taxpayer_id, ${identity.id}, ${identity.occurrence}, line, ${identity.created_at}, ${identity.import_id}::uuid,
        ${identity.source_line}::integer, encode(fingerprint, 'hex'),
        ${identity.fingerprint},
        type, at, on_day, time_zone, account, asset, asset_class, stated_class, source_class, quantity, amount, fee, currency,
        received_asset, received_quantity, fee_asset, fee_quantity, fee_own, to_account, acquired, basis, fmv,
        ratio_numerator, ratio_denominator, lots, identified_at, shares, underlying, option_right, box, wash, term,
        external_id, note, asset_key, second_key, third_key, fourth_key, links
      from staged where taxpayer_id = ${scope.taxpayerId} and import_id = ${scope.importId}
      returning on_day, asset_key, second_key, third_key, fourth_key
    )
    select k.asset_key, min(on_day) as day
    from fresh, lateral (values (asset_key), (second_key), (third_key), (fourth_key)) as k (asset_key)
    where k.asset_key is not null group by k.asset_key`;
}

/** One row, gone, its sources left: the identity it had and what it moved. */
export async function takeOut(
  sql: Sql,
  taxpayerId: string,
  id: string,
): Promise<{ identity: StoredIdentity; touched: TouchedRow[] } | undefined> {
  const [gone] = await sql<(StoredIdentity & { on_day: string; keys: string[] })[]>`
    delete from transactions where taxpayer_id = ${taxpayerId} and id = ${id}
    returning id, fingerprint, occurrence, created_at, import_id, source_line, on_day,
      array_remove(array[asset_key, second_key, third_key, fourth_key], null) as keys`;
  if (gone === undefined) return undefined;
  return { identity: gone, touched: gone.keys.map((key) => ({ asset_key: key, day: gone.on_day })) };
}

/** Whether the frozen allocation is made of the row. */
export async function isAllocated(sql: Sql, taxpayerId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select from allocations where taxpayer_id = ${taxpayerId} and transactions @> array[${id}::uuid]`;
  return rows.length > 0;
}

export async function selectElections(
  sql: Sql,
  taxpayerId: string,
): Promise<{ settings: StoredSettings; time_zone: string }> {
  const [row] = await sql<{ settings: StoredSettings; time_zone: string }[]>`
    select settings, time_zone from taxpayers where id = ${taxpayerId}`;
  if (row === undefined) throw new Error('A taxpayer without a row.');
  return row;
}
