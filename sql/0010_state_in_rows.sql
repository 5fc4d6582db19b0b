-- The last state of a book lies in rows, so that an append reads and writes only what it touches.

-- Books of another engine are computed again before anybody reads them; null: not known which one made them.
alter table ledgers add column engine text collate "C";

-- What the engine holds of an open lot, and by what it finds one: each order in which lots leave, the days of purchases
-- that may replace a loss, the names that rows give. A lot lies here as it is after the last event of its book;
-- `after_day` is the last year's end of its book on which it was not yet so.
alter table lots
  add column asset_key text collate "C" not null default '',
  add column sequence bigint not null default 0,
  add column label text collate "C" not null default '',
  add column purchased_on date,
  -- Whole dollars of 10⁻⁸ a unit, rounded down: only where lots leave in the order of their cost.
  add column unit_cost numeric,
  add column after_day date,
  add column state text not null default '';
drop index lots_of_book;
create index lots_in_order on lots (taxpayer_id, book, asset_key, account, acquired, sequence);
create index lots_by_cost on lots (taxpayer_id, book, asset_key, account, unit_cost) where unit_cost is not null;
create index lots_by_purchase on lots (taxpayer_id, book, purchased_on) where purchased_on is not null;
create index lots_by_label on lots (taxpayer_id, book, label) where label <> '';
create index lots_by_change on lots (taxpayer_id, book, after_day) where after_day is not null;

-- Lots as they were at ends of earlier years of their book: after `after_day`, until `until_day`. With the rest of the
-- book in `checkpoints` they are what a backdated row resumes from.
create table past_lots (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  id text collate "C" not null,
  after_day date,
  until_day date not null,
  state text not null,
  primary key (taxpayer_id, book, until_day, id)
);
alter table past_lots enable row level security;
create policy own on past_lots using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on past_lots to lotbook_app;

-- The rest of a book, without its lots: how many it has, and a digest of the facts of each day since the state before,
-- so that only days whose facts change are written again.
delete from checkpoints;
alter table checkpoints
  add column lots integer not null default 0,
  add column days text not null default '';

create or replace function forget_ledger() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
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
  delete from past_lots where taxpayer_id = old.id;
  delete from book_years where taxpayer_id = old.id;
  delete from year_summaries where taxpayer_id = old.id;
  return old;
end
$$;
