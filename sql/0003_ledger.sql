-- The ledger: what was imported, the transactions it left, and what follows from them.
-- Everything below "What follows" can be computed again from what is above it and the settings.

-- Imports

create table imports (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  id uuid not null,
  -- The order of the list: an import that started later has a larger one.
  sequence bigint generated always as identity,
  status text collate "C" not null check (status in ('running', 'completed', 'failed')),
  format text collate "C",
  file_name text,
  -- The header row as the file has it, for the file of rejected lines.
  header text[],
  bytes bigint not null default 0,
  rows integer not null default 0,
  imported integer not null default 0,
  duplicates integer not null default 0,
  skipped integer not null default 0,
  rejected integer not null default 0,
  first_day date,
  last_day date,
  years integer[] not null default '{}',
  created_at timestamptz not null,
  -- A running import whose server is gone stops moving this.
  moved_at timestamptz not null,
  completed_at timestamptz,
  problem jsonb,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, sequence)
);
create index imports_running on imports (moved_at) where status = 'running';

-- What a watcher of an import is told, in order.
create table import_events (
  taxpayer_id uuid not null,
  import_id uuid not null,
  id bigint generated always as identity,
  kind text collate "C" not null check (kind in ('progress', 'books', 'done', 'failed')),
  data jsonb not null,
  primary key (taxpayer_id, import_id, id),
  foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade
);

-- Lines that could not be read. `number` tells several of one line apart.
create table import_rejects (
  taxpayer_id uuid not null,
  import_id uuid not null,
  line integer not null,
  number integer not null,
  column_name text,
  code text collate "C" not null,
  reason text not null,
  cells text[] not null,
  primary key (taxpayer_id, import_id, line, number),
  foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade
);

-- Transactions

-- A statement by the taxpayer, in the words of the Lotbook CSV; null and '' mean "not stated". Of the bulk tables only
-- the parents refer to taxpayers: a foreign key costs a look-up a row, so a trigger on taxpayers empties them.
create table transactions (
  taxpayer_id uuid not null,
  -- Made of the fingerprint and the occurrence, so that the order of imports leaves no trace; random for one by hand.
  id uuid not null,
  -- SHA-256 of what the row means; null for one by hand, which is never taken for another.
  fingerprint bytea,
  -- 1 for the first of several equal rows in a file, 2 for the second.
  occurrence integer,
  type text collate "C" not null,
  at timestamptz,
  on_day date not null,
  -- The zone its day was read in, where the import stated one; null where the taxpayer's applies.
  time_zone text collate "C",
  account text collate "C" not null,
  asset text collate "C" not null,
  asset_class text collate "C" not null,
  -- What the class is resolved from: what the row states, and what its source trades in.
  stated_class text collate "C",
  source_class text collate "C",
  quantity numeric,
  amount numeric,
  fee numeric,
  currency text collate "C" not null,
  received_asset text collate "C" not null default '',
  received_quantity numeric,
  fee_asset text collate "C" not null default '',
  fee_quantity numeric,
  fee_own numeric,
  to_account text collate "C" not null default '',
  acquired date,
  basis numeric,
  fmv numeric,
  ratio_numerator numeric,
  ratio_denominator numeric,
  -- The choices as JSON, label and quantity; '' for none.
  lots text collate "C" not null default '',
  identified_at timestamptz,
  shares numeric,
  underlying text collate "C" not null default '',
  option_right text collate "C",
  box text collate "C",
  wash numeric,
  term text collate "C",
  external_id text collate "C" not null default '',
  note text not null default '',
  -- Its place in the source: the smallest where several tell it.
  line integer not null,
  -- The books it moves: the first key is the asset's own, the others stand where there is one.
  asset_key text collate "C" not null,
  second_key text collate "C",
  third_key text collate "C",
  fourth_key text collate "C",
  -- Pairs of keys that it joins into one book, as JSON.
  links text collate "C",
  -- Set by a correction: tells its content from that of the row as it was imported.
  edition text collate "C",
  created_at timestamptz not null,
  -- What lists are sorted by within a day.
  moment timestamptz not null generated always as (coalesce(at, on_day::timestamp at time zone 'UTC')) stored,
  digest bigint not null generated always as (
    hashtextextended(
      id::text || '/' || line::text || '/' || asset_class || '/' || (on_day - date '2000-01-01')::text || '/' || coalesce(edition, ''),
      0
    )
  ) stored,
  primary key (taxpayer_id, id)
);
-- Lists, by date; and the last day of the books.
create index transactions_by_day on transactions (taxpayer_id, on_day, moment, id);
-- The history of a book.
create index transactions_of_book on transactions (taxpayer_id, asset_key, on_day);
create index transactions_of_second on transactions (taxpayer_id, second_key, on_day) where second_key is not null;
create index transactions_of_third on transactions (taxpayer_id, third_key, on_day) where third_key is not null;
create index transactions_of_fourth on transactions (taxpayer_id, fourth_key, on_day) where fourth_key is not null;
create index transactions_joining on transactions (taxpayer_id) where links is not null;

