-- What was given away or donated, one row a lot slice: no sale, and so no disposal. The value is null if no row states it.
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
  primary key (taxpayer_id, id) deferrable initially deferred
);
create index gifts_of_book on gifts (taxpayer_id, book, caused_on);
create index gifts_by_day on gifts (taxpayer_id, on_day);
alter table gifts enable row level security, force row level security;
create policy own on gifts using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on gifts to lotbook_app;
select pg_temp.take_place('gifts');
-- The owner of the tables is bound by their policies too, and a new foreign key reads both tables.
alter table taxpayers no force row level security;
alter table gifts no force row level security;
alter table gifts add constraint gifts_of_taxpayer foreign key (taxpayer_id) references taxpayers (id) on delete cascade;
alter table gifts force row level security;
alter table taxpayers force row level security;

-- What an interest in an opportunity fund was worth when its deferred gain was included.
alter table disposals add column fund_value numeric;
