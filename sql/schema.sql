-- What the numbered steps come to, for reading: written by scripts/schema.ts, never applied, kept true by a test.

CREATE OR REPLACE FUNCTION public.count_digests()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change record;
begin
  if tg_op = 'INSERT' then
    for change in select taxpayer_id, sum(digest) as total from fresh group by taxpayer_id loop
      insert into ledgers (taxpayer_id, content) values (change.taxpayer_id, change.total)
        on conflict (taxpayer_id) do update set content = ledgers.content + excluded.content;
    end loop;
  elsif tg_op = 'DELETE' then
    for change in select taxpayer_id, sum(digest) as total from gone group by taxpayer_id loop
      update ledgers set content = content - change.total where ledgers.taxpayer_id = change.taxpayer_id;
    end loop;
  else
    for change in
      select taxpayer_id, sum(digest) as total
        from (select taxpayer_id, digest from fresh union all select taxpayer_id, -digest::numeric from gone) both_sides
        group by taxpayer_id
    loop
      update ledgers set content = content + change.total where ledgers.taxpayer_id = change.taxpayer_id;
    end loop;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.current_taxpayer()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.taxpayer'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION public.forget_ledger()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  before text := current_setting('app.taxpayer', true);
begin
  -- Row-level security binds the owner too: the rows are those of this taxpayer.
  perform set_config('app.taxpayer', old.id::text, true);
  delete from transactions where taxpayer_id = old.id;
  delete from transaction_sources where taxpayer_id = old.id;
  delete from staged where taxpayer_id = old.id;
  delete from books where taxpayer_id = old.id;
  delete from checkpoints where taxpayer_id = old.id;
  delete from disposals where taxpayer_id = old.id;
  delete from wash_sales where taxpayer_id = old.id;
  delete from incomes where taxpayer_id = old.id;
  delete from contracts_1256 where taxpayer_id = old.id;
  delete from issues where taxpayer_id = old.id;
  delete from lots where taxpayer_id = old.id;
  delete from lot_versions where taxpayer_id = old.id;
  delete from book_years where taxpayer_id = old.id;
  delete from year_summaries where taxpayer_id = old.id;
  -- The objects in the bucket are removed soon after, and these rows with them.
  update blobs set erased_at = now() where taxpayer_id = old.id;
  perform set_config('app.taxpayer', coalesce(before, ''), true);
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION public.has_changed_anything(taxpayer uuid)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$select pg_current_xact_id_if_assigned() is not null$function$;

