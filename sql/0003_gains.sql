-- The gains: what the engine computes from the ledger, and what the taxpayer decided about them.

-- Books

-- Which assets make one book. A book is named by the smallest of its asset keys.
create table books (
  taxpayer_id uuid not null,
  asset_key text collate "C" not null,
  book text collate "C" not null,
  primary key (taxpayer_id, asset_key)
);
create index books_members on books (taxpayer_id, book);
alter table books enable row level security, force row level security;
create policy own on books using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on books to lotbook_app;

-- The state of a book after a day, without its lots: the last state of each year. A backdated transaction is
-- replayed from the state before it. One of another engine or other rules is worthless.
create table checkpoints (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  day date not null,
  engine text collate "C" not null,
  rules text collate "C" not null,
  -- JSON, deflated: many times smaller, and faster than PostgreSQL's own compression.
  state bytea not null,
  -- How many lots the book has.
  lots integer not null default 0,
  -- A digest of the facts of each day since the checkpoint before: only days whose facts change are written again.
  days text not null default '',
  primary key (taxpayer_id, book, day)
);
-- It is compressed already. PostgreSQL 15 does not take `storage` in `create table`.
alter table checkpoints alter column state set storage external;
alter table checkpoints enable row level security, force row level security;
create policy own on checkpoints using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on checkpoints to lotbook_app;

-- Open lots after the last transaction of their book. A lot is a row, so that a new transaction reads and writes only
-- the lots it touches. The indexes find them by each order in which lots leave, by the days of purchases that may
-- replace a loss, and by the labels that transactions name.
create table lots (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  book text collate "C" not null,
  asset_key text collate "C" not null default '',
  asset text collate "C" not null,
  asset_class text collate "C" not null,
  account text collate "C" not null,
  sequence bigint not null default 0,
  label text collate "C" not null default '',
  quantity numeric not null,
  basis numeric not null,
  -- Whole dollars for 10⁻⁸ of a unit, rounded down: only where lots leave in the order of their cost.
  unit_cost numeric,
  acquired date not null,
  held_since date not null,
  purchased_on date,
  inherited boolean not null,
  -- The last checkpoint of its book before the lot became what it is; null where there is none.
  valid_from date,
  state text not null default '',
  primary key (taxpayer_id, id)
);
create index lots_by_age on lots (taxpayer_id, acquired, id);
create index lots_in_order on lots (taxpayer_id, book, asset_key, account, acquired, sequence);
create index lots_by_cost on lots (taxpayer_id, book, asset_key, account, unit_cost) where unit_cost is not null;
create index lots_by_purchase on lots (taxpayer_id, book, purchased_on) where purchased_on is not null;
create index lots_by_label on lots (taxpayer_id, book, label) where label <> '';
create index lots_by_change on lots (taxpayer_id, book, valid_from) where valid_from is not null;
alter table lots enable row level security, force row level security;
create policy own on lots using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on lots to lotbook_app;

-- Lots as they were in the checkpoints of their book after `valid_from`, until that of `valid_to`.
create table lot_versions (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  id text collate "C" not null,
  valid_from date,
  valid_to date not null,
  state text not null,
  primary key (taxpayer_id, book, valid_to, id)
);
alter table lot_versions enable row level security, force row level security;
create policy own on lot_versions using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on lot_versions to lotbook_app;

-- Facts
-- `caused_on` is the day of the transaction that left the fact. It may be later than the fact's own day: a January
-- purchase makes a December loss a wash sale. A replay from a checkpoint deletes what was caused after it.

-- Lot slices disposed of. Amounts are dollars. The gain of a tax year is sum(proceeds - basis + adjustment) by on_day and
-- sum(disallowed) of wash_sales by on_day: what wash sales deny is not in the adjustment, it stands in rows of its own.
-- Facts come and go by book and by the day of their cause, and are never looked up by id: the ids of a key would take more
-- time to write than the rows themselves.
create table disposals (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  caused_on date not null,
  id text collate "C" not null,
  -- The day of recognition: its year is the tax year.
  on_day date not null,
  sale_id text collate "C" not null,
  lot_id text collate "C" not null,
  asset text collate "C" not null,
  asset_class text collate "C" not null,
  account text collate "C" not null,
  quantity numeric not null,
  acquired date not null,
  held_since date not null,
  inherited boolean not null,
  sold date not null,
  proceeds numeric not null,
  basis numeric not null,
  term text collate "C" not null,
  box text collate "C" not null,
  box_reason text not null,
  short_sale boolean not null,
  expired text collate "C",
  code text collate "C" not null,
  adjustment numeric not null,
  basis_unknown boolean not null,
  identified text collate "C" not null,
  description text,
  acquired_various boolean not null
);
create index disposals_of_book on disposals (taxpayer_id, book, caused_on);
create index disposals_by_day on disposals (taxpayer_id, on_day);
alter table disposals enable row level security, force row level security;
create policy own on disposals using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on disposals to lotbook_app;

