-- Years that were filed: what would change their lines is refused until they are unlocked.

-- The audit trail. The last entry of a year says whether it is locked.
create table year_locks (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  sequence bigint not null generated always as identity,
  id uuid not null,
  year integer not null,
  action text collate "C" not null check (action in ('lock', 'unlock')),
  -- Whoever did it, as they were called then: the entry outlives the account.
  user_id uuid not null,
  user_name text not null,
  at timestamptz not null,
  -- The lines that were locked: their number and the SHA-256 of their content, which names the copy.
  lines integer not null,
  digest text collate "C" not null,
  revision bigint not null,
  primary key (taxpayer_id, sequence),
  unique (taxpayer_id, id)
);
create index year_locks_of_year on year_locks (taxpayer_id, year, sequence);

-- The lines as they were locked, compressed, in parts.
create table locked_lines (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  digest text collate "C" not null,
  part integer not null,
  content bytea not null,
  primary key (taxpayer_id, digest, part)
);

alter table year_locks enable row level security;
create policy own on year_locks using (taxpayer_id = current_taxpayer());
-- What was written stays as it was written.
grant select, insert on year_locks to lotbook_app;

alter table locked_lines enable row level security;
create policy own on locked_lines using (taxpayer_id = current_taxpayer());
grant select, insert, delete on locked_lines to lotbook_app;