CREATE OR REPLACE FUNCTION public.list_shared_prices(wanted text, from_day date, to_day date, after_asset text, after_day date, after_source text, most integer)
 RETURNS TABLE(asset text, day date, usd numeric, source text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT p.asset,
     p.day,
     p.usd,
     p.source
    FROM shared_prices p
   WHERE (((list_shared_prices.wanted IS NULL) OR (p.asset = list_shared_prices.wanted)) AND ((list_shared_prices.from_day IS NULL) OR (p.day >= list_shared_prices.from_day)) AND ((list_shared_prices.to_day IS NULL) OR (p.day < list_shared_prices.to_day)) AND ((list_shared_prices.after_asset IS NULL) OR (ROW(p.asset, p.day, p.source) > ROW((list_shared_prices.after_asset COLLATE "C"), list_shared_prices.after_day, (list_shared_prices.after_source COLLATE "C")))))
   ORDER BY p.asset, p.day, p.source
  LIMIT list_shared_prices.most;
END;

CREATE OR REPLACE FUNCTION public.shared_price(wanted text, on_day date, within integer, sources text[])
 RETURNS TABLE(day date, usd numeric, source text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT p.day,
     p.usd,
     p.source
    FROM shared_prices p
   WHERE ((p.asset = shared_price.wanted) AND (p.day <= shared_price.on_day) AND (p.day >= (shared_price.on_day - shared_price.within)) AND (p.source = ANY (shared_price.sources)))
   ORDER BY p.day DESC, p.source
  LIMIT 1;
END;

create table access_tokens (
  user_id uuid not null,
  id text collate "C" not null,
  secret_hash bytea not null,
  name text not null,
  scopes text[] collate "C" not null,
  client_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint access_tokens_pkey PRIMARY KEY (id),
  constraint access_tokens_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint access_tokens_scopes_known CHECK (((scopes <@ ARRAY['read'::text, 'import'::text, 'write'::text, 'reports'::text]) AND (scopes <> '{}'::text[])))
);
CREATE INDEX access_tokens_user ON public.access_tokens USING btree (user_id, created_at);
grant delete, insert, select, update on access_tokens to lotbook_server;

create table account_assignments (
  taxpayer_id uuid not null,
  import_id uuid not null,
  transaction_id uuid not null,
  earlier_account text collate "C" not null,
  account text collate "C" not null,
  constraint account_assignments_pkey PRIMARY KEY (taxpayer_id, import_id, transaction_id),
  constraint account_assignments_taxpayer_id_import_id_fkey FOREIGN KEY (taxpayer_id, import_id) REFERENCES imports(taxpayer_id, id) ON DELETE CASCADE
);
alter table account_assignments enable row level security;
alter table account_assignments force row level security;
create policy own on account_assignments using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on account_assignments to lotbook_app;

create table account_deletions (
  user_id uuid not null,
  email text collate "C" not null,
  requested_at timestamp with time zone not null,
  erase_at timestamp with time zone not null,
  by_operator boolean not null,
  constraint account_deletions_pkey PRIMARY KEY (user_id),
  constraint account_deletions_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX account_deletions_due ON public.account_deletions USING btree (erase_at);
CREATE INDEX account_deletions_of_email ON public.account_deletions USING btree (email, requested_at);
grant delete, insert, select on account_deletions to lotbook_server;
grant update (erase_at) on account_deletions to lotbook_server;

create table account_guesses (
  account text collate "C" not null,
  user_id uuid,
  passwords integer not null,
  codes integer not null,
  started_at timestamp with time zone not null,
  tried_at timestamp with time zone not null,
  paced_at timestamp with time zone,
  notified_at timestamp with time zone,
  constraint account_guesses_pkey PRIMARY KEY (account),
  constraint account_guesses_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX account_guesses_tried ON public.account_guesses USING btree (tried_at);
CREATE INDEX account_guesses_user ON public.account_guesses USING btree (user_id);
grant delete, insert, select, update on account_guesses to lotbook_server;

create table account_questions (
  taxpayer_id uuid not null,
  id uuid not null,
  account text collate "C" not null,
  import_id uuid not null,
  other_id uuid not null,
  other_account text collate "C" not null,
  detail text not null,
  created_at timestamp with time zone not null,
  answered_at timestamp with time zone,
  constraint account_questions_pkey PRIMARY KEY (taxpayer_id, id),
  constraint account_questions_taxpayer_id_account_other_account_key UNIQUE (taxpayer_id, account, other_account),
  constraint account_questions_taxpayer_id_import_id_fkey FOREIGN KEY (taxpayer_id, import_id) REFERENCES imports(taxpayer_id, id) ON DELETE CASCADE,
  constraint account_questions_taxpayer_id_other_id_fkey FOREIGN KEY (taxpayer_id, other_id) REFERENCES imports(taxpayer_id, id) ON DELETE CASCADE
);
alter table account_questions enable row level security;
alter table account_questions force row level security;
create policy own on account_questions using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on account_questions to lotbook_app;

create table ai_consents (
  taxpayer_id uuid not null,
  id uuid not null,
  preparer_id uuid not null,
  preparer text collate "C" not null,
  service text collate "C" not null,
  purpose text not null,
  signer text not null,
  signed_on date not null,
  expires_on date not null,
  method text collate "C" not null,
  recorded_by text collate "C" not null,
  recorded_at timestamp with time zone not null,
  revoked_by text collate "C",
  revoked_at timestamp with time zone,
  constraint ai_consents_pkey PRIMARY KEY (taxpayer_id, id),
  constraint ai_consents_of_taxpayer FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint ai_consents_check CHECK ((expires_on >= signed_on)),
  constraint ai_consents_check1 CHECK (((revoked_by IS NULL) = (revoked_at IS NULL))),
  constraint ai_consents_method_check CHECK ((method = ANY (ARRAY['taxpayer'::text, 'on_paper'::text])))
);
alter table ai_consents enable row level security;
alter table ai_consents force row level security;
create policy own on ai_consents using ((taxpayer_id = current_taxpayer()));
grant insert, select on ai_consents to lotbook_app;
grant update (revoked_at), update (revoked_by) on ai_consents to lotbook_app;

create table ai_usage (
  taxpayer_id uuid not null,
  day date not null,
  used integer not null,
  constraint ai_usage_pkey PRIMARY KEY (taxpayer_id, day),
  constraint ai_usage_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint ai_usage_used_check CHECK ((used >= 0))
);
alter table ai_usage enable row level security;
alter table ai_usage force row level security;
create policy own_ai_usage on ai_usage using ((taxpayer_id = current_taxpayer()));
create policy server_reads on ai_usage for select to lotbook_server using (true);
grant delete, insert, select, update on ai_usage to lotbook_app;
grant select (day), select (taxpayer_id), select (used) on ai_usage to lotbook_server;

create table allocations (
  taxpayer_id uuid not null,
  frozen_at timestamp with time zone not null,
  hash text collate "C" not null,
  pool_hash text collate "C" not null,
  method text collate "C" not null,
  rule text collate "C",
  lots jsonb not null,
  statement text not null,
  books_made_on date,
  safe_harbor boolean not null,
  standing text not null,
  transactions uuid[] not null,
  constraint allocations_pkey PRIMARY KEY (taxpayer_id),
  constraint allocations_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint allocations_method_check CHECK ((method = ANY (ARRAY['rule'::text, 'unit'::text])))
);
alter table allocations enable row level security;
alter table allocations force row level security;
create policy own on allocations using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on allocations to lotbook_app;

create table asset_names (
  taxpayer_id uuid not null,
  import_id uuid not null,
  asset text collate "C" not null,
  name text not null,
  constraint asset_names_pkey PRIMARY KEY (taxpayer_id, asset, import_id),
  constraint asset_names_of_file FOREIGN KEY (taxpayer_id, import_id) REFERENCES imports(taxpayer_id, id) ON DELETE CASCADE
);
CREATE INDEX asset_names_of_import ON public.asset_names USING btree (taxpayer_id, import_id);
alter table asset_names enable row level security;
alter table asset_names force row level security;
create policy own on asset_names using ((taxpayer_id = current_taxpayer()));
grant insert, select on asset_names to lotbook_app;

create table audit_entries (
  taxpayer_id uuid not null,
  sequence bigint not null generated always as identity,
  at timestamp with time zone not null,
  action text collate "C" not null,
  subject text,
  actor text collate "C" not null,
  user_id uuid,
  email text,
  token_id text collate "C",
  token_name text,
  address text,
  request_id uuid,
  constraint audit_entries_pkey PRIMARY KEY (taxpayer_id, sequence),
  constraint audit_entries_taxpayer_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint audit_entries_actor_known CHECK ((actor = ANY (ARRAY['user'::text, 'token'::text, 'operator'::text, 'anyone'::text])))
);
alter table audit_entries enable row level security;
alter table audit_entries force row level security;
create policy audit_entries_own on audit_entries using ((taxpayer_id = current_taxpayer()));
create policy server_adds on audit_entries for insert to lotbook_server with check (true);
grant insert, select on audit_entries to lotbook_app;
grant insert, select on audit_entries to lotbook_server;

create table balance_sources (
  taxpayer_id uuid not null,
  import_id uuid not null,
  account text collate "C" not null,
  asset text collate "C" not null,
  on_day date not null,
  quantity numeric not null,
  counted_until bigint,
  is_least boolean not null,
  constraint balance_sources_pkey PRIMARY KEY (taxpayer_id, import_id, account, asset, on_day),
  constraint balance_sources_taxpayer_id_import_id_fkey FOREIGN KEY (taxpayer_id, import_id) REFERENCES imports(taxpayer_id, id) ON DELETE CASCADE
);
CREATE INDEX balance_sources_of_day ON public.balance_sources USING btree (taxpayer_id, account, asset, on_day);
alter table balance_sources enable row level security;
alter table balance_sources force row level security;
create policy own on balance_sources using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on balance_sources to lotbook_app;

create table balances (
  taxpayer_id uuid not null,
  id uuid not null,
  account text collate "C" not null,
  asset text collate "C" not null,
  on_day date not null,
  quantity numeric not null,
  source text collate "C" not null,
  counted_until bigint,
  is_least boolean not null default false,
  created_at timestamp with time zone not null,
  digest bigint not null generated always as (hashtextextended(((((((((account || '
'::text) || asset) || '
'::text) || ((on_day - '2000-01-01'::date))::text) || '
'::text) || (quantity)::text) || COALESCE(('
'::text || (counted_until)::text), ''::text)) ||
CASE
    WHEN is_least THEN '
least'::text
    ELSE ''::text
END), (7)::bigint)) stored,
  constraint balances_pkey PRIMARY KEY (taxpayer_id, id),
  constraint balances_taxpayer_id_account_asset_on_day_key UNIQUE (taxpayer_id, account, asset, on_day),
  constraint balances_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint balances_source_check CHECK ((source = ANY (ARRAY['hand'::text, 'file'::text, 'import'::text])))
);
alter table balances enable row level security;
alter table balances force row level security;
create policy own on balances using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on balances to lotbook_app;
CREATE TRIGGER balances_changed AFTER UPDATE ON public.balances REFERENCING OLD TABLE AS gone NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_digests();
CREATE TRIGGER balances_removed AFTER DELETE ON public.balances REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_digests();
CREATE TRIGGER balances_stored AFTER INSERT ON public.balances REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_digests();

create table blobs (
  taxpayer_id uuid not null,
  digest text collate "C" not null,
  bytes integer not null,
  put_at timestamp with time zone not null,
  erased_at timestamp with time zone,
  constraint blobs_pkey PRIMARY KEY (taxpayer_id, digest)
);
CREATE INDEX blobs_erased ON public.blobs USING btree (taxpayer_id, digest) WHERE (erased_at IS NOT NULL);
alter table blobs enable row level security;
alter table blobs force row level security;
create policy own on blobs using ((taxpayer_id = current_taxpayer()));
create policy server_reads on blobs for select to lotbook_server using (true);
grant delete, insert, select, update on blobs to lotbook_app;
grant select on blobs to lotbook_server;

create table book_years (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  year integer not null,
  summary text not null,
  constraint book_years_pkey PRIMARY KEY (taxpayer_id, book, year)
);
CREATE INDEX book_years_of_year ON public.book_years USING btree (taxpayer_id, year);
alter table book_years enable row level security;
alter table book_years force row level security;
create policy own on book_years using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on book_years to lotbook_app;

create table books (
  taxpayer_id uuid not null,
  asset_key text collate "C" not null,
  book text collate "C" not null,
  constraint books_pkey PRIMARY KEY (taxpayer_id, asset_key)
);
CREATE INDEX books_members ON public.books USING btree (taxpayer_id, book);
alter table books enable row level security;
alter table books force row level security;
create policy own on books using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on books to lotbook_app;

create table calculations (
  taxpayer_id uuid not null,
  id uuid not null,
  status text collate "C" not null,
  asked json,
  result json,
  problem jsonb,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint calculations_pkey PRIMARY KEY (taxpayer_id, id),
  constraint calculations_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint calculations_status_check CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX calculations_running ON public.calculations USING btree (created_at) WHERE (status = 'running'::text);
alter table calculations enable row level security;
alter table calculations force row level security;
create policy own on calculations using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on calculations to lotbook_app;

create table checkpoints (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  day date not null,
  engine text collate "C" not null,
  rules text collate "C" not null,
  state bytea not null,
  lots integer not null default 0,
  days text not null default ''::text,
  constraint checkpoints_pkey PRIMARY KEY (taxpayer_id, book, day)
);
alter table checkpoints alter column state set storage external;
alter table checkpoints enable row level security;
alter table checkpoints force row level security;
create policy own on checkpoints using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on checkpoints to lotbook_app;

create table clients (
  taxpayer_id uuid not null,
  email text,
  constraint clients_pkey PRIMARY KEY (taxpayer_id),
  constraint clients_taxpayer_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
alter table clients enable row level security;
alter table clients force row level security;
create policy clients_own on clients using ((taxpayer_id = current_taxpayer()));
create policy server on clients to lotbook_server using (true);
grant insert, select on clients to lotbook_app;
grant update (email) on clients to lotbook_app;
grant insert, select on clients to lotbook_server;
grant update (email) on clients to lotbook_server;

create table contracts_1256 (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  book text collate "C" not null,
  caused_on date not null,
  on_day date not null,
  transaction_id text collate "C" not null,
  asset text collate "C" not null,
  account text collate "C" not null,
  gain numeric not null,
  constraint contracts_1256_pkey PRIMARY KEY (taxpayer_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX contracts_1256_by_day ON public.contracts_1256 USING btree (taxpayer_id, on_day);
CREATE INDEX contracts_1256_of_book ON public.contracts_1256 USING btree (taxpayer_id, book, caused_on);
alter table contracts_1256 enable row level security;
alter table contracts_1256 force row level security;
create policy own on contracts_1256 using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on contracts_1256 to lotbook_app;

create table deleted_accounts (
  user_id uuid not null,
  deleted_at timestamp with time zone not null,
  by_operator boolean not null,
  constraint deleted_accounts_pkey PRIMARY KEY (user_id)
);
grant insert, select on deleted_accounts to lotbook_server;

create table devices (
  user_id uuid not null,
  secret_hash bytea not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  failures integer not null default 0,
  has_signed_in boolean not null default true,
  constraint devices_pkey PRIMARY KEY (user_id, secret_hash),
  constraint devices_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
grant delete, insert, select, update on devices to lotbook_server;

create table digests (
  taxpayer_id uuid not null,
  user_id uuid not null,
  frequency text collate "C" not null,
  period_on date not null,
  sequence bigint not null,
  constraint digests_pkey PRIMARY KEY (taxpayer_id, user_id),
  constraint digests_taxpayer_id_user_id_fkey FOREIGN KEY (taxpayer_id, user_id) REFERENCES memberships(taxpayer_id, user_id) ON DELETE CASCADE,
  constraint digests_frequency_check CHECK ((frequency = ANY (ARRAY['daily'::text, 'weekly'::text])))
);
CREATE INDEX digests_by_period ON public.digests USING btree (period_on);
alter table digests enable row level security;
alter table digests force row level security;
create policy own_digests on digests using ((taxpayer_id = current_taxpayer()));
create policy server on digests to lotbook_server using (true);
grant delete, insert, select, update on digests to lotbook_app;
grant delete, select on digests to lotbook_server;
grant update (period_on), update (sequence) on digests to lotbook_server;

create table disposals (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  caused_on date not null,
  id text collate "C" not null,
  on_day date not null,
  sale_id text collate "C" not null,
  lot_id text collate "C" not null,
  asset text collate "C" not null,
  asset_class text collate "C" not null,
  account text collate "C" not null,
  quantity numeric not null,
  acquired date not null,
  held_since date not null,
  inherited boolean not null,
  sold date not null,
  proceeds numeric not null,
  basis numeric not null,
  term text collate "C" not null,
  box text collate "C" not null,
  box_reason text not null,
  short_sale boolean not null,
  expired text collate "C",
  code text collate "C" not null,
  adjustment numeric not null,
  basis_unknown boolean not null,
  identified text collate "C" not null,
  description text,
  acquired_various boolean not null,
  form_rows text[] not null default '{}'::text[],
  purchase_unknown boolean not null default false,
  fund_value numeric,
  form_exempt boolean not null default false
);
CREATE INDEX disposals_by_day ON public.disposals USING btree (taxpayer_id, on_day);
CREATE INDEX disposals_of_book ON public.disposals USING btree (taxpayer_id, book, caused_on);
alter table disposals enable row level security;
alter table disposals force row level security;
create policy own on disposals using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on disposals to lotbook_app;

create table edited_rows (
  taxpayer_id uuid not null,
  edit_id uuid not null,
  transaction_id uuid not null,
  before jsonb not null,
  sources jsonb not null,
  constraint edited_rows_pkey PRIMARY KEY (taxpayer_id, edit_id, transaction_id),
  constraint edited_rows_taxpayer_id_edit_id_fkey FOREIGN KEY (taxpayer_id, edit_id) REFERENCES edits(taxpayer_id, id) ON DELETE CASCADE
);
CREATE INDEX edited_rows_of ON public.edited_rows USING btree (taxpayer_id, transaction_id);
alter table edited_rows enable row level security;
alter table edited_rows force row level security;
create policy own on edited_rows using ((taxpayer_id = current_taxpayer()));
grant insert, select, update on edited_rows to lotbook_app;

create table edits (
  taxpayer_id uuid not null,
  id uuid not null,
  sequence bigint not null generated always as identity,
  action text collate "C" not null,
  created_at timestamp with time zone not null,
  undone_at timestamp with time zone,
  constraint edits_pkey PRIMARY KEY (taxpayer_id, id),
  constraint edits_taxpayer_id_sequence_key UNIQUE (taxpayer_id, sequence),
  constraint edits_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint edits_action_check CHECK ((action = ANY (ARRAY['change'::text, 'delete'::text, 'revert'::text])))
);
alter table edits enable row level security;
alter table edits force row level security;
create policy own on edits using ((taxpayer_id = current_taxpayer()));
grant insert, select, update on edits to lotbook_app;

create table gifts (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  book text collate "C" not null,
  caused_on date not null,
  on_day date not null,
  transaction_id text collate "C" not null,
  lot_id text collate "C" not null,
  type text collate "C" not null,
  asset text collate "C" not null,
  asset_class text collate "C" not null,
  account text collate "C" not null,
  quantity numeric not null,
  acquired date not null,
  held_since date not null,
  inherited boolean not null,
  basis numeric not null,
  basis_unknown boolean not null,
  term text collate "C" not null,
  value numeric,
  constraint gifts_pkey PRIMARY KEY (taxpayer_id, id) DEFERRABLE INITIALLY DEFERRED,
  constraint gifts_of_taxpayer FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
CREATE INDEX gifts_by_day ON public.gifts USING btree (taxpayer_id, on_day);
CREATE INDEX gifts_of_book ON public.gifts USING btree (taxpayer_id, book, caused_on);
alter table gifts enable row level security;
alter table gifts force row level security;
create policy own on gifts using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on gifts to lotbook_app;

create table idempotency_keys (
  taxpayer_id uuid not null,
  user_id uuid not null,
  route text collate "C" not null,
  key text collate "C" not null,
  fingerprint text collate "C",
  claim uuid not null,
  claimed_until timestamp with time zone not null,
  created_at timestamp with time zone not null,
  status integer,
  body text,
  constraint idempotency_keys_pkey PRIMARY KEY (taxpayer_id, user_id, route, key),
  constraint idempotency_keys_taxpayer_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint idempotency_keys_answer_whole CHECK (((status IS NULL) = (body IS NULL)))
);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_user ON public.idempotency_keys USING btree (user_id);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy idempotency_keys_own on idempotency_keys using ((taxpayer_id = current_taxpayer()));
create policy server on idempotency_keys to lotbook_server using (true);
grant delete, insert, select, update on idempotency_keys to lotbook_app;
grant delete on idempotency_keys to lotbook_server;
grant select (claim), select (created_at), select (key), select (route), select (status), select (taxpayer_id), select (user_id), update (body), update (fingerprint), update (status) on idempotency_keys to lotbook_server;

create table identities (
  provider text collate "C" not null,
  subject text collate "C" not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  constraint identities_pkey PRIMARY KEY (provider, subject),
  constraint identities_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint identities_provider_known CHECK ((provider = ANY (ARRAY['google'::text, 'github'::text])))
);
CREATE UNIQUE INDEX identities_user ON public.identities USING btree (user_id, provider);
grant delete, insert, select on identities to lotbook_server;

create table import_events (
  taxpayer_id uuid not null,
  import_id uuid not null,
  id bigint not null generated always as identity,
  kind text collate "C" not null,
  data jsonb not null,
  constraint import_events_pkey PRIMARY KEY (taxpayer_id, import_id, id),
  constraint import_events_taxpayer_id_import_id_fkey FOREIGN KEY (taxpayer_id, import_id) REFERENCES imports(taxpayer_id, id) ON DELETE CASCADE,
  constraint import_events_kind_check CHECK ((kind = ANY (ARRAY['progress'::text, 'books'::text, 'done'::text, 'failed'::text])))
);
alter table import_events enable row level security;
alter table import_events force row level security;
create policy own on import_events using ((taxpayer_id = current_taxpayer()));
create policy server_adds on import_events for insert to lotbook_server with check ((kind = 'failed'::text));
grant delete, insert, select, update on import_events to lotbook_app;
grant insert (data), insert (id), insert (import_id), insert (kind), insert (taxpayer_id) on import_events to lotbook_server;

create table import_groups (
  taxpayer_id uuid not null,
  import_id uuid not null,
  number integer not null,
  first_line integer not null,
  last_line integer not null,
  groups text not null,
  constraint import_groups_pkey PRIMARY KEY (taxpayer_id, import_id, number),
  constraint import_groups_taxpayer_id_import_id_fkey FOREIGN KEY (taxpayer_id, import_id) REFERENCES imports(taxpayer_id, id) ON DELETE CASCADE
);
alter table import_groups enable row level security;
alter table import_groups force row level security;
create policy own on import_groups using ((taxpayer_id = current_taxpayer()));
create policy server_deletes on import_groups for delete to lotbook_server using (true);
create policy server_reads on import_groups for select to lotbook_server using (true);
grant delete, insert, select, update on import_groups to lotbook_app;
grant delete on import_groups to lotbook_server;
grant select (import_id), select (taxpayer_id) on import_groups to lotbook_server;

create table import_mappings (
  taxpayer_id uuid not null,
  id uuid not null,
  signature text collate "C" not null,
  header text[] not null,
  mapping jsonb not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  constraint import_mappings_pkey PRIMARY KEY (taxpayer_id, id),
  constraint import_mappings_taxpayer_id_signature_key UNIQUE (taxpayer_id, signature),
  constraint import_mappings_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
alter table import_mappings enable row level security;
alter table import_mappings force row level security;
create policy own on import_mappings using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on import_mappings to lotbook_app;

create table import_rejects (
  taxpayer_id uuid not null,
  import_id uuid not null,
  id uuid not null,
  line integer not null,
  number integer not null,
  column_name text,
  code text collate "C" not null,
  reason text not null,
  cells text[] not null,
  on_day date,
  amount numeric,
  content text collate "C" not null,
  occurrence integer not null,
  words text[] collate "C" not null,
  state text collate "C" not null default 'staged'::text,
  asked_on date,
  note text not null default ''::text,
  transaction_id uuid,
  settled_at timestamp with time zone,
  accepted_as text collate "C",
  stated numeric,
  computed numeric,
  manual boolean not null default false,
  constraint import_rejects_pkey PRIMARY KEY (taxpayer_id, import_id, line, number),
  constraint import_rejects_taxpayer_id_id_key UNIQUE (taxpayer_id, id),
  constraint import_rejects_taxpayer_id_import_id_fkey FOREIGN KEY (taxpayer_id, import_id) REFERENCES imports(taxpayer_id, id) ON DELETE CASCADE
);
CREATE INDEX import_rejects_by_content ON public.import_rejects USING btree (taxpayer_id, content, occurrence);
alter table import_rejects enable row level security;
alter table import_rejects force row level security;
create policy own on import_rejects using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on import_rejects to lotbook_app;

create table import_texts (
  taxpayer_id uuid not null,
  import_id uuid not null,
  first_line integer not null,
  delimiter text not null,
  content bytea,
  blob text collate "C",
  constraint import_texts_pkey PRIMARY KEY (taxpayer_id, import_id, first_line),
  constraint import_texts_taxpayer_id_blob_fkey FOREIGN KEY (taxpayer_id, blob) REFERENCES blobs(taxpayer_id, digest),
  constraint import_texts_taxpayer_id_import_id_fkey FOREIGN KEY (taxpayer_id, import_id) REFERENCES imports(taxpayer_id, id) ON DELETE CASCADE,
  constraint import_texts_check CHECK (((content IS NULL) <> (blob IS NULL)))
);
CREATE INDEX import_texts_naming ON public.import_texts USING btree (taxpayer_id, blob) WHERE (blob IS NOT NULL);
CREATE INDEX import_texts_to_move ON public.import_texts USING btree (taxpayer_id) WHERE (blob IS NULL);
alter table import_texts alter column content set storage external;
alter table import_texts enable row level security;
alter table import_texts force row level security;
create policy own on import_texts using ((taxpayer_id = current_taxpayer()));
create policy server_deletes on import_texts for delete to lotbook_server using (true);
create policy server_reads on import_texts for select to lotbook_server using (true);
grant delete, insert, select, update on import_texts to lotbook_app;
grant delete on import_texts to lotbook_server;
grant select (blob), select (import_id), select (taxpayer_id) on import_texts to lotbook_server;

create table imports (
  taxpayer_id uuid not null,
  id uuid not null,
  sequence bigint not null generated always as identity,
  status text collate "C" not null,
  format text collate "C",
  layout text collate "C",
  file_name text,
  asked jsonb not null default '{}'::jsonb,
  header text[],
  bytes bigint not null default 0,
  rows integer not null default 0,
  imported integer not null default 0,
  duplicates integer not null default 0,
  skipped integer not null default 0,
  skips jsonb not null default '[]'::jsonb,
  warnings jsonb not null default '{"count": 0, "lines": []}'::jsonb,
  rejected integer not null default 0,
  first_day date,
  last_day date,
  years integer[] not null default '{}'::integer[],
  created_at timestamp with time zone not null,
  moved_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  store_order json,
  problem jsonb,
  text_of uuid,
  accounts jsonb,
  security_numbers jsonb not null default '[]'::jsonb,
  transactions integer,
  constraint imports_pkey PRIMARY KEY (taxpayer_id, id),
  constraint imports_taxpayer_id_sequence_key UNIQUE (taxpayer_id, sequence),
  constraint imports_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint imports_status_check CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX imports_of_text ON public.imports USING btree (taxpayer_id, text_of) WHERE (text_of IS NOT NULL);
CREATE INDEX imports_running ON public.imports USING btree (moved_at) WHERE (status = 'running'::text);
alter table imports enable row level security;
alter table imports force row level security;
create policy own on imports using ((taxpayer_id = current_taxpayer()));
create policy server_fails on imports for update to lotbook_server using ((status = 'running'::text)) with check ((status = 'failed'::text));
create policy server_reads on imports for select to lotbook_server using (true);
grant delete, insert, select, update on imports to lotbook_app;
grant select (file_name), select (id), select (moved_at), select (status), select (store_order), select (taxpayer_id), update (completed_at), update (problem), update (status) on imports to lotbook_server;

create table incomes (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  book text collate "C" not null,
  caused_on date not null,
  on_day date not null,
  transaction_id text collate "C" not null,
  type text collate "C" not null,
  asset text collate "C" not null,
  account text collate "C" not null,
  amount numeric not null,
  constraint incomes_pkey PRIMARY KEY (taxpayer_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX incomes_by_day ON public.incomes USING btree (taxpayer_id, on_day);
CREATE INDEX incomes_of_book ON public.incomes USING btree (taxpayer_id, book, caused_on);
alter table incomes enable row level security;
alter table incomes force row level security;
create policy own on incomes using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on incomes to lotbook_app;

create table invitations (
  user_id uuid not null,
  id uuid not null,
  kind text collate "C" not null,
  email text collate "C" not null,
  role text collate "C" not null,
  books_id uuid,
  replaced_id uuid,
  state text collate "C" not null default 'open'::text,
  mails integer not null default 1,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  constraint invitations_pkey PRIMARY KEY (user_id, id),
  constraint invitations_id_key UNIQUE (id),
  constraint invitations_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint invitations_books_known CHECK (((kind = 'request'::text) = (books_id IS NULL))),
  constraint invitations_handover_whole CHECK (((kind = 'handover'::text) = (role = 'manager'::text))),
  constraint invitations_kind_known CHECK ((kind = ANY (ARRAY['request'::text, 'offer'::text, 'handover'::text, 'ownership'::text]))),
  constraint invitations_role_known CHECK ((role = ANY (ARRAY['viewer'::text, 'preparer'::text, 'reviewer'::text, 'manager'::text]))),
  constraint invitations_state_known CHECK ((state = ANY (ARRAY['open'::text, 'accepted'::text, 'declined'::text, 'withdrawn'::text])))
);
CREATE INDEX invitations_of_books ON public.invitations USING btree (books_id) WHERE (books_id IS NOT NULL);
CREATE INDEX invitations_of_email ON public.invitations USING btree (email, created_at);
grant delete, insert, select on invitations to lotbook_server;
grant update (expires_at), update (mails), update (settled_at), update (state) on invitations to lotbook_server;

create table issues (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  book text collate "C" not null,
  caused_on date not null,
  on_day date not null,
  issue text collate "C" not null,
  asset text collate "C" not null,
  account text collate "C" not null,
  transactions text[] collate "C" not null,
  dollars numeric,
  detail text not null,
  other_years text[] collate "C" not null default '{}'::text[],
  units numeric,
  closes_on date,
  constraint issues_pkey PRIMARY KEY (taxpayer_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX issues_by_day ON public.issues USING btree (taxpayer_id, on_day);
CREATE INDEX issues_of_book ON public.issues USING btree (taxpayer_id, book, caused_on);
alter table issues enable row level security;
alter table issues force row level security;
create policy own on issues using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on issues to lotbook_app;

create table ledgers (
  taxpayer_id uuid not null,
  content numeric not null,
  engine text collate "C",
  through date,
  constraint ledgers_pkey PRIMARY KEY (taxpayer_id),
  constraint ledgers_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
alter table ledgers enable row level security;
alter table ledgers force row level security;
create policy own on ledgers using ((taxpayer_id = current_taxpayer()));
create policy server_reads on ledgers for select to lotbook_server using (true);
grant delete, insert, select, update on ledgers to lotbook_app;
grant select (content), select (engine), select (taxpayer_id), update (content) on ledgers to lotbook_server;

create table locked_lines (
  taxpayer_id uuid not null,
  digest text collate "C" not null,
  part integer not null,
  content bytea not null,
  constraint locked_lines_pkey PRIMARY KEY (taxpayer_id, digest, part),
  constraint locked_lines_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
alter table locked_lines enable row level security;
alter table locked_lines force row level security;
create policy own on locked_lines using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select on locked_lines to lotbook_app;

create table lot_versions (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  id text collate "C" not null,
  valid_from date,
  valid_to date not null,
  state text not null,
  constraint lot_versions_pkey PRIMARY KEY (taxpayer_id, book, valid_to, id)
);
alter table lot_versions enable row level security;
alter table lot_versions force row level security;
create policy own on lot_versions using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on lot_versions to lotbook_app;

create table lots (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  book text collate "C" not null,
  asset_key text collate "C" not null default ''::text,
  asset text collate "C" not null,
  asset_class text collate "C" not null,
  account text collate "C" not null,
  sequence bigint not null default 0,
  label text collate "C" not null default ''::text,
  quantity numeric not null,
  basis numeric not null,
  unit_cost numeric,
  acquired date not null,
  held_since date not null,
  purchased_on date,
  inherited boolean not null,
  valid_from date,
  state text not null default ''::text,
  purchase_unknown boolean not null default false,
  constraint lots_pkey PRIMARY KEY (taxpayer_id, id)
);
CREATE INDEX lots_by_age ON public.lots USING btree (taxpayer_id, acquired, id);
CREATE INDEX lots_by_change ON public.lots USING btree (taxpayer_id, book, valid_from) WHERE (valid_from IS NOT NULL);
CREATE INDEX lots_by_cost ON public.lots USING btree (taxpayer_id, book, asset_key, account, unit_cost) WHERE (unit_cost IS NOT NULL);
CREATE INDEX lots_by_label ON public.lots USING btree (taxpayer_id, book, label) WHERE (label <> ''::text);
CREATE INDEX lots_by_purchase ON public.lots USING btree (taxpayer_id, book, purchased_on) WHERE (purchased_on IS NOT NULL);
CREATE INDEX lots_in_order ON public.lots USING btree (taxpayer_id, book, asset_key, account, acquired, sequence);
alter table lots enable row level security;
alter table lots force row level security;
create policy own on lots using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on lots to lotbook_app;

create table memberships (
  taxpayer_id uuid not null,
  user_id uuid not null,
  role text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  constraint memberships_pkey PRIMARY KEY (taxpayer_id, user_id),
  constraint memberships_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint memberships_role_known CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'reviewer'::text, 'preparer'::text, 'viewer'::text])))
);
CREATE INDEX memberships_user ON public.memberships USING btree (user_id);
alter table memberships enable row level security;
alter table memberships force row level security;
create policy memberships_own on memberships using ((taxpayer_id = current_taxpayer()));
create policy server_adds on memberships for insert to lotbook_server with check (true);
create policy server_changes on memberships for update to lotbook_server using ((role <> 'owner'::text)) with check ((role <> 'owner'::text));
create policy server_reads on memberships for select to lotbook_server using (true);
create policy server_removes on memberships for delete to lotbook_server using (((role <> 'owner'::text) OR (taxpayer_id = current_taxpayer())));
grant select on memberships to lotbook_app;
grant delete, insert, select on memberships to lotbook_server;
grant update (role) on memberships to lotbook_server;

create table messages (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  sequence bigint not null generated always as identity,
  role text collate "C" not null,
  content text not null,
  citations jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null,
  constraint messages_pkey PRIMARY KEY (taxpayer_id, id),
  constraint messages_taxpayer_id_sequence_key UNIQUE (taxpayer_id, sequence),
  constraint messages_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text])))
);
alter table messages enable row level security;
alter table messages force row level security;
create policy own_messages on messages using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on messages to lotbook_app;

create table muted_notifications (
  taxpayer_id uuid not null,
  kind text collate "C" not null,
  constraint muted_notifications_pkey PRIMARY KEY (taxpayer_id, kind),
  constraint muted_notifications_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
alter table muted_notifications enable row level security;
alter table muted_notifications force row level security;
create policy own_muted_notifications on muted_notifications using ((taxpayer_id = current_taxpayer()));
create policy server_reads on muted_notifications for select to lotbook_server using (true);
grant delete, insert, select on muted_notifications to lotbook_app;
grant select on muted_notifications to lotbook_server;

create table notifications (
  taxpayer_id uuid not null,
  sequence bigint not null,
  kind text collate "C" not null,
  title text not null,
  body text not null,
  link text,
  created_at timestamp with time zone not null,
  read_at timestamp with time zone,
  constraint notifications_pkey PRIMARY KEY (taxpayer_id, sequence),
  constraint notifications_taxpayer_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
alter table notifications enable row level security;
alter table notifications force row level security;
create policy notifications_own on notifications using ((taxpayer_id = current_taxpayer()));
create policy server_adds on notifications for insert to lotbook_server with check ((kind = ANY (ARRAY['import_failed'::text, 'access_changed'::text, 'review_changed'::text, 'note_changed'::text, 'plan_changed'::text, 'new_sign_in'::text, 'sign_in_guesses'::text])));
create policy server_reads on notifications for select to lotbook_server using (true);
grant insert, select, update on notifications to lotbook_app;
grant insert (body), insert (created_at), insert (kind), insert (link), insert (sequence), insert (taxpayer_id), insert (title), select (sequence), select (taxpayer_id) on notifications to lotbook_server;

create table notified_subjects (
  taxpayer_id uuid not null,
  kind text collate "C" not null,
  subject text collate "C" not null,
  until_on date not null,
  constraint notified_subjects_pkey PRIMARY KEY (taxpayer_id, kind, subject),
  constraint notified_subjects_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
alter table notified_subjects enable row level security;
alter table notified_subjects force row level security;
create policy own_notified_subjects on notified_subjects using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select on notified_subjects to lotbook_app;

create table one_time_tokens (
  kind text collate "C" not null,
  token_hash bytea not null,
  user_id uuid,
  payload jsonb not null,
  stamp integer,
  expires_at timestamp with time zone not null,
  constraint one_time_tokens_pkey PRIMARY KEY (token_hash),
  constraint one_time_tokens_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint one_time_tokens_stamp_of_user CHECK (((stamp IS NULL) OR (user_id IS NOT NULL)))
);
CREATE INDEX one_time_tokens_expires ON public.one_time_tokens USING btree (expires_at);
CREATE INDEX one_time_tokens_previous_email ON public.one_time_tokens USING btree (((payload ->> 'email'::text))) WHERE (kind = 'email_undo'::text);
CREATE INDEX one_time_tokens_user ON public.one_time_tokens USING btree (user_id, kind);
grant delete, insert, select on one_time_tokens to lotbook_server;

create table passkeys (
  user_id uuid not null,
  id uuid not null,
  credential_id text collate "C" not null,
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  is_synced boolean not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (user_id, id),
  constraint passkeys_credential_key UNIQUE (credential_id),
  constraint passkeys_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
grant delete, insert, select, update on passkeys to lotbook_server;

create table possible_duplicates (
  taxpayer_id uuid not null,
  id uuid not null,
  import_id uuid not null,
  transaction_id uuid not null,
  other_id uuid not null,
  detail text not null,
  dismissed_at timestamp with time zone,
  kind text collate "C" not null default 'files'::text,
  constraint possible_duplicates_pkey PRIMARY KEY (taxpayer_id, id),
  constraint possible_duplicates_taxpayer_id_transaction_id_other_id_key UNIQUE (taxpayer_id, transaction_id, other_id),
  constraint possible_duplicates_taxpayer_id_import_id_fkey FOREIGN KEY (taxpayer_id, import_id) REFERENCES imports(taxpayer_id, id) ON DELETE CASCADE,
  constraint possible_duplicates_kind_known CHECK ((kind = ANY (ARRAY['files'::text, 'names'::text])))
);
CREATE INDEX possible_duplicates_of ON public.possible_duplicates USING btree (taxpayer_id, other_id);
alter table possible_duplicates enable row level security;
alter table possible_duplicates force row level security;
create policy own on possible_duplicates using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on possible_duplicates to lotbook_app;

create table prices (
  taxpayer_id uuid not null,
  asset text collate "C" not null,
  day date not null,
  usd numeric not null,
  created_at timestamp with time zone not null,
  constraint prices_pkey PRIMARY KEY (taxpayer_id, asset, day),
  constraint prices_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
alter table prices enable row level security;
alter table prices force row level security;
create policy own on prices using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on prices to lotbook_app;

create table proposed_rows (
  taxpayer_id uuid not null,
  import_id uuid not null,
  id uuid not null,
  transaction_id uuid not null,
  line integer not null,
  place integer not null,
  edition text collate "C" not null,
  content jsonb not null,
  constraint proposed_rows_pkey PRIMARY KEY (taxpayer_id, import_id, id),
  constraint proposed_rows_taxpayer_id_import_id_fkey FOREIGN KEY (taxpayer_id, import_id) REFERENCES imports(taxpayer_id, id) ON DELETE CASCADE
);
CREATE INDEX proposed_rows_by_id ON public.proposed_rows USING btree (taxpayer_id, id);
CREATE INDEX proposed_rows_of ON public.proposed_rows USING btree (taxpayer_id, transaction_id);
alter table proposed_rows enable row level security;
alter table proposed_rows force row level security;
create policy own on proposed_rows using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on proposed_rows to lotbook_app;

create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
grant delete, insert, select, update on recovery_codes to lotbook_server;

create table report_books (
  taxpayer_id uuid not null,
  digest text collate "C" not null,
  part integer not null,
  content bytea,
  blob text collate "C",
  constraint report_books_pkey PRIMARY KEY (taxpayer_id, digest, part),
  constraint report_books_taxpayer_id_blob_fkey FOREIGN KEY (taxpayer_id, blob) REFERENCES blobs(taxpayer_id, digest),
  constraint report_books_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint report_books_check CHECK (((content IS NULL) <> (blob IS NULL)))
);
CREATE INDEX report_books_naming ON public.report_books USING btree (taxpayer_id, blob) WHERE (blob IS NOT NULL);
CREATE INDEX report_books_to_move ON public.report_books USING btree (taxpayer_id) WHERE (blob IS NULL);
alter table report_books enable row level security;
alter table report_books force row level security;
create policy own_report_books on report_books using ((taxpayer_id = current_taxpayer()));
create policy server_reads on report_books for select to lotbook_server using (true);
grant delete, insert, select, update on report_books to lotbook_app;
grant select (blob), select (taxpayer_id) on report_books to lotbook_server;

create table reports (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  sequence bigint not null generated always as identity,
  year integer not null,
  revision text collate "C" not null,
  as_of text collate "C" not null,
  digest text collate "C" not null,
  printed_for text collate "C" not null,
  created_at timestamp with time zone not null,
  constraint reports_pkey PRIMARY KEY (taxpayer_id, id),
  constraint reports_taxpayer_id_sequence_key UNIQUE (taxpayer_id, sequence),
  constraint reports_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
CREATE INDEX reports_by_digest ON public.reports USING btree (taxpayer_id, digest);
CREATE INDEX reports_by_year ON public.reports USING btree (taxpayer_id, year, sequence);
alter table reports enable row level security;
alter table reports force row level security;
create policy own_reports on reports using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on reports to lotbook_app;

create table resolutions (
  taxpayer_id uuid not null,
  id uuid not null,
  sequence bigint not null generated always as identity,
  issue_id text collate "C" not null,
  action text collate "C" not null,
  transaction_id uuid not null,
  other_id uuid,
  added_id uuid,
  given jsonb not null,
  note text not null,
  issue jsonb not null,
  row_content jsonb,
  asset_key text collate "C" not null,
  from_day date not null,
  created_at timestamp with time zone not null,
  digest bigint not null generated always as (hashtextextended(((((((issue_id || '/'::text) || action) || '/'::text) || COALESCE((other_id)::text, ''::text)) || '/'::text) || (given)::text), (6)::bigint)) stored,
  constraint resolutions_pkey PRIMARY KEY (taxpayer_id, id),
  constraint resolutions_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint resolutions_action_check CHECK ((action = ANY (ARRAY['basis'::text, 'pair'::text, 'value'::text, 'class'::text, 'replace'::text, 'add'::text, 'accept'::text])))
);
CREATE INDEX resolutions_of_issue ON public.resolutions USING btree (taxpayer_id, issue_id);
alter table resolutions enable row level security;
alter table resolutions force row level security;
create policy own on resolutions using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on resolutions to lotbook_app;
CREATE TRIGGER resolutions_removed AFTER DELETE ON public.resolutions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_digests();
CREATE TRIGGER resolutions_stored AFTER INSERT ON public.resolutions REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_digests();

create table review_notes (
  taxpayer_id uuid not null,
  id uuid not null,
  sequence bigint not null generated always as identity,
  year integer not null,
  disposal_id text collate "C",
  line text,
  text text not null,
  user_id uuid not null,
  user_name text not null,
  created_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  resolved_by text,
  constraint review_notes_pkey PRIMARY KEY (taxpayer_id, id),
  constraint review_notes_taxpayer_id_sequence_key UNIQUE (taxpayer_id, sequence),
  constraint review_notes_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
CREATE INDEX review_notes_of_year ON public.review_notes USING btree (taxpayer_id, year, sequence);
alter table review_notes enable row level security;
alter table review_notes force row level security;
create policy own on review_notes using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on review_notes to lotbook_app;

create table review_steps (
  taxpayer_id uuid not null,
  sequence bigint not null generated always as identity,
  year integer not null,
  state text collate "C" not null,
  user_id uuid not null,
  user_name text not null,
  at timestamp with time zone not null,
  digest text collate "C" not null,
  constraint review_steps_pkey PRIMARY KEY (taxpayer_id, sequence),
  constraint review_steps_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint review_steps_state_check CHECK ((state = ANY (ARRAY['open'::text, 'prepared'::text, 'reviewed'::text, 'signed_off'::text])))
);
CREATE INDEX review_steps_of_year ON public.review_steps USING btree (taxpayer_id, year, sequence);
alter table review_steps enable row level security;
alter table review_steps force row level security;
create policy own on review_steps using ((taxpayer_id = current_taxpayer()));
grant insert, select on review_steps to lotbook_app;

create table row_aliases (
  taxpayer_id uuid not null,
  alias_id uuid not null,
  transaction_id uuid not null,
  external_id text collate "C" not null default ''::text,
  constraint row_aliases_pkey PRIMARY KEY (taxpayer_id, alias_id),
  constraint row_aliases_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
CREATE INDEX row_aliases_of ON public.row_aliases USING btree (taxpayer_id, transaction_id);
alter table row_aliases enable row level security;
alter table row_aliases force row level security;
create policy own on row_aliases using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on row_aliases to lotbook_app;

create table server_secrets (
  name text collate "C" not null,
  secret bytea not null,
  constraint server_secrets_pkey PRIMARY KEY (name)
);
grant insert, select on server_secrets to lotbook_server;

create table sessions (
  id text collate "C" not null,
  user_id uuid not null,
  secret_hash bytea not null,
  device text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  proved_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  failures integer not null default 0,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id, created_at);
grant delete, insert, select, update on sessions to lotbook_server;

create table shared_prices (
  asset text collate "C" not null,
  day date not null,
  source text collate "C" not null,
  usd numeric not null,
  created_at timestamp with time zone not null,
  constraint shared_prices_pkey PRIMARY KEY (asset, day, source)
);
grant insert, select on shared_prices to lotbook_server;

create table sign_in_failures (
  taxpayer_id uuid not null,
  hour timestamp with time zone not null,
  network text collate "C" not null,
  action text collate "C" not null,
  way text collate "C" not null,
  sequence bigint not null,
  tries integer not null,
  last_at timestamp with time zone not null,
  constraint sign_in_failures_pkey PRIMARY KEY (taxpayer_id, hour, network, action, way),
  constraint sign_in_failures_entry_key UNIQUE (taxpayer_id, sequence),
  constraint sign_in_failures_entry_fkey FOREIGN KEY (taxpayer_id, sequence) REFERENCES audit_entries(taxpayer_id, sequence) ON DELETE CASCADE
);
alter table sign_in_failures enable row level security;
alter table sign_in_failures force row level security;
create policy sign_in_failures_own on sign_in_failures using ((taxpayer_id = current_taxpayer()));
grant insert, select on sign_in_failures to lotbook_app;
grant update (last_at), update (tries) on sign_in_failures to lotbook_app;

create table staged (
  taxpayer_id uuid not null,
  import_id uuid not null,
  number integer not null,
  id uuid not null,
  fingerprint bytea not null,
  occurrence integer not null default 1,
  repeated boolean not null,
  type text collate "C" not null,
  at timestamp with time zone,
  on_day date not null,
  time_zone text collate "C",
  account text collate "C" not null,
  asset text collate "C" not null,
  asset_class text collate "C" not null,
  stated_class text collate "C",
  source_class text collate "C",
  quantity numeric,
  amount numeric,
  fee numeric,
  currency text collate "C" not null,
  received_asset text collate "C" not null,
  received_quantity numeric,
  fee_asset text collate "C" not null,
  fee_quantity numeric,
  fee_own numeric,
  to_account text collate "C" not null,
  acquired date,
  basis numeric,
  fmv numeric,
  ratio_numerator numeric,
  ratio_denominator numeric,
  lots text collate "C" not null,
  identified_at timestamp with time zone,
  shares numeric,
  underlying text collate "C" not null,
  option_right text collate "C",
  box text collate "C",
  wash numeric,
  term text collate "C",
  external_id text collate "C" not null,
  note text not null,
  line integer not null,
  lines integer not null default 1,
  asset_key text collate "C" not null,
  second_key text collate "C",
  third_key text collate "C",
  fourth_key text collate "C",
  links text collate "C",
  earlier text collate "C",
  maturity date,
  accrued_interest numeric,
  market_discount numeric,
  stated_gain numeric,
  stated_names text collate "C"
);
CREATE INDEX staged_of_book ON public.staged USING btree (taxpayer_id, import_id, asset_key);
alter table staged set unlogged;
alter table staged enable row level security;
alter table staged force row level security;
create policy own on staged using ((taxpayer_id = current_taxpayer()));
create policy server_deletes on staged for delete to lotbook_server using (true);
create policy server_reads on staged for select to lotbook_server using (true);
grant delete, insert, select, update on staged to lotbook_app;
grant delete on staged to lotbook_server;
grant select (import_id), select (taxpayer_id) on staged to lotbook_server;

create table stripe_events (
  id text collate "C" not null,
  received_at timestamp with time zone not null default now(),
  constraint stripe_events_pkey PRIMARY KEY (id)
);
grant delete, insert, select on stripe_events to lotbook_server;

create table subscriptions (
  user_id uuid not null,
  customer text collate "C" not null,
  standing text collate "C",
  ends boolean not null default false,
  period_ends_at timestamp with time zone,
  constraint subscriptions_pkey PRIMARY KEY (user_id),
  constraint subscriptions_customer_key UNIQUE (customer),
  constraint subscriptions_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint subscriptions_standing_known CHECK ((standing = ANY (ARRAY['paid'::text, 'payment_due'::text, 'ended'::text])))
);
grant insert, select, update on subscriptions to lotbook_server;

create table taxpayers (
  id uuid not null,
  created_by uuid not null,
  name text not null default ''::text,
  taxpayer_name text not null default ''::text,
  tin text not null default ''::text,
  time_zone text collate "C" not null default 'UTC'::text,
  settings jsonb not null default '{}'::jsonb,
  revision bigint not null default 0,
  transactions_stored integer not null default 0,
  id_key bytea not null default (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
  created_at timestamp with time zone not null default now(),
  constraint taxpayers_pkey PRIMARY KEY (id),
  constraint taxpayers_transactions_stored_known CHECK ((transactions_stored >= 0))
);
CREATE INDEX taxpayers_created_by ON public.taxpayers USING btree (created_by);
alter table taxpayers enable row level security;
alter table taxpayers force row level security;
create policy server on taxpayers to lotbook_server using (true);
create policy taxpayers_own on taxpayers using ((id = current_taxpayer()));
grant select, update on taxpayers to lotbook_app;
grant delete on taxpayers to lotbook_server;
grant insert (created_at), insert (created_by), insert (id), insert (id_key), insert (name), insert (revision), insert (settings), insert (taxpayer_name), insert (time_zone), insert (tin), insert (transactions_stored), select (created_at), select (created_by), select (id), select (name), select (revision), select (taxpayer_name), select (time_zone), select (tin), select (transactions_stored), update (created_by), update (name) on taxpayers to lotbook_server;
CREATE TRIGGER taxpayers_forgotten BEFORE DELETE ON public.taxpayers FOR EACH ROW EXECUTE FUNCTION forget_ledger();

create table totp_keys (
  user_id uuid not null,
  sealed bytea not null,
  key_id text collate "C" not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  constraint totp_keys_pkey PRIMARY KEY (user_id),
  constraint totp_keys_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
grant delete, insert, select, update on totp_keys to lotbook_server;

create table transaction_sources (
  taxpayer_id uuid not null,
  import_id uuid not null,
  transaction_id uuid not null,
  line integer not null,
  place integer not null,
  time_zone text collate "C",
  stated_class text collate "C",
  source_class text collate "C",
  constraint transaction_sources_pkey PRIMARY KEY (taxpayer_id, import_id, transaction_id)
);
CREATE INDEX transaction_sources_of ON public.transaction_sources USING btree (taxpayer_id, transaction_id);
alter table transaction_sources enable row level security;
alter table transaction_sources force row level security;
create policy own on transaction_sources using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on transaction_sources to lotbook_app;

create table transactions (
  taxpayer_id uuid not null,
  id uuid not null,
  fingerprint bytea,
  occurrence integer,
  type text collate "C" not null,
  at timestamp with time zone,
  on_day date not null,
  time_zone text collate "C",
  account text collate "C" not null,
  asset text collate "C" not null,
  asset_class text collate "C" not null,
  stated_class text collate "C",
  source_class text collate "C",
  quantity numeric,
  amount numeric,
  fee numeric,
  currency text collate "C" not null,
  received_asset text collate "C" not null default ''::text,
  received_quantity numeric,
  fee_asset text collate "C" not null default ''::text,
  fee_quantity numeric,
  fee_own numeric,
  to_account text collate "C" not null default ''::text,
  acquired date,
  basis numeric,
  fmv numeric,
  ratio_numerator numeric,
  ratio_denominator numeric,
  lots text collate "C" not null default ''::text,
  identified_at timestamp with time zone,
  shares numeric,
  underlying text collate "C" not null default ''::text,
  option_right text collate "C",
  box text collate "C",
  wash numeric,
  term text collate "C",
  external_id text collate "C" not null default ''::text,
  note text not null default ''::text,
  import_id uuid,
  source_line integer,
  line integer not null,
  asset_key text collate "C" not null,
  second_key text collate "C",
  third_key text collate "C",
  fourth_key text collate "C",
  links text collate "C",
  edition text collate "C",
  created_at timestamp with time zone not null,
  moment timestamp with time zone not null generated always as (COALESCE(at, ((on_day)::timestamp without time zone AT TIME ZONE 'UTC'::text))) stored,
  digest bigint not null generated always as (hashtextextended((((((((((id)::text || '/'::text) || (line)::text) || '/'::text) || asset_class) || '/'::text) || ((on_day - '2000-01-01'::date))::text) || '/'::text) || COALESCE(edition, ''::text)), (0)::bigint)) stored,
  maturity date,
  accrued_interest numeric,
  market_discount numeric,
  stated_gain numeric,
  stated_names text collate "C",
  constraint transactions_pkey PRIMARY KEY (taxpayer_id, id)
);
CREATE INDEX transactions_by_day ON public.transactions USING btree (taxpayer_id, on_day, moment, id);
CREATE INDEX transactions_by_hand ON public.transactions USING btree (taxpayer_id) WHERE (import_id IS NULL);
CREATE INDEX transactions_joining ON public.transactions USING btree (taxpayer_id) WHERE (links IS NOT NULL);
CREATE INDEX transactions_of_book ON public.transactions USING btree (taxpayer_id, asset_key, on_day);
CREATE INDEX transactions_of_forms ON public.transactions USING btree (taxpayer_id, on_day) WHERE (type = ANY (ARRAY['reported_sale'::text, 'reported_total'::text]));
CREATE INDEX transactions_of_fourth ON public.transactions USING btree (taxpayer_id, fourth_key, on_day) WHERE (fourth_key IS NOT NULL);
CREATE INDEX transactions_of_second ON public.transactions USING btree (taxpayer_id, second_key, on_day) WHERE (second_key IS NOT NULL);
CREATE INDEX transactions_of_third ON public.transactions USING btree (taxpayer_id, third_key, on_day) WHERE (third_key IS NOT NULL);
CREATE INDEX transactions_stating_gains ON public.transactions USING btree (taxpayer_id, asset) WHERE (stated_gain IS NOT NULL);
CREATE INDEX transactions_to_value ON public.transactions USING btree (taxpayer_id, asset_key, on_day) WHERE ((currency <> 'USD'::text) OR ((amount IS NULL) AND (type = ANY (ARRAY['trade'::text, 'buy'::text, 'sell'::text, 'spend'::text, 'fee'::text, 'dividend'::text, 'interest'::text, 'staking'::text, 'mining'::text, 'airdrop'::text, 'reward'::text, 'wages'::text, 'other_income'::text, 'reinvest'::text]))) OR ((fee IS NULL) AND (fee_asset <> ''::text)) OR ((fmv IS NULL) AND (type = 'inherit'::text)));
CREATE INDEX transactions_worthless ON public.transactions USING btree (taxpayer_id) WHERE (type = 'worthless'::text);
alter table transactions enable row level security;
alter table transactions force row level security;
create policy own on transactions using ((taxpayer_id = current_taxpayer()));
create policy server_reads on transactions for select to lotbook_server using (true);
grant delete, insert, select, update on transactions to lotbook_app;
grant select (amount), select (asset), select (currency), select (fee), select (fee_asset), select (fmv), select (id), select (received_asset), select (taxpayer_id), select (type) on transactions to lotbook_server;
CREATE TRIGGER transactions_changed AFTER UPDATE ON public.transactions REFERENCING OLD TABLE AS gone NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_digests();
CREATE TRIGGER transactions_removed AFTER DELETE ON public.transactions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_digests();
CREATE TRIGGER transactions_stored AFTER INSERT ON public.transactions REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_digests();

create table undone_imports (
  taxpayer_id uuid not null,
  id uuid not null,
  undone_at timestamp with time zone not null,
  bytes bigint not null,
  view jsonb not null,
  transaction_ids uuid[] not null,
  transactions integer not null default 0,
  remaining text collate "C" not null default ''::text,
  constraint undone_imports_pkey PRIMARY KEY (taxpayer_id, id),
  constraint undone_imports_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
CREATE INDEX undone_imports_at ON public.undone_imports USING btree (undone_at);
alter table undone_imports enable row level security;
alter table undone_imports force row level security;
create policy own on undone_imports using ((taxpayer_id = current_taxpayer()));
create policy server_reads on undone_imports for select to lotbook_server using (true);
grant delete, insert, select, update on undone_imports to lotbook_app;
grant select (id), select (taxpayer_id), select (undone_at) on undone_imports to lotbook_server;

create table undone_rows (
  taxpayer_id uuid not null,
  import_id uuid not null,
  relation text collate "C" not null,
  number integer not null,
  content text[] not null,
  constraint undone_rows_pkey PRIMARY KEY (taxpayer_id, import_id, relation, number),
  constraint undone_rows_of_import FOREIGN KEY (taxpayer_id, import_id) REFERENCES undone_imports(taxpayer_id, id) ON DELETE CASCADE
);
alter table undone_rows enable row level security;
alter table undone_rows force row level security;
create policy own on undone_rows using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select on undone_rows to lotbook_app;

create table undone_texts (
  taxpayer_id uuid not null,
  import_id uuid not null,
  first_line integer not null,
  delimiter text not null,
  content bytea,
  blob text collate "C",
  constraint undone_texts_pkey PRIMARY KEY (taxpayer_id, import_id, first_line),
  constraint undone_texts_blob_fkey FOREIGN KEY (taxpayer_id, blob) REFERENCES blobs(taxpayer_id, digest),
  constraint undone_texts_of_import FOREIGN KEY (taxpayer_id, import_id) REFERENCES undone_imports(taxpayer_id, id) ON DELETE CASCADE,
  constraint undone_texts_check CHECK (((content IS NULL) <> (blob IS NULL)))
);
CREATE INDEX undone_texts_naming ON public.undone_texts USING btree (taxpayer_id, blob) WHERE (blob IS NOT NULL);
CREATE INDEX undone_texts_to_move ON public.undone_texts USING btree (taxpayer_id) WHERE (blob IS NULL);
alter table undone_texts alter column content set storage external;
alter table undone_texts enable row level security;
alter table undone_texts force row level security;
create policy own on undone_texts using ((taxpayer_id = current_taxpayer()));
create policy server_reads on undone_texts for select to lotbook_server using (true);
grant delete, insert, select, update on undone_texts to lotbook_app;
grant select (blob), select (import_id), select (taxpayer_id) on undone_texts to lotbook_server;

create table users (
  id uuid not null,
  email text collate "C",
  email_verified_at timestamp with time zone,
  password_hash text,
  name text not null default ''::text,
  plan text collate "C" not null default 'FREE'::text,
  is_demo boolean not null default false,
  created_at timestamp with time zone not null default now(),
  stamp integer not null default 0,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email),
  constraint users_email_lower CHECK ((email = lower(email))),
  constraint users_plan_known CHECK ((plan = ANY (ARRAY['FREE'::text, 'PRO'::text, 'CPA'::text])))
);
grant delete, insert, select, update on users to lotbook_server;

create table valuations (
  taxpayer_id uuid not null,
  transaction_id uuid not null,
  figure text collate "C" not null,
  asset text collate "C" not null,
  day date not null,
  usd numeric not null,
  source text collate "C" not null,
  asset_key text collate "C" not null,
  on_day date not null,
  digest bigint not null generated always as (hashtextextended((((((((((((transaction_id)::text || '/'::text) || figure) || '/'::text) || asset) || '/'::text) || ((day - '2000-01-01'::date))::text) || '/'::text) || (trim_scale(usd))::text) || '/'::text) || source), (5)::bigint)) stored,
  constraint valuations_pkey PRIMARY KEY (taxpayer_id, transaction_id, figure),
  constraint valuations_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE
);
CREATE INDEX valuations_of_key ON public.valuations USING btree (taxpayer_id, asset_key, on_day);
alter table valuations enable row level security;
alter table valuations force row level security;
create policy own on valuations using ((taxpayer_id = current_taxpayer()));
create policy server_reads on valuations for select to lotbook_server using (true);
grant delete, insert, select, update on valuations to lotbook_app;
grant select (taxpayer_id), select (transaction_id) on valuations to lotbook_server;
CREATE TRIGGER valuations_changed AFTER UPDATE ON public.valuations REFERENCING OLD TABLE AS gone NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_digests();
CREATE TRIGGER valuations_removed AFTER DELETE ON public.valuations REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_digests();
CREATE TRIGGER valuations_stored AFTER INSERT ON public.valuations REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_digests();

create table wash_sales (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  caused_on date not null,
  id text collate "C" not null,
  on_day date not null,
  disposal_id text collate "C" not null,
  replacement_lot_id text collate "C" not null,
  replacement_transaction_id text collate "C" not null,
  quantity numeric not null,
  disallowed numeric not null,
  permanent boolean not null
);
CREATE INDEX wash_sales_by_day ON public.wash_sales USING btree (taxpayer_id, on_day);
CREATE INDEX wash_sales_of_book ON public.wash_sales USING btree (taxpayer_id, book, caused_on);
alter table wash_sales enable row level security;
alter table wash_sales force row level security;
create policy own on wash_sales using ((taxpayer_id = current_taxpayer()));
grant delete, insert, select, update on wash_sales to lotbook_app;

create table wrong_guesses (
  bucket text collate "C" not null,
  level double precision not null,
  counted_at timestamp with time zone not null,
  constraint wrong_guesses_pkey PRIMARY KEY (bucket)
);
CREATE INDEX wrong_guesses_by_age ON public.wrong_guesses USING btree (counted_at);
grant delete, insert, select, update on wrong_guesses to lotbook_server;

create table year_locks (
  taxpayer_id uuid not null,
  sequence bigint not null generated always as identity,
  id uuid not null,
  year integer not null,
  action text collate "C" not null,
  user_id uuid not null,
  user_name text not null,
  at timestamp with time zone not null,
  lines integer not null,
  digest text collate "C" not null,
  revision bigint not null,
  constraint year_locks_pkey PRIMARY KEY (taxpayer_id, sequence),
  constraint year_locks_taxpayer_id_id_key UNIQUE (taxpayer_id, id),
  constraint year_locks_taxpayer_id_fkey FOREIGN KEY (taxpayer_id) REFERENCES taxpayers(id) ON DELETE CASCADE,
  constraint year_locks_action_check CHECK ((action = ANY (ARRAY['lock'::text, 'unlock'::text])))
);
CREATE INDEX year_locks_of_year ON public.year_locks USING btree (taxpayer_id, year, sequence);
alter table year_locks enable row level security;
alter table year_locks force row level security;
create policy own on year_locks using ((taxpayer_id = current_taxpayer()));
grant insert, select on year_locks to lotbook_app;

create table year_summaries (
  taxpayer_id uuid not null,
  year integer not null,
  summary text not null,
  carryover text not null,
  constraint year_summaries_pkey PRIMARY KEY (taxpayer_id, year)
);
alter table year_summaries enable row level security;
alter table year_summaries force row level security;
create policy own on year_summaries using ((taxpayer_id = current_taxpayer()));
create policy server_reads on year_summaries for select to lotbook_server using (true);
grant delete, insert, select, update on year_summaries to lotbook_app;
grant select (taxpayer_id), select (year) on year_summaries to lotbook_server;