create table wash_sales (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  caused_on date not null,
  id text collate "C" not null,
  -- The day of the disposal: its year is the year whose line changes.
  on_day date not null,
  disposal_id text collate "C" not null,
  replacement_lot_id text collate "C" not null,
  replacement_transaction_id text collate "C" not null,
  quantity numeric not null,
  disallowed numeric not null,
  permanent boolean not null
);
create index wash_sales_of_book on wash_sales (taxpayer_id, book, caused_on);
create index wash_sales_by_day on wash_sales (taxpayer_id, on_day);
alter table wash_sales enable row level security, force row level security;
create policy own on wash_sales using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on wash_sales to lotbook_app;

-- The keys of the next three are checked at the end of the database transaction. A transaction that becomes one of
-- another asset takes its facts to another book, which may be written before the book that they leave.
create table incomes (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  book text collate "C" not null,
  caused_on date not null,
  on_day date not null,
  transaction_id text collate "C" not null,
  type text collate "C" not null,
  asset text collate "C" not null,
  account text collate "C" not null,
  amount numeric not null,
  primary key (taxpayer_id, id) deferrable initially deferred
);
create index incomes_of_book on incomes (taxpayer_id, book, caused_on);
create index incomes_by_day on incomes (taxpayer_id, on_day);
alter table incomes enable row level security, force row level security;
create policy own on incomes using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on incomes to lotbook_app;

create table contracts_1256 (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  book text collate "C" not null,
  caused_on date not null,
  on_day date not null,
  transaction_id text collate "C" not null,
  asset text collate "C" not null,
  account text collate "C" not null,
  gain numeric not null,
  primary key (taxpayer_id, id) deferrable initially deferred
);
create index contracts_1256_of_book on contracts_1256 (taxpayer_id, book, caused_on);
create index contracts_1256_by_day on contracts_1256 (taxpayer_id, on_day);
alter table contracts_1256 enable row level security, force row level security;
create policy own on contracts_1256 using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on contracts_1256 to lotbook_app;

create table issues (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  book text collate "C" not null,
  caused_on date not null,
  on_day date not null,
  issue text collate "C" not null,
  asset text collate "C" not null,
  account text collate "C" not null,
  -- First the transaction that could not be explained, then those that led to it.
  transactions text[] collate "C" not null,
  -- The most by which the result may be wrong. Null: not known.
  dollars numeric,
  detail text not null,
  primary key (taxpayer_id, id) deferrable initially deferred
);
create index issues_of_book on issues (taxpayer_id, book, caused_on);
create index issues_by_day on issues (taxpayer_id, on_day);
alter table issues enable row level security, force row level security;
create policy own on issues using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on issues to lotbook_app;

-- Sums

-- The facts of one book in one year, netted. The summary of a year is the sum over its books.
create table book_years (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  year integer not null,
  summary text not null,
  primary key (taxpayer_id, book, year)
);
create index book_years_of_year on book_years (taxpayer_id, year);
alter table book_years enable row level security, force row level security;
create policy own on book_years using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on book_years to lotbook_app;

create table year_summaries (
  taxpayer_id uuid not null,
  year integer not null,
  summary text not null,
  -- Losses carried over from the year before and to the next; depends on the years before and on the settings.
  carryover text not null,
  primary key (taxpayer_id, year)
);
alter table year_summaries enable row level security, force row level security;
create policy own on year_summaries using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on year_summaries to lotbook_app;

-- A calculation on request. Its result is `json` and not `jsonb`, so that members keep their order.
create table calculations (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  id uuid not null,
  status text collate "C" not null check (status in ('running', 'completed', 'failed')),
  -- What the job that makes it was asked for; null where the request itself made it.
  asked json,
  result json,
  problem jsonb,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (taxpayer_id, id)
);
create index calculations_running on calculations (created_at) where status = 'running';
alter table calculations enable row level security, force row level security;
create policy own on calculations using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on calculations to lotbook_app;

-- Decisions of the taxpayer

