import { formatDay } from '../../../base/day.ts';
import { numbered } from '../../../db/citus.ts';
import type { Sql } from '../../../db/connection.ts';
import type { IssueKind, Transaction } from '../../../engine/model.ts';
import type { RowOf } from '../books/fact-tables.ts';
import { factFields } from '../books/facts.queries.ts';
import {
  contentColumns,
  counts,
  type ResolutionValues,
  resolutionsWithRows,
} from '../transactions/row-issues.queries.ts';

type IssueStatus = 'open' | 'accepted' | 'resolved';
export const resolutionActions = ['basis', 'pair', 'value', 'class', 'replace', 'add', 'accept'] as const;
export type ResolutionAction = (typeof resolutionActions)[number];
/** Actions that are carried out by operations other than POST …/resolve. */
export const elsewhereActions = ['price', 'zone', 'zone_of_import', 'form_name', 'same_asset'] as const;

/** A row of the worklist: an open issue, or the stored copy of a resolved issue. */
export interface WorklistRow {
  readonly id: string;
  readonly status: IssueStatus;
  readonly issue: IssueKind;
  readonly on: string;
  /** Other tax years that the answer affects. */
  readonly otherYears: readonly string[];
  readonly asset: string;
  readonly account: string;
  readonly transactions: string[];
  readonly dollars: string | null;
  readonly units: string | null;
  readonly closesOn: string | null;
  readonly detail: string;
  readonly resolution: string | null;
  readonly action: ResolutionAction | null;
  readonly note: string | null;
  readonly given: ResolutionValues | null;
  readonly other: string | null;
  readonly added: string | null;
  readonly at: string | null;
}

interface WorklistFilter {
  readonly status: IssueStatus | null;
  readonly kind: string | null;
  readonly year: number | null;
  readonly asset: string | null;
  readonly account: string | null;
}

/** The sort key of the last row on a page. `dollars` is `Infinity` if the amount is unknown. */
export type WorklistCursor = readonly [dollars: string, on: string, id: string];

const worklist = (sql: Sql, taxpayerId: string) => sql`
  select i.id, 'open' as status, i.issue, i.on_day as on, i.other_years, i.asset, i.account, i.transactions, i.dollars, i.units, i.closes_on,
    i.detail, null::uuid as resolution, null::text as action, null::text as note, null::jsonb as given, null::uuid as other,
    null::uuid as added, null::timestamptz as at
  from issues i where i.taxpayer_id = ${taxpayerId}
  union all
  (select distinct on (r.issue_id) r.issue_id, case r.action when 'accept' then 'accepted' else 'resolved' end, r.issue ->> 'issue',
    (r.issue ->> 'on')::date, array(select jsonb_array_elements_text(coalesce(r.issue -> 'otherYears', '[]'))),
    r.issue ->> 'asset', r.issue ->> 'account',
    array(select jsonb_array_elements_text(r.issue -> 'transactions')), (r.issue ->> 'dollars')::numeric,
    (r.issue ->> 'units')::numeric, (r.issue ->> 'closesOn')::date, r.issue ->> 'detail', r.id, r.action,
    r.note, r.given, r.other_id, r.added_id, r.created_at
  from resolutions r
    left join transactions t on t.taxpayer_id = r.taxpayer_id and t.id = r.transaction_id
    left join transactions d on d.taxpayer_id = r.taxpayer_id and d.id = r.other_id
  where r.taxpayer_id = ${taxpayerId} and not (r.action = 'pair' and r.other_id is null) and ${counts(sql)}
    -- Keeps answers about a row of a later file even if the stored row that it differs from was deleted.
    and (t.id is not null or exists (
      select from proposed_rows q where q.taxpayer_id = ${taxpayerId} and 'proposed/1/row_differs/' || q.id = r.issue_id
    ))
    and not exists (select from issues i where i.taxpayer_id = r.taxpayer_id and i.id = r.issue_id)
  order by r.issue_id, r.sequence desc)
  union all
  select d.id, 'accepted', 'rejected_line', max(d.asked_on), array[]::text[], '', '', array[]::text[],
    case when count(d.amount) = count(*) then sum(round(d.amount, 2)) end,
    null::numeric, null::date,
    case count(*) when 1 then 'A line that could not be read was set aside: ' || min(d.reason) || '.'
      else count(*) || ' lines that could not be read were set aside.' end,
    (array_agg(d.reject))[1], 'accept', min(d.note), null::jsonb, null::uuid, null::uuid, max(d.settled_at)
  from (
    select distinct on (r.content, r.occurrence) r.id as reject, r.reason, r.asked_on, r.amount, r.note, r.settled_at,
      coalesce(r.accepted_as, 'rejected/' || r.occurrence || '/rejected_line/' || r.content) as id
    from import_rejects r where r.taxpayer_id = ${taxpayerId} and r.state = 'dismissed'
    order by r.content, r.occurrence, r.line
  ) d
  where not exists (select from issues i where i.taxpayer_id = ${taxpayerId} and i.id = d.id)
  group by d.id`;

