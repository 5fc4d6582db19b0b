-- Answers of the taxpayer to what the books could not know.

create table resolutions (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  id uuid not null,
  -- The issue as a fact names it: made of the row and what is open about it, so that it is the same after each replay.
  issue_id text collate "C" not null,
  action text collate "C" not null check (action in ('basis', 'pair', 'value', 'accept')),
  -- The row that is read otherwise from now on; of a pair the withdrawal, the deposit is the other one.
  transaction_id uuid not null,
  other_id uuid,
  -- A row by hand that the answer wrote.
  added_id uuid,
  -- What was said: numbers and days as text.
  given jsonb not null,
  note text not null,
  -- The issue as it stood.
  issue jsonb not null,
  -- The first day that it moves in the book of its asset.
  asset_key text collate "C" not null,
  from_day date not null,
  created_at timestamptz not null,
  digest bigint not null generated always as (
    hashtextextended(issue_id || '/' || action || '/' || coalesce(other_id::text, '') || '/' || given::text, 6)
  ) stored,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, issue_id)
);

create trigger resolutions_stored after insert on resolutions
  referencing new table as fresh for each statement execute function count_digests();
create trigger resolutions_removed after delete on resolutions
  referencing old table as gone for each statement execute function count_digests();

alter table resolutions enable row level security;
create policy own on resolutions using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on resolutions to lotbook_app;