-- The allocation of unused basis to wallets at the end of 2024 (Rev. Proc. 2024-28): made once, never changed.
create table allocations (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  frozen_at timestamptz not null,
  -- SHA-256 of what was allocated.
  hash text collate "C" not null,
  -- SHA-256 of the pool as it was then. A different one later means that the records have changed.
  pool_hash text collate "C" not null,
  method text collate "C" not null check (method in ('rule', 'unit')),
  rule text collate "C",
  lots jsonb not null,
  statement text not null,
  -- When the taxpayer's own books made it, as stated, and what it therefore is for the safe harbor of Rev. Proc. 2024-28.
  books_made_on date,
  safe_harbor boolean not null,
  standing text not null,
  -- The transactions that carry it into the books.
  transactions uuid[] not null,
  primary key (taxpayer_id)
);
alter table allocations enable row level security, force row level security;
create policy own on allocations using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on allocations to lotbook_app;

-- The audit trail of years that were filed: what would change their lines is refused until they are unlocked. The last
-- entry of a year says whether it is locked.
create table year_locks (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  sequence bigint not null generated always as identity,
  id uuid not null,
  year integer not null,
  action text collate "C" not null check (action in ('lock', 'unlock')),
  -- Who did it, by the name of then: the entry outlives the account.
  user_id uuid not null,
  user_name text not null,
  at timestamptz not null,
  -- The number of the locked lines and the SHA-256 of their content, which names the copy.
  lines integer not null,
  digest text collate "C" not null,
  revision bigint not null,
  primary key (taxpayer_id, sequence),
  unique (taxpayer_id, id)
);
create index year_locks_of_year on year_locks (taxpayer_id, year, sequence);
alter table year_locks enable row level security, force row level security;
create policy own on year_locks using (taxpayer_id = current_taxpayer());
-- No update, no delete: an entry stays as it was written.
grant select, insert on year_locks to lotbook_app;

-- How far the review of a year is: each step with who took it. The last one counts; a year without any is open.
create table review_steps (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  sequence bigint not null generated always as identity,
  year integer not null,
  state text collate "C" not null check (state in ('open', 'prepared', 'reviewed', 'signed_off')),
  -- By the name of then: the step outlives the account.
  user_id uuid not null,
  user_name text not null,
  at timestamptz not null,
  -- SHA-256 of the year's summary at that time: whether it has changed since.
  digest text collate "C" not null,
  primary key (taxpayer_id, sequence)
);
create index review_steps_of_year on review_steps (taxpayer_id, year, sequence);
alter table review_steps enable row level security, force row level security;
create policy own on review_steps using (taxpayer_id = current_taxpayer());
-- No update, no delete: a step stays as it was taken.
grant select, insert on review_steps to lotbook_app;

-- What those who work on a year write to one another.
create table review_notes (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  id uuid not null,
  sequence bigint not null generated always as identity,
  year integer not null,
  -- The line it is about, and what that was: the line may be gone. Null: the year.
  disposal_id text collate "C",
  line text,
  text text not null,
  user_id uuid not null,
  user_name text not null,
  created_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by text,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, sequence)
);
create index review_notes_of_year on review_notes (taxpayer_id, year, sequence);
alter table review_notes enable row level security, force row level security;
create policy own on review_notes using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on review_notes to lotbook_app;

-- A copy of the lines as they were locked, compressed, in parts.
create table locked_lines (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  digest text collate "C" not null,
  part integer not null,
  content bytea not null,
  primary key (taxpayer_id, digest, part)
);
alter table locked_lines enable row level security, force row level security;
create policy own on locked_lines using (taxpayer_id = current_taxpayer());
grant select, insert, delete on locked_lines to lotbook_app;

-- Deleting a taxpayer

-- The tables without a foreign key to taxpayers. It runs as their owner: whoever deletes a taxpayer may delete its books.
create function forget_ledger() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before text := current_setting('app.taxpayer', true);
begin
  -- Row-level security binds the owner too: the rows are those of this taxpayer.
  perform set_config('app.taxpayer', old.id::text, true);
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
  delete from lot_versions where taxpayer_id = old.id;
  delete from book_years where taxpayer_id = old.id;
  delete from year_summaries where taxpayer_id = old.id;
  -- The objects in the bucket are removed soon after, and these rows with them.
  update blobs set erased_at = now() where taxpayer_id = old.id;
  perform set_config('app.taxpayer', coalesce(before, ''), true);
  return old;
end
$$;
create trigger taxpayers_forgotten before delete on taxpayers for each row execute function forget_ledger();