const worklistFields = (sql: Sql) => sql`
  w.id, w.status, w.issue, w.on, w.other_years as "otherYears", w.asset, w.account, w.transactions, w.dollars, w.units, w.closes_on as "closesOn",
  w.detail, w.resolution, w.action, w.note, w.given, w.other, w.added, to_char(w.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`;

/** PostgreSQL sorts infinity above all other numbers. */
const stakeColumn = (sql: Sql) => sql`coalesce(w.dollars, 'Infinity'::numeric)`;

/** Selects a page of the worklist, largest amount at stake first. Unknown amounts come before all others. */
export async function selectWorklist(
  sql: Sql,
  taxpayerId: string,
  filter: WorklistFilter,
  after: WorklistCursor | null,
  limit: number,
) {
  const { status, kind, year, asset, account } = filter;
  return sql<WorklistRow[]>`
    select ${worklistFields(sql)} from (${worklist(sql, taxpayerId)}) w
    where (${status}::text is null or w.status = ${status}) and (${kind}::text is null or w.issue = ${kind})
      and (${year}::integer is null or extract(year from w.on) = ${year}::integer or ${year}::text = any(w.other_years))
      and (${asset}::text is null or w.asset = ${asset}) and (${account}::text is null or w.account = ${account})
      ${after === null ? sql`` : sql`and (-${stakeColumn(sql)}, w.on, w.id) > (-(${after[0]}::numeric), ${after[1]}::date, ${after[2]}::text collate "C")`}
    order by ${stakeColumn(sql)} desc, w.on, w.id collate "C" limit ${limit + 1}`;
}

/** The units that a sale or transfer lacks. */
export interface Shortfall {
  readonly id: string;
  readonly transaction: string;
  readonly units: string | null;
}

/** Selects the open and accepted shortfalls of an account, asset and day. */
export async function selectShortfalls(
  sql: Sql,
  taxpayerId: string,
  { on, account, asset }: Pick<WorklistRow, 'on' | 'account' | 'asset'>,
) {
  return sql<Shortfall[]>`
    select w.id, w.transactions[1] as transaction, w.units::text from (${worklist(sql, taxpayerId)}) w
    where w.issue = 'oversold' and w.status in ('open', 'accepted') and w.on = ${on}::date and w.account = ${account}
      and w.asset = ${asset}`;
}

export async function selectWorklistRow(sql: Sql, taxpayerId: string, id: string) {
  const [row] = await sql<WorklistRow[]>`
    select ${worklistFields(sql)} from (${worklist(sql, taxpayerId)}) w where w.id = ${id}`;
  return row;
}

/** Selects open issues for a batch. */
export interface OpenIssueFilter {
  readonly kind: IssueKind;
  readonly year?: number;
  readonly asset?: string;
  readonly account?: string;
}

