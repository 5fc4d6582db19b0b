-- Disposals and wash sales by the thousand a book: one row for those of a day that say the same but for their lots. The
-- lines of a group are one text (features/gains/facts/grouped.ts): a row of its own for each, with three indexes, took
-- the database longer than all the rest of an import.

create table disposal_groups (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  -- The day of the step that left them, and their place among the groups of that day.
  caused_on date not null,
  number integer not null,
  -- The day of recognition.
  on_day date not null,
  asset text collate "C" not null,
  asset_class text collate "C" not null,
  account text collate "C" not null,
  inherited boolean not null,
  sold date not null,
  term text collate "C" not null,
  box text collate "C" not null,
  box_reason text not null,
  short_sale boolean not null,
  expired text collate "C",
  code text collate "C" not null,
  basis_unknown boolean not null,
  identified text collate "C" not null,
  acquired_various boolean not null,
  description text,
  count integer not null,
  -- Of each disposal, after e'\x1e': id, sale ('' where the id begins with it), lot, units in 10⁻¹⁸, day acquired and day held
  -- since ('' where it is the same) since 1970, proceeds, basis and adjustment in cents; between them e'\x1f'.
  lines text collate "C" not null,
  primary key (taxpayer_id, book, caused_on, number)
);
create index disposal_groups_by_day on disposal_groups (taxpayer_id, on_day);

create table wash_sale_groups (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  caused_on date not null,
  number integer not null,
  -- The day of the disposal.
  on_day date not null,
  permanent boolean not null,
  count integer not null,
  -- Of each wash sale: id ('' where it is disposal/lot), disposal, replacement lot, its transaction ('' where the lot begins
  -- with it), units, cents.
  lines text collate "C" not null,
  primary key (taxpayer_id, book, caused_on, number)
);
create index wash_sale_groups_by_day on wash_sale_groups (taxpayer_id, on_day);

-- Kilobytes of digits: to compress them costs more time than to write them.
alter table disposal_groups alter column lines set storage external;
alter table wash_sale_groups alter column lines set storage external;

insert into disposal_groups
select taxpayer_id, book, caused_on, row_number() over (partition by taxpayer_id, book, caused_on order by min(id)) - 1,
  on_day, asset, asset_class, account, inherited, sold, term, box, box_reason, short_sale, expired, code, basis_unknown,
  identified, acquired_various, description, count(*),
  string_agg(
    concat_ws(e'\x1f', id, case when starts_with(id, sale_id || '/') then '' else sale_id end, lot_id,
      trunc(quantity * 1000000000000000000), acquired - date '1970-01-01',
      case when held_since = acquired then '' else (held_since - date '1970-01-01')::text end,
      trunc(proceeds * 100), trunc(basis * 100), trunc(adjustment * 100)),
    e'\x1e' order by id)
from disposals
group by taxpayer_id, book, caused_on, on_day, asset, asset_class, account, inherited, sold, term, box, box_reason,
  short_sale, expired, code, basis_unknown, identified, acquired_various, description;

insert into wash_sale_groups
select taxpayer_id, book, caused_on, row_number() over (partition by taxpayer_id, book, caused_on order by min(id)) - 1,
  on_day, permanent, count(*),
  string_agg(
    concat_ws(e'\x1f', case when id = disposal_id || '/' || replacement_lot_id then '' else id end, disposal_id,
      replacement_lot_id,
      case when starts_with(replacement_lot_id, replacement_transaction_id || '/') then '' else replacement_transaction_id end,
      trunc(quantity * 1000000000000000000), trunc(disallowed * 100)),
    e'\x1e' order by id)
from wash_sales
group by taxpayer_id, book, caused_on, on_day, permanent;

drop table disposals;
drop table wash_sales;

do $$
declare
  name text;
begin
  foreach name in array array['disposal_groups', 'wash_sale_groups'] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy own on %I using (taxpayer_id = current_taxpayer())', name);
    execute format('grant select, insert, update, delete on %I to lotbook_app', name);
  end loop;
end
$$;

create or replace function forget_ledger() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from transactions where taxpayer_id = old.id;
  delete from transaction_sources where taxpayer_id = old.id;
  delete from staged where taxpayer_id = old.id;
  delete from books where taxpayer_id = old.id;
  delete from checkpoints where taxpayer_id = old.id;
  delete from disposal_groups where taxpayer_id = old.id;
  delete from wash_sale_groups where taxpayer_id = old.id;
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