-- Which imports told a transaction, and how: it leaves with the last of them. What they say differently counts as the
-- least of what they say, so that the order of imports leaves no trace.
create table transaction_sources (
  taxpayer_id uuid not null,
  import_id uuid not null,
  transaction_id uuid not null,
  -- The line in the file, and its place when the file is read from its oldest row on.
  line integer not null,
  place integer not null,
  time_zone text collate "C",
  stated_class text collate "C",
  source_class text collate "C",
  primary key (taxpayer_id, import_id, transaction_id)
);
create index transaction_sources_of on transaction_sources (taxpayer_id, transaction_id);

-- Drafts that wait for the end of their file: written under no lock, lost in a crash like the upload itself.
create unlogged table staged (
  taxpayer_id uuid not null,
  import_id uuid not null,
  number integer not null,
  fingerprint bytea not null,
  type text collate "C" not null,
  at timestamptz,
  on_day date not null,
  time_zone text collate "C",
  account text collate "C" not null,
  asset text collate "C" not null,
  asset_class text collate "C" not null,
  stated_class text collate "C",
  source_class text collate "C",
  quantity numeric,
  amount numeric,
  fee numeric,
  currency text collate "C" not null,
  received_asset text collate "C" not null,
  received_quantity numeric,
  fee_asset text collate "C" not null,
  fee_quantity numeric,
  fee_own numeric,
  to_account text collate "C" not null,
  acquired date,
  basis numeric,
  fmv numeric,
  ratio_numerator numeric,
  ratio_denominator numeric,
  lots text collate "C" not null,
  identified_at timestamptz,
  shares numeric,
  underlying text collate "C" not null,
  option_right text collate "C",
  box text collate "C",
  wash numeric,
  term text collate "C",
  external_id text collate "C" not null,
  note text not null,
  line integer not null,
  asset_key text collate "C" not null,
  second_key text collate "C",
  third_key text collate "C",
  fourth_key text collate "C",
  links text collate "C",
  primary key (taxpayer_id, import_id, number)
);

-- The sum of the digests of all transactions: with the settings it names the state of the books, and comes back to what
-- it was when an import is undone.
create table ledgers (
  taxpayer_id uuid not null primary key references taxpayers (id) on delete cascade,
  content numeric not null
);

create function count_digests() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into ledgers (taxpayer_id, content)
      select taxpayer_id, sum(digest) from fresh group by taxpayer_id
      on conflict (taxpayer_id) do update set content = ledgers.content + excluded.content;
  elsif tg_op = 'DELETE' then
    update ledgers set content = content - gone.total
      from (select taxpayer_id, sum(digest) as total from gone group by taxpayer_id) gone
      where ledgers.taxpayer_id = gone.taxpayer_id;
  else
    update ledgers set content = content + changed.total
      from (
        select taxpayer_id, sum(digest) as total
          from (select taxpayer_id, digest from fresh union all select taxpayer_id, -digest::numeric from gone) both_sides
          group by taxpayer_id
      ) changed
      where ledgers.taxpayer_id = changed.taxpayer_id;
  end if;
  return null;
end
$$;
create trigger transactions_stored after insert on transactions
  referencing new table as fresh for each statement execute function count_digests();
create trigger transactions_removed after delete on transactions
  referencing old table as gone for each statement execute function count_digests();
create trigger transactions_changed after update on transactions
  referencing old table as gone new table as fresh for each statement execute function count_digests();

-- What follows

-- Which keys make one book. A book is named by the smallest of its keys.
create table books (
  taxpayer_id uuid not null,
  asset_key text collate "C" not null,
  book text collate "C" not null,
  primary key (taxpayer_id, asset_key)
);
create index books_members on books (taxpayer_id, book);

-- The state of a book after a day. Another engine or other rules make it worthless.
create table checkpoints (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  day date not null,
  engine text collate "C" not null,
  rules text collate "C" not null,
  -- JSON, deflated: it is many times smaller so, and PostgreSQL's own compression would take longer.
  state bytea not null,
  primary key (taxpayer_id, book, day)
);
alter table checkpoints alter column state set storage external;