/** Selects open issues by id or by filter, sorted by day. */
export async function selectOpenIssues(
  sql: Sql,
  taxpayerId: string,
  which: { readonly ids: readonly string[] } | { readonly filter: OpenIssueFilter; readonly limit: number },
): Promise<WorklistRow[]> {
  const { kind = null, year = null, asset = null, account = null } = 'filter' in which ? which.filter : {};
  const condition =
    'ids' in which
      ? sql`i.id = any(${which.ids as string[]}::text[])`
      : sql`i.issue = ${kind} and (${year}::integer is null or extract(year from i.on_day) = ${year}::integer
            or ${year}::text = any(i.other_years))
          and (${asset}::text is null or i.asset = ${asset}) and (${account}::text is null or i.account = ${account})`;
  return sql<WorklistRow[]>`
    select i.id, 'open' as status, i.issue, i.on_day as on, i.other_years as "otherYears", i.asset, i.account, i.transactions, i.dollars, i.units, i.closes_on as "closesOn",
      i.detail, null as resolution, null as action, null as note, null as given, null as other, null as added, null as at
    from issues i where i.taxpayer_id = ${taxpayerId} and ${condition}
    order by i.on_day, i.id ${'ids' in which ? sql`` : sql`limit ${which.limit}`}`;
}

export async function selectIssue(sql: Sql, taxpayerId: string, id: string) {
  const [row] = await sql<RowOf<'issue'>[]>`
    select ${factFields(sql, 'issue')} from issues where taxpayer_id = ${taxpayerId} and id = ${id}`;
  return row;
}

export interface NewResolution {
  readonly id: string;
  readonly issueId: string;
  readonly action: ResolutionAction;
  readonly transactionId: string;
  readonly otherId: string | null;
  readonly addedId: string | null;
  readonly given: ResolutionValues;
  readonly note: string;
  readonly issue: RowOf<'issue'>;
  readonly assetKey: string;
  readonly fromDay: string;
  readonly at: Date;
}

/**
 * Stores a resolution. Replaces earlier resolutions of the same row. A resolution that added a row stays until it is
 * removed.
 */
export async function insertResolution(sql: Sql, taxpayerId: string, r: NewResolution): Promise<void> {
  await sql`
    delete from resolutions
    where taxpayer_id = ${taxpayerId} and issue_id = ${r.issueId} and added_id is null
      and (action in ('accept', 'pair') or transaction_id = ${r.transactionId})`;
  // Read as text, which preserves every digit.
  const [row] = await sql<{ content: string }[]>`
    select ${contentColumns(sql, 't')}::text as content from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.id = ${r.transactionId}`;
  await sql`
    insert into resolutions (
      taxpayer_id, id, issue_id, action, transaction_id, other_id, added_id, given, note, issue, asset_key, from_day,
      created_at, row_content
    )
    select me.id, ${r.id}::uuid, ${r.issueId}, ${r.action}, ${r.transactionId}::uuid, ${r.otherId}::uuid, ${r.addedId}::uuid,
      ${sql.json(r.given as never)}, ${r.note}, ${sql.json(r.issue as never)}, ${r.assetKey}, ${r.fromDay}::date, ${r.at}::timestamptz,
      ${row?.content ?? null}::text::jsonb
    from taxpayers me where me.id = ${taxpayerId}
    ${numbered(sql)}`;
}

export interface StoredResolution {
  readonly action: ResolutionAction;
  readonly asset: string;
  readonly given: ResolutionValues;
  readonly transaction_id: string;
  readonly added_id: string | null;
  readonly asset_key: string;
  readonly from_day: string;
}

export async function deleteResolutions(sql: Sql, taxpayerId: string, issueId: string) {
  return sql<StoredResolution[]>`
    delete from resolutions where taxpayer_id = ${taxpayerId} and issue_id = ${issueId}
    returning action, issue ->> 'asset' as asset, given, transaction_id, added_id, asset_key, from_day`;
}

