-- Read-only connections to exchanges and brokers. `sealed` holds their keys, encrypted with a key that is outside the database
-- if the operator set one. The server's role, which runs across taxpayers, sees when a connection is due and nothing else.
create table connections (
  taxpayer_id uuid not null,
  id uuid not null,
  kind text collate "C" not null,
  -- The account of its rows in the books.
  account text not null,
  key_id text collate "C" not null,
  sealed bytea not null,
  -- The user who set it up. Their plan and role are checked before each sync. No foreign key: the connection outlives the account.
  user_id uuid not null,
  created_at timestamptz not null,
  is_automatic boolean not null default true,
  -- Everything up to here is in the books. Null before the first sync. It moves in the transaction that stores the rows.
  cursor jsonb,
  -- A sync that began and is not stored yet: its id, how far it has read, and the balances at its start.
  reading jsonb,
  -- When a server may next work on it. Null if only the user starts a sync.
  due_at timestamptz,
  -- The server that works on it now. Another one may take it over when this time is past.
  claim uuid,
  claimed_until timestamptz,
  failures integer not null default 0,
  problem jsonb,
  synced_at timestamptz,
  -- The imports of its syncs. If one was undone, the next sync reads everything again.
  import_ids uuid[] not null default '{}',
  -- The imports of the user's own files whose rows its syncs left out, because they were in the books already. If one was undone,
  -- the next sync reads everything again.
  known_import_ids uuid[] not null default '{}',
  primary key (taxpayer_id, id)
);
create index connections_due on connections (due_at) where due_at is not null;
-- What a sync has received so far, as the service sent it, so that an interrupted sync continues.
create table connection_pages (
  taxpayer_id uuid not null,
  connection_id uuid not null,
  number integer not null,
  content text not null,
  primary key (taxpayer_id, connection_id, number)
);
alter table connections enable row level security, force row level security;
alter table connection_pages enable row level security, force row level security;
create policy own on connections using (taxpayer_id = current_taxpayer());
create policy own on connection_pages using (taxpayer_id = current_taxpayer());
create policy server_reads on connections for select to lotbook_server using (true);
grant select (taxpayer_id, id, due_at, claimed_until) on connections to lotbook_server;
grant select, insert, update, delete on connections to lotbook_app;
grant select, insert, delete on connection_pages to lotbook_app;
-- The owner of the tables is bound by their policies too, and a new foreign key reads both tables.
alter table taxpayers no force row level security;
alter table connections no force row level security;
alter table connection_pages no force row level security;
alter table connections add constraint connections_of_taxpayer
  foreign key (taxpayer_id) references taxpayers (id) on delete cascade;
alter table connection_pages add constraint connection_pages_of_connection
  foreign key (taxpayer_id, connection_id) references connections (taxpayer_id, id) on delete cascade;
alter table connection_pages force row level security;
alter table connections force row level security;
alter table taxpayers force row level security;
