-- The accounts that files name.

-- The accounts of the rows of the file, as JSON: each with its name in the books, how the file names it, and its rows. Null: the
-- file was read before this was kept, and is read again when it matters.
alter table imports add column accounts jsonb;

-- The fingerprint that the row had before its file was known to name its account, in hex. Null: the row names its account itself.
alter table staged add column earlier text collate "C";

-- Stored rows that a later file of the same rows assigns to an account: they were stored under the name of their source.
create table account_assignments (
  taxpayer_id uuid not null,
  import_id uuid not null,
  transaction_id uuid not null,
  -- The account that the row had then. A row with any other is not offered.
  earlier_account text collate "C" not null,
  -- What the file calls the account of the row, as the books name it.
  account text collate "C" not null,
  primary key (taxpayer_id, import_id, transaction_id)
);
alter table account_assignments enable row level security, force row level security;
create policy own on account_assignments using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on account_assignments to lotbook_app;
select pg_temp.take_place('account_assignments');
-- The owner of the tables is bound by their policies too, and a new foreign key reads both tables.
alter table imports no force row level security;
alter table account_assignments no force row level security;
alter table account_assignments add foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade;
alter table account_assignments force row level security;

-- Two imports that may be of two accounts, though their files do not say so. One question for each account.
create table account_questions (
  taxpayer_id uuid not null,
  id uuid not null,
  -- The account of the books that may be two.
  account text collate "C" not null,
  -- The import whose rows may belong elsewhere, and the one that was compared with it.
  import_id uuid not null,
  other_id uuid not null,
  -- The account of the other import.
  other_account text collate "C" not null,
  detail text not null,
  created_at timestamptz not null,
  answered_at timestamptz,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, account, other_account)
);
alter table account_questions enable row level security, force row level security;
create policy own on account_questions using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on account_questions to lotbook_app;
select pg_temp.take_place('account_questions');
alter table account_questions no force row level security;
alter table account_questions add foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade;
alter table account_questions add foreign key (taxpayer_id, other_id) references imports (taxpayer_id, id) on delete cascade;
alter table account_questions force row level security;
alter table imports force row level security;
