-- Imports that were undone less than a day ago, with everything that the undo removed, so that it can be restored.
create table undone_imports (
  taxpayer_id uuid not null references taxpayers on delete cascade,
  id uuid not null,
  undone_at timestamptz not null,
  bytes bigint not null,
  -- The import as the API showed it.
  view jsonb not null,
  -- The transactions that the undo removed or changed, and those that it may have stored in their place.
  transaction_ids uuid[] not null,
  -- The number of transactions that the plan must have space for.
  transactions integer not null default 0,
  -- A digest of the rows that remained. A restore requires that they are unchanged.
  remaining text collate "C" not null default '',
  primary key (taxpayer_id, id)
);
create index undone_imports_at on undone_imports (undone_at);
-- The rows of each table as they were before the undo, as text and in pieces.
create table undone_rows (
  taxpayer_id uuid not null,
  import_id uuid not null,
  relation text collate "C" not null,
  number integer not null,
  content text[] not null,
  primary key (taxpayer_id, import_id, relation, number)
);
-- The file. Like import_texts, its pieces may move to the bucket.
create table undone_texts (
  taxpayer_id uuid not null,
  import_id uuid not null,
  first_line integer not null,
  delimiter text not null,
  content bytea,
  blob text collate "C",
  primary key (taxpayer_id, import_id, first_line),
  check ((content is null) <> (blob is null))
);
create index undone_texts_to_move on undone_texts (taxpayer_id) where blob is null;
create index undone_texts_naming on undone_texts (taxpayer_id, blob) where blob is not null;
alter table undone_texts alter column content set storage external;
alter table undone_imports enable row level security, force row level security;
alter table undone_rows enable row level security, force row level security;
alter table undone_texts enable row level security, force row level security;
create policy own on undone_imports using (taxpayer_id = current_taxpayer());
create policy own on undone_rows using (taxpayer_id = current_taxpayer());
create policy own on undone_texts using (taxpayer_id = current_taxpayer());
-- The server removes them after a day, and moves the texts to the bucket.
create policy server_reads on undone_imports for select to lotbook_server using (true);
create policy server_reads on undone_texts for select to lotbook_server using (true);
grant select (taxpayer_id, id, undone_at) on undone_imports to lotbook_server;
grant select (taxpayer_id, import_id, blob) on undone_texts to lotbook_server;
grant select, insert, update, delete on undone_imports, undone_texts to lotbook_app;
grant select, insert, delete on undone_rows to lotbook_app;
select pg_temp.take_place('undone_imports');
select pg_temp.take_place('undone_rows');
select pg_temp.take_place('undone_texts');
-- The owner of the tables is bound by their policies too, and a new foreign key reads both tables.
alter table undone_imports no force row level security;
alter table undone_rows no force row level security;
alter table undone_texts no force row level security;
alter table blobs no force row level security;
alter table undone_rows add constraint undone_rows_of_import
  foreign key (taxpayer_id, import_id) references undone_imports (taxpayer_id, id) on delete cascade;
alter table undone_texts add constraint undone_texts_of_import
  foreign key (taxpayer_id, import_id) references undone_imports (taxpayer_id, id) on delete cascade;
alter table undone_texts add constraint undone_texts_blob_fkey
  foreign key (taxpayer_id, blob) references blobs (taxpayer_id, digest);
alter table undone_imports force row level security;
alter table undone_rows force row level security;
alter table undone_texts force row level security;
alter table blobs force row level security;
