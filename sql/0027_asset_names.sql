-- The names of securities in the imported files, such as VALVOLINE INC for VVV. They are only shown, and no number
-- depends on them. The name in the newest import counts.
create table asset_names (
  taxpayer_id uuid not null,
  import_id uuid not null,
  asset text collate "C" not null,
  name text not null,
  primary key (taxpayer_id, asset, import_id)
);
create index asset_names_of_import on asset_names (taxpayer_id, import_id);
alter table asset_names enable row level security, force row level security;
create policy own on asset_names using (taxpayer_id = current_taxpayer());
grant select, insert on asset_names to lotbook_app;
select pg_temp.take_place('asset_names');
-- The owner of the tables is bound by their policies too, and a new foreign key reads both tables.
alter table imports no force row level security;
alter table asset_names no force row level security;
alter table asset_names add constraint asset_names_of_file
  foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade;
alter table asset_names force row level security;
alter table imports force row level security;