/** Selects the row that an answer replaced, if the row still has the new content. */
export async function selectReplaced(sql: Sql, taxpayerId: string, issueId: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select t.id from ${resolutionsWithRows(sql)}
    where r.taxpayer_id = ${taxpayerId} and r.issue_id = ${issueId} and r.action = 'replace' and ${counts(sql)}`;
  return row?.id;
}

/**
 * Deletes pairs with these legs if they are no longer valid because a leg changed. Otherwise they could become valid
 * again later.
 */
export async function deleteBrokenPairs(sql: Sql, taxpayerId: string, legs: readonly string[]): Promise<void> {
  await sql`
    delete from resolutions where taxpayer_id = ${taxpayerId} and action = 'pair' and other_id is not null
      and (transaction_id = any(${legs as string[]}::uuid[]) or other_id = any(${legs as string[]}::uuid[]))
      and id not in (select r.id from ${resolutionsWithRows(sql)} where r.taxpayer_id = ${taxpayerId} and ${counts(sql)})`;
}

/** Deletes the manual pairings of a leg. */
export async function deletePairings(sql: Sql, taxpayerId: string, id: string) {
  return sql<{ transaction_id: string; other_id: string | null }[]>`
    delete from resolutions
    where taxpayer_id = ${taxpayerId} and action = 'pair' and (transaction_id = ${id} or other_id = ${id})
    returning transaction_id, other_id`;
}

/** Selects the valid manual pairing of a leg. */
export async function selectPairing(
  sql: Sql,
  taxpayerId: string,
  id: string,
): Promise<{ transaction_id: string; other_id: string | null } | undefined> {
  const [row] = await sql<{ transaction_id: string; other_id: string | null }[]>`
    select r.transaction_id, r.other_id from ${resolutionsWithRows(sql)}
    where r.taxpayer_id = ${taxpayerId} and r.action = 'pair' and (r.transaction_id = ${id} or r.other_id = ${id})
      and ${counts(sql)} limit 1`;
  return row;
}

interface TransferLeg {
  readonly id: string;
  readonly type: string;
  readonly day: string;
  readonly account: string;
  readonly quantity: string;
}

/**
 * Selects unpaired legs that could be the other end of a transfer. The deposit must be within 60 days after the
 * withdrawal, with at most as many units and at least 90% of them.
 */
export async function selectOtherLegs(
  sql: Sql,
  taxpayerId: string,
  leg: { readonly type: string; readonly assetKey: string; readonly day: string; readonly quantity: string },
): Promise<TransferLeg[]> {
  const leaves = leg.type === 'withdrawal';
  const within = leaves
    ? sql`t.type = 'deposit' and t.on_day between ${leg.day}::date and ${leg.day}::date + 60
        and t.quantity <= ${leg.quantity}::numeric and t.quantity >= ${leg.quantity}::numeric * 0.9`
    : sql`t.type = 'withdrawal' and t.on_day between ${leg.day}::date - 60 and ${leg.day}::date
        and t.quantity >= ${leg.quantity}::numeric and t.quantity * 0.9 <= ${leg.quantity}::numeric`;
  return sql<TransferLeg[]>`
    select t.id, t.type, t.on_day as day, t.account, t.quantity from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.asset_key = ${leg.assetKey} and ${within}
      and exists (
        select from issues i where i.taxpayer_id = t.taxpayer_id and i.issue = 'transfer_unpaired' and i.transactions[1] = t.id::text
      )
    order by abs(t.quantity - ${leg.quantity}::numeric), abs(t.on_day - ${leg.day}::date), t.id limit 5`;
}

/** Selects the current id of a row, which may have changed with its class. */
export async function selectSameRow(sql: Sql, taxpayerId: string, tx: Transaction): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from transactions
    where taxpayer_id = ${taxpayerId} and account = ${tx.account} and asset = ${tx.asset} and type = ${tx.type}
      and on_day = ${formatDay(tx.on)}::date and line = ${Math.floor(tx.line)}
    order by id <> ${tx.id}, id limit 1`;
  return row?.id;
}

/** Returns whether these assets have more than `rowsMax` rows. */
export async function selectTooMany(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  rowsMax: number,
): Promise<boolean> {
  const [row] = await sql<{ many: boolean }[]>`
    select count(*) > ${rowsMax}::integer as many from (
      select from transactions
      where taxpayer_id = ${taxpayerId} and asset_key = any(${keys as string[]}::text[]) limit ${rowsMax + 1}
    ) first_rows`;
  return row?.many ?? false;
}
