-- Balances that the taxpayer states: so many units of an asset in an account at the end of a day.

create table balances (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  id uuid not null,
  account text collate "C" not null,
  asset text collate "C" not null,
  on_day date not null,
  -- With the decimals that the statement has: others may be left out.
  quantity numeric not null,
  -- `hand`, `file` for a file of positions, or `import` for the balances that imports state: see balance_sources.
  source text collate "C" not null check (source in ('hand', 'file', 'import')),
  -- Rows until then count, in microseconds since 1970. Null: those of the whole day.
  counted_until bigint,
  -- The account may hold more, in parts that the file does not show.
  is_least boolean not null default false,
  created_at timestamptz not null,
  -- An issue follows from it, so its digest counts among those of the ledger.
  digest bigint not null generated always as (
    hashtextextended(
      account || E'\n' || asset || E'\n' || (on_day - date '2000-01-01')::text || E'\n' || quantity::text
        || coalesce(E'\n' || counted_until::text, '') || case when is_least then E'\nleast' else '' end,
      7
    )
  ) stored,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, account, asset, on_day)
);
alter table balances enable row level security, force row level security;
create policy own on balances using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on balances to lotbook_app;

-- The balances that imports state. One by hand or of a file of positions goes before them.
create table balance_sources (
  taxpayer_id uuid not null,
  import_id uuid not null,
  account text collate "C" not null,
  asset text collate "C" not null,
  on_day date not null,
  quantity numeric not null,
  counted_until bigint,
  is_least boolean not null,
  primary key (taxpayer_id, import_id, account, asset, on_day),
  foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade
);
create index balance_sources_of_day on balance_sources (taxpayer_id, account, asset, on_day);
alter table balance_sources enable row level security, force row level security;
create policy own on balance_sources using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on balance_sources to lotbook_app;

create trigger balances_stored after insert on balances
  referencing new table as fresh for each statement execute function count_digests();
create trigger balances_removed after delete on balances
  referencing old table as gone for each statement execute function count_digests();
create trigger balances_changed after update on balances
  referencing old table as gone new table as fresh for each statement execute function count_digests();