-- Facts. `caused_on` is the day of the step that left one, which may be later than the fact's own: a January purchase
-- washes a December loss. A replay from a checkpoint drops what was caused after it.
create table disposals (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  book text collate "C" not null,
  caused_on date not null,
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
  acquired_various boolean not null,
  description text,
  primary key (taxpayer_id, id)
);
-- The order of the lines of Form 8949.
create index disposals_in_order on disposals (taxpayer_id, on_day, asset, account, acquired, id);
create index disposals_of_book on disposals (taxpayer_id, book, caused_on);

create table wash_sales (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  book text collate "C" not null,
  caused_on date not null,
  on_day date not null,
  disposal_id text collate "C" not null,
  replacement_lot_id text collate "C" not null,
  replacement_transaction_id text collate "C" not null,
  quantity numeric not null,
  disallowed numeric not null,
  permanent boolean not null,
  primary key (taxpayer_id, id)
);
create index wash_sales_of_disposal on wash_sales (taxpayer_id, disposal_id);
create index wash_sales_of_book on wash_sales (taxpayer_id, book, caused_on);
create index wash_sales_by_day on wash_sales (taxpayer_id, on_day);

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
  primary key (taxpayer_id, id)
);
create index incomes_of_book on incomes (taxpayer_id, book, caused_on);
create index incomes_by_day on incomes (taxpayer_id, on_day);

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
  primary key (taxpayer_id, id)
);
create index contracts_1256_of_book on contracts_1256 (taxpayer_id, book, caused_on);
create index contracts_1256_by_day on contracts_1256 (taxpayer_id, on_day);

create table issues (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  book text collate "C" not null,
  caused_on date not null,
  on_day date not null,
  issue text collate "C" not null,
  asset text collate "C" not null,
  account text collate "C" not null,
  -- The row that could not be explained first, then those that led there.
  transactions text[] collate "C" not null,
  dollars numeric not null,
  detail text not null,
  primary key (taxpayer_id, id)
);
create index issues_of_book on issues (taxpayer_id, book, caused_on);
create index issues_by_day on issues (taxpayer_id, on_day);

-- Open lots after the last transaction.
create table lots (
  taxpayer_id uuid not null,
  id text collate "C" not null,
  book text collate "C" not null,
  asset text collate "C" not null,
  asset_class text collate "C" not null,
  account text collate "C" not null,
  quantity numeric not null,
  basis numeric not null,
  acquired date not null,
  held_since date not null,
  inherited boolean not null,
  primary key (taxpayer_id, id)
);
create index lots_of_book on lots (taxpayer_id, book);
create index lots_by_age on lots (taxpayer_id, acquired, id);

-- The facts of one book in one year, netted: the summary of a year is the sum of its books.
create table book_years (
  taxpayer_id uuid not null,
  book text collate "C" not null,
  year integer not null,
  summary text not null,
  primary key (taxpayer_id, book, year)
);
create index book_years_of_year on book_years (taxpayer_id, year);

create table year_summaries (
  taxpayer_id uuid not null,
  year integer not null,
  summary text not null,
  -- What of losses comes in and goes out: depends on the years before and on the settings.
  carryover text not null,
  primary key (taxpayer_id, year)
);

create table calculations (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  id uuid not null,
  status text collate "C" not null check (status in ('running', 'completed', 'failed')),
  result jsonb,
  problem jsonb,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (taxpayer_id, id)
);
create index calculations_running on calculations (created_at) where status = 'running';

-- The wall, and the way out

do $$
declare
  name text;
begin
  foreach name in array array[
    'imports', 'import_events', 'import_rejects', 'transactions', 'transaction_sources', 'staged', 'ledgers', 'books', 'checkpoints',
    'disposals', 'wash_sales', 'incomes', 'contracts_1256', 'issues', 'lots', 'book_years', 'year_summaries', 'calculations'
  ] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy own on %I using (taxpayer_id = current_taxpayer())', name);
    execute format('grant select, insert, update, delete on %I to lotbook_app', name);
  end loop;
end
$$;

-- As the owner of the tables: the one who deletes a taxpayer may delete its books.
create function forget_ledger() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
  delete from book_years where taxpayer_id = old.id;
  delete from year_summaries where taxpayer_id = old.id;
  return old;
end
$$;
create trigger taxpayers_forgotten before delete on taxpayers for each row execute function forget_ledger();
