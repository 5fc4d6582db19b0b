import type { Rule } from './rules.ts';

/**
 * One statement for each rule, with words from the error that Citus 13.0.5 reports. Null if it runs and queries every
 * worker.
 */
export const refusedStatements: readonly {
  readonly rule: Rule;
  readonly text: string;
  readonly words: string | null;
}[] = [
  {
    rule: 'insert by copy',
    text: 'insert into muted_notifications (taxpayer_id, kind) select $1::uuid, r.kind from unnest($2::text[]) as r (kind)',
    words: 'COPY FROM not supported with row-level security',
  },
  {
    rule: 'insert by copy',
    text: 'insert into muted_notifications (taxpayer_id, kind) select me.id, gen_random_uuid()::text from taxpayers me where me.id = $1::uuid',
    words: 'COPY FROM not supported with row-level security',
  },
  {
    rule: 'insert by copy',
    text: 'with own as (select * from taxpayers where id = $1::uuid) insert into muted_notifications (taxpayer_id, kind) select id, name from own',
    words: 'COPY FROM not supported with row-level security',
  },
  {
    rule: 'insert by copy',
    text: "insert into audit_entries (taxpayer_id, at, action, actor) select me.id, now(), 'signed_in', 'user' from taxpayers me where me.id = $1::uuid",
    words: 'COPY FROM not supported with row-level security',
  },
  {
    rule: 'numbered insert of a query',
    text: `insert into audit_entries (taxpayer_id, at, action, actor)
      select me.id, now(), coalesce((select y.summary::text from year_summaries y where y.taxpayer_id = $1::uuid and y.year = 2025), 'a'), 'user'
      from taxpayers me where me.id = $1::uuid returning 1`,
    words: 'complex joins are only supported when all distributed tables are co-located',
  },
  {
    rule: 'numbered insert of a query',
    text: `insert into audit_entries (taxpayer_id, at, action, actor)
      select me.id, now(), case when t.id is not null then 'a' else 'b' end, 'user'
      from taxpayers me left join transactions t on t.taxpayer_id = me.id and t.id = $2::uuid where me.id = $1::uuid returning 1`,
    words: 'outer joins and pseudoconstant quals are not supported',
  },
  {
    rule: 'no subquery in values',
    text: 'insert into muted_notifications (taxpayer_id, kind) values ($1::uuid, (select t.note from transactions t where t.taxpayer_id = $1::uuid))',
    words: 'subqueries are not supported within INSERT queries',
  },
  {
    rule: 'no changing function of columns',
    text: "update transactions set note = convert_to(note, 'UTF8')::text where taxpayer_id = $1::uuid",
    words: 'STABLE functions used in UPDATE queries cannot be called with column references',
  },
  {
    rule: 'no changing function of columns',
    text: "update transactions set note = jsonb_build_object('id', note)::text where taxpayer_id = $1::uuid",
    words: 'STABLE functions used in UPDATE queries cannot be called with column references',
  },
  {
    rule: 'no changing function in a case',
    text: 'update notifications set read_at = coalesce(read_at, now()) where taxpayer_id = $1::uuid',
    words: 'non-IMMUTABLE functions are not allowed in CASE or COALESCE statements',
  },
  {
    rule: 'no changing function on conflict',
    text: `insert into idempotency_keys as mine (taxpayer_id, user_id, route, key, claim, claimed_until, created_at)
      values ($1::uuid, $1::uuid, 'a', 'b', $1::uuid, now(), now())
      on conflict (taxpayer_id, user_id, route, key) do update set claim = excluded.claim where mine.claimed_until < now()`,
    words: 'must be marked IMMUTABLE',
  },
  {
    rule: 'plain returning',
    text: 'update notifications set read_at = now() where taxpayer_id = $1::uuid returning created_at - now() as rest',
    words: 'non-IMMUTABLE functions are not allowed in the RETURNING clause',
  },
  {
    rule: 'joined by the taxpayer',
    text: 'select 1 from transactions t join imports i on i.id = t.import_id',
    words: 'the query contains a join that requires repartitioning',
  },
  { rule: 'one worker', text: 'select count(*) from transactions where line > $1::integer', words: null },
  { rule: 'one worker', text: "update transactions set note = ''", words: null },
  {
    rule: 'one place',
    text: 'select 1 from taxpayers t, memberships m where t.id = $1::uuid and m.taxpayer_id = t.id',
    words: null,
  },
];

/** Statements that Citus sends to the taxpayer's worker or runs on the coordinator. */
export const acceptedStatements = [
  'insert into muted_notifications (taxpayer_id, kind) select me.id, r.kind from taxpayers me, unnest($2::text[]) as r (kind) where me.id = $1::uuid',
  'insert into muted_notifications (taxpayer_id, kind) select $1::uuid, r.kind from unnest($2::text[]) as r (kind) returning 1',
  'insert into muted_notifications (taxpayer_id, kind) select me.id, gen_random_uuid()::text from taxpayers me where me.id = $1::uuid on conflict do nothing',
  'insert into muted_notifications (taxpayer_id, kind) select distinct on (t.asset) t.taxpayer_id, t.asset from transactions t where t.taxpayer_id = $1::uuid',
  "insert into muted_notifications (taxpayer_id, kind) select me.id, 'a' from taxpayers me where me.id = $1::uuid union all select me.id, 'b' from taxpayers me where me.id = $1::uuid",
  "insert into audit_entries (taxpayer_id, at, action, actor) select me.id, now(), 'signed_in', 'user' from taxpayers me where me.id = $1::uuid returning 1",
  'select 1 from transactions t join imports i on i.taxpayer_id = t.taxpayer_id and i.id = t.import_id where t.taxpayer_id = $1::uuid',
  'select 1 from (select taxpayer_id from transactions union all select taxpayer_id from issues) s where s.taxpayer_id = $1::uuid',
  'with own as (select * from staged where taxpayer_id = $1::uuid) select count(*) from own',
  'with gone as (delete from staged where taxpayer_id = $1::uuid returning id) select count(*) from gone',
  'select 1 from transactions t where t.taxpayer_id = $1::uuid and not exists (select from imports i where i.taxpayer_id = t.taxpayer_id)',
  'select (select count(*) from transactions t where t.taxpayer_id = me.id) from taxpayers me where me.id = $1::uuid',
  'select (select count(*) from transactions t where t.taxpayer_id = $1::uuid) from taxpayers me where me.id = $1::uuid',
  'update transactions t set (note, account) = (select r.note, r.account from transactions r where r.taxpayer_id = $1::uuid limit 1) where t.taxpayer_id = $1::uuid',
  'update transactions set note = note || line where taxpayer_id = $1::uuid',
] as const;
