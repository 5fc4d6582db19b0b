-- Prices: what a unit of something was worth on a day, and which transactions were valued by it.

-- Given by the taxpayer.
create table prices (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  -- An asset as the books name it, or a currency code.
  asset text collate "C" not null,
  day date not null,
  usd numeric not null,
  created_at timestamptz not null,
  primary key (taxpayer_id, asset, day)
);
alter table prices enable row level security, force row level security;
create policy own on prices using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on prices to lotbook_app;

-- From providers, for all taxpayers. The application's role reads it through the two functions below only.
create table shared_prices (
  asset text collate "C" not null,
  day date not null,
  source text collate "C" not null,
  usd numeric not null,
  created_at timestamptz not null,
  primary key (asset, day, source)
);

-- The last price of a day or of at most so many days before it, from providers of what is asked about: two things of
-- one name have prices of their own.
create function shared_price(wanted text, on_day date, within integer, sources text[])
  returns table (day date, usd numeric, source text)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select p.day, p.usd, p.source from shared_prices p
    where p.asset = wanted and p.day <= on_day and p.day >= on_day - within and p.source = any(sources)
    order by p.day desc, p.source limit 1;
  end;

-- A page of the list of prices, after the last row of the page before.
create function list_shared_prices(wanted text, from_day date, to_day date, after_asset text, after_day date, after_source text, most integer)
  returns table (asset text, day date, usd numeric, source text)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select p.asset, p.day, p.usd, p.source from shared_prices p
    where (wanted is null or p.asset = wanted) and (from_day is null or p.day >= from_day) and (to_day is null or p.day < to_day)
      and (after_asset is null or (p.asset, p.day, p.source) > (after_asset collate "C", after_day, after_source collate "C"))
    order by p.asset, p.day, p.source limit most;
  end;

-- The price in dollars of what a transaction does not state in dollars. It changes the numbers, so its digest counts
-- among those of the ledger.
create table valuations (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  transaction_id uuid not null,
  -- What it values: the stated amounts (their currency), the basis, or a number that the transaction leaves out.
  figure text collate "C" not null,
  asset text collate "C" not null,
  day date not null,
  usd numeric not null,
  source text collate "C" not null,
  -- Copied from the transaction.
  asset_key text collate "C" not null,
  on_day date not null,
  digest bigint not null generated always as (
    hashtextextended(
      transaction_id::text || '/' || figure || '/' || asset || '/' || (day - date '2000-01-01')::text || '/' ||
        trim_scale(usd)::text || '/' || source,
      5
    )
  ) stored,
  primary key (taxpayer_id, transaction_id, figure)
);
create index valuations_of_key on valuations (taxpayer_id, asset_key, on_day);
alter table valuations enable row level security, force row level security;
create policy own on valuations using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on valuations to lotbook_app;

create trigger valuations_stored after insert on valuations
  referencing new table as fresh for each statement execute function count_digests();
create trigger valuations_removed after delete on valuations
  referencing old table as gone for each statement execute function count_digests();
create trigger valuations_changed after update on valuations
  referencing old table as gone new table as fresh for each statement execute function count_digests();
