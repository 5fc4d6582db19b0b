-- The ledger: imports, the transactions they left, and what the taxpayer said about them.
-- The gains (0003) can be computed again from these tables, the valuations (0004) and the settings.

-- Imports

create table imports (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  id uuid not null,
  -- The order of the list: an import that started later has a larger one.
  sequence bigint generated always as identity,
  status text collate "C" not null check (status in ('running', 'completed', 'failed')),
  format text collate "C",
  -- Which of the format's headers the file had.
  layout text collate "C",
  file_name text,
  -- What the request said of the file, so that it can be read again: format, account, zone, order of dates, side.
  asked jsonb not null default '{}',
  -- The header row as the file has it, for the file of rejected lines.
  header text[],
  bytes bigint not null default 0,
  rows integer not null default 0,
  imported integer not null default 0,
  duplicates integer not null default 0,
  skipped integer not null default 0,
  -- Why lines were skipped, as JSON: each reason with its number of lines.
  skips jsonb not null default '[]',
  -- Lines that state money which does not agree: how many, and the first of them with what to check.
  warnings jsonb not null default '{"count": 0, "lines": []}',
  rejected integer not null default 0,
  first_day date,
  last_day date,
  years integer[] not null default '{}',
  created_at timestamptz not null,
  -- A running import whose server is gone no longer moves this.
  moved_at timestamptz not null,
  completed_at timestamptz,
  -- What is to be stored, of a file that has arrived whole and was answered: a job of any server stores it. Null while the
  -- request that brings the file is open, and when the import has ended.
  store_order json,
  problem jsonb,
  -- Another import of the same bytes, which keeps the text for both; null where it keeps its own.
  text_of uuid,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, sequence)
);
create index imports_of_text on imports (taxpayer_id, text_of) where text_of is not null;
create index imports_running on imports (moved_at) where status = 'running';
alter table imports enable row level security, force row level security;
create policy own on imports using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on imports to lotbook_app;

-- The event stream of an import, in order.
create table import_events (
  taxpayer_id uuid not null,
  import_id uuid not null,
  id bigint generated always as identity,
  kind text collate "C" not null check (kind in ('progress', 'books', 'done', 'failed')),
  data jsonb not null,
  primary key (taxpayer_id, import_id, id),
  foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade
);
alter table import_events enable row level security, force row level security;
create policy own on import_events using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on import_events to lotbook_app;

-- Lines that could not be read. `number` counts the rejects of one line. Each is an open question of its year until it
-- is mended, stated by another row, or set aside.
create table import_rejects (
  taxpayer_id uuid not null,
  import_id uuid not null,
  id uuid not null,
  line integer not null,
  number integer not null,
  column_name text,
  code text collate "C" not null,
  reason text not null,
  cells text[] not null,
  -- The day and the money of the line, without its sign, as far as they can be read.
  on_day date,
  amount numeric,
  -- Of format and cells, and which of equal lines of the file: one line of two files is one question.
  content text collate "C" not null,
  occurrence integer not null,
  -- Words that may be the symbol of its asset.
  words text[] collate "C" not null,
  -- 'staged' until the import is stored, then 'open', 'mended' by a row or 'dismissed' with a note.
  state text collate "C" not null default 'staged',
  -- Its own day; without one the last day of the import.
  asked_on date,
  note text not null default '',
  transaction_id uuid,
  settled_at timestamptz,
  -- The id of the issue that was accepted for many lines together. Null where the line was set aside by itself.
  accepted_as text collate "C",
  primary key (taxpayer_id, import_id, line, number),
  unique (taxpayer_id, id),
  foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade
);
create index import_rejects_by_content on import_rejects (taxpayer_id, content, occurrence);
alter table import_rejects enable row level security, force row level security;
create policy own on import_rejects using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on import_rejects to lotbook_app;

-- Rows of a file that state a stored row otherwise: each waits here until the taxpayer says whether it replaces that row,
-- is another transaction, or is left out. The answer stands in `resolutions`.
create table proposed_rows (
  taxpayer_id uuid not null,
  import_id uuid not null,
  -- The id that it has as a transaction: the same row of several files is one question.
  id uuid not null,
  -- The stored row from which it differs.
  transaction_id uuid not null,
  -- In its file, and counted from its oldest row.
  line integer not null,
  place integer not null,
  -- The edition of the stored row once it states the same.
  edition text collate "C" not null,
  -- The row as it was staged.
  content jsonb not null,
  primary key (taxpayer_id, import_id, id),
  foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade
);
create index proposed_rows_by_id on proposed_rows (taxpayer_id, id);
create index proposed_rows_of on proposed_rows (taxpayer_id, transaction_id);
alter table proposed_rows enable row level security, force row level security;
create policy own on proposed_rows using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on proposed_rows to lotbook_app;

-- The objects of a taxpayer in the bucket, where there is one. A row is there before its object, and goes after it, so that
-- no object is forgotten. It outlives its taxpayer until the object is removed.
create table blobs (
  taxpayer_id uuid not null,
  -- SHA-256 of the bytes, in hexadecimal digits. With the taxpayer it is the object's key.
  digest text collate "C" not null,
  bytes integer not null,
  -- When it was last put. An object that nothing names is removed some days later, as who puts it will name it.
  put_at timestamptz not null,
  -- The taxpayer is erased.
  erased_at timestamptz,
  primary key (taxpayer_id, digest)
);
create index blobs_erased on blobs (taxpayer_id, digest) where erased_at is not null;
alter table blobs enable row level security, force row level security;
create policy own on blobs using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on blobs to lotbook_app;

-- The text of the file, so that every transaction leads back to its line. A piece holds many lines and is compressed as
-- a whole: a row for each line would take many times the space.
create table import_texts (
  taxpayer_id uuid not null,
  import_id uuid not null,
  -- The physical line on which the piece begins, 1-based. A piece begins and ends with a record.
  first_line integer not null,
  -- The delimiter of cells: it says where quotes open, and so where a record ends.
  delimiter text not null,
  -- UTF-8, compressed by zstd. Null: it is in the bucket.
  content bytea,
  blob text collate "C",
  primary key (taxpayer_id, import_id, first_line),
  foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade,
  foreign key (taxpayer_id, blob) references blobs (taxpayer_id, digest),
  check ((content is null) <> (blob is null))
);
-- What is to be moved to the bucket, and what names an object there.
create index import_texts_to_move on import_texts (taxpayer_id) where blob is null;
create index import_texts_naming on import_texts (taxpayer_id, blob) where blob is not null;
-- It is compressed already. PostgreSQL 15 does not take `storage` in `create table`.
alter table import_texts alter column content set storage external;
alter table import_texts enable row level security, force row level security;
create policy own on import_texts using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on import_texts to lotbook_app;

-- Lines that made one transaction together, as JSON: lists of lines, many lists in a row.
create table import_groups (
  taxpayer_id uuid not null,
  import_id uuid not null,
  number integer not null,
  first_line integer not null,
  last_line integer not null,
  groups text not null,
  primary key (taxpayer_id, import_id, number),
  foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade
);
alter table import_groups enable row level security, force row level security;
create policy own on import_groups using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on import_groups to lotbook_app;

-- How files with a header that no format knows are read.
create table import_mappings (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  id uuid not null,
  -- SHA-256 of the column names.
  signature text collate "C" not null,
  header text[] not null,
  mapping jsonb not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, signature)
);
alter table import_mappings enable row level security, force row level security;
create policy own on import_mappings using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on import_mappings to lotbook_app;

-- Transactions

-- A statement by the taxpayer, in the columns of the Lotbook CSV. Null and '' mean "not stated". Large tables have no
-- foreign key to taxpayers, because it costs a look-up for every row; a trigger on taxpayers empties them (0003).
create table transactions (
  taxpayer_id uuid not null,
  -- Made of the fingerprint and the occurrence under the key of the taxpayer, so that the order of imports does not
  -- matter; random for one by hand.
  id uuid not null,
  -- SHA-256 of what the row means. Null for one by hand, which is never merged with another.
  fingerprint bytea,
  -- 1 for the first of several equal rows in a file, 2 for the second.
  occurrence integer,
  type text collate "C" not null,
  at timestamptz,
  on_day date not null,
  -- The time zone in which the day was read, where the import stated one; else the taxpayer's applies.
  time_zone text collate "C",
  account text collate "C" not null,
  asset text collate "C" not null,
  asset_class text collate "C" not null,
  -- What the class is decided from: what the row states, and what its broker or exchange trades in.
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
  -- The identified lots as JSON, label and quantity; '' for none.
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
  -- The first import that has the row, and the line in its file; null for one by hand. Most rows have one import only, so
  -- it stands here: a second table for all rows takes a quarter longer to store.
  import_id uuid,
  source_line integer,
  -- Its place in the source, oldest first: the smallest where several imports have it.
  line integer not null,
  -- The assets whose books it changes: first its own, then up to three others.
  asset_key text collate "C" not null,
  second_key text collate "C",
  third_key text collate "C",
  fourth_key text collate "C",
  -- Pairs of keys whose assets it joins into one book, as JSON.
  links text collate "C",
  -- Set by a correction: the digest of what it says now.
  edition text collate "C",
  created_at timestamptz not null,
  -- The order of lists within a day.
  moment timestamptz not null generated always as (coalesce(at, on_day::timestamp at time zone 'UTC')) stored,
  -- Changes with the numbers that follow from it.
  digest bigint not null generated always as (
    hashtextextended(
      id::text || '/' || line::text || '/' || asset_class || '/' || (on_day - date '2000-01-01')::text || '/' || coalesce(edition, ''),
      0
    )
  ) stored,
  primary key (taxpayer_id, id)
);
-- Lists by date, and the last day of the books.
create index transactions_by_day on transactions (taxpayer_id, on_day, moment, id);
-- The history of a book.
create index transactions_of_book on transactions (taxpayer_id, asset_key, on_day);
create index transactions_of_second on transactions (taxpayer_id, second_key, on_day) where second_key is not null;
create index transactions_of_third on transactions (taxpayer_id, third_key, on_day) where third_key is not null;
create index transactions_of_fourth on transactions (taxpayer_id, fourth_key, on_day) where fourth_key is not null;
create index transactions_joining on transactions (taxpayer_id) where links is not null;
-- Each import asks whether any rows were entered by hand. They are few.
create index transactions_by_hand on transactions (taxpayer_id) where import_id is null;
-- Each change asks what became worthless. It is little.
create index transactions_worthless on transactions (taxpayer_id) where type = 'worthless';
-- Those that may need a price: an amount is in another currency, or is missing.
create index transactions_to_value on transactions (taxpayer_id, asset_key, on_day)
  where currency <> 'USD'
    or (amount is null and type in ('trade', 'buy', 'sell', 'spend', 'fee', 'dividend', 'interest', 'staking', 'mining',
      'airdrop', 'reward', 'wages', 'other_income', 'reinvest'))
    or (fee is null and fee_asset <> '')
    or (fmv is null and type = 'inherit');
alter table transactions enable row level security, force row level security;
create policy own on transactions using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on transactions to lotbook_app;

-- All imports of a row that several imports have, and what each says; nothing of other rows. The row leaves with the
-- last of them. Where they differ, the smallest value counts, so that the order of imports does not matter.
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
alter table transaction_sources enable row level security, force row level security;
create policy own on transaction_sources using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on transaction_sources to lotbook_app;

-- Rows of an import whose file is still being read: the columns of transactions. Written under no lock; not logged,
-- because a crash ends the upload anyway.
create unlogged table staged (
  taxpayer_id uuid not null,
  import_id uuid not null,
  number integer not null,
  -- Of the first of equal rows. Those of the others are made once all are there.
  id uuid not null,
  fingerprint bytea not null,
  occurrence integer not null default 1,
  -- An equal row may stand before it in its file.
  repeated boolean not null,
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
  -- How many lines of the file it counts for: several where they made one row together, none where it is the second row
  -- of its line. So each line counts once.
  lines integer not null default 1,
  asset_key text collate "C" not null,
  second_key text collate "C",
  third_key text collate "C",
  fourth_key text collate "C",
  links text collate "C"
);
-- The rows of some books are stored while others are computed: each time only theirs are read.
create index staged_of_book on staged (taxpayer_id, import_id, asset_key);
alter table staged enable row level security, force row level security;
create policy own on staged using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on staged to lotbook_app;

-- Rows that two kinds of files word differently: the id that the second file's row would have, and the transaction it
-- is. The match is found once, by comparing; the same file again finds it here.
create table row_aliases (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  alias_id uuid not null,
  transaction_id uuid not null,
  -- The second file's own id of the row: it finds the match again where the row's wording has changed.
  external_id text collate "C" not null default '',
  primary key (taxpayer_id, alias_id)
);
create index row_aliases_of on row_aliases (taxpayer_id, transaction_id);
alter table row_aliases enable row level security, force row level security;
create policy own on row_aliases using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on row_aliases to lotbook_app;

-- Two transactions that may be the same, from two kinds of files, or a file and by hand. Both count until the taxpayer
-- decides.
create table possible_duplicates (
  taxpayer_id uuid not null,
  id uuid not null,
  -- The import that brought the first of the two.
  import_id uuid not null,
  transaction_id uuid not null,
  other_id uuid not null,
  detail text not null,
  -- The taxpayer said that both are true.
  dismissed_at timestamptz,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, transaction_id, other_id),
  foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade
);
create index possible_duplicates_of on possible_duplicates (taxpayer_id, other_id);
alter table possible_duplicates enable row level security, force row level security;
create policy own on possible_duplicates using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on possible_duplicates to lotbook_app;

-- Edits

-- What was changed by hand, of one transaction or of many at once, so that it can be undone.
create table edits (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  id uuid not null,
  -- The order of edits: a later one of the same row is undone first.
  sequence bigint not null generated always as identity,
  action text collate "C" not null check (action in ('change', 'delete', 'revert')),
  created_at timestamptz not null,
  undone_at timestamptz,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, sequence)
);
alter table edits enable row level security, force row level security;
create policy own on edits using (taxpayer_id = current_taxpayer());
grant select, insert, update on edits to lotbook_app;

-- The rows of an edit as they were before it.
create table edited_rows (
  taxpayer_id uuid not null,
  edit_id uuid not null,
  transaction_id uuid not null,
  -- The row of `transactions`, and its rows of `transaction_sources`.
  before jsonb not null,
  sources jsonb not null,
  primary key (taxpayer_id, edit_id, transaction_id),
  foreign key (taxpayer_id, edit_id) references edits (taxpayer_id, id) on delete cascade
);
create index edited_rows_of on edited_rows (taxpayer_id, transaction_id);
alter table edited_rows enable row level security, force row level security;
create policy own on edited_rows using (taxpayer_id = current_taxpayer());
grant select, insert, update on edited_rows to lotbook_app;

-- Answers to issues

-- The taxpayer's answers to what the books could not know.
create table resolutions (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  id uuid not null,
  -- The order of the answers. An issue that is open again is answered again.
  sequence bigint not null generated always as identity,
  -- Made of the transaction and what is unknown about it, so that it is the same after each replay.
  issue_id text collate "C" not null,
  action text collate "C" not null check (action in ('basis', 'pair', 'value', 'class', 'replace', 'add', 'accept')),
  -- The transaction that is read differently from now on. Of a pair it is the withdrawal, and the other is the deposit.
  transaction_id uuid not null,
  other_id uuid,
  -- The transaction by hand that the answer added.
  added_id uuid,
  -- What was answered: numbers and days as text.
  given jsonb not null,
  note text not null,
  -- The issue as it was then.
  issue jsonb not null,
  -- The transaction as it was then (resolutions/queries.ts). Once it states something else, the answer no longer counts. Null where it
  -- is not known.
  row_content jsonb,
  -- The first day that the answer changes in the book of its asset.
  asset_key text collate "C" not null,
  from_day date not null,
  created_at timestamptz not null,
  digest bigint not null generated always as (
    hashtextextended(issue_id || '/' || action || '/' || coalesce(other_id::text, '') || '/' || given::text, 6)
  ) stored,
  primary key (taxpayer_id, id)
);
create index resolutions_of_issue on resolutions (taxpayer_id, issue_id);
alter table resolutions enable row level security, force row level security;
create policy own on resolutions using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on resolutions to lotbook_app;

-- The state of the ledger

create table ledgers (
  taxpayer_id uuid not null primary key references taxpayers (id) on delete cascade,
  -- The sum of the digests of all transactions, valuations and answers. With the settings it names the state of the
  -- books, and it returns to its old value when an import is undone.
  content numeric not null,
  -- The version of the engine that computed the gains; another version computes them again before anybody reads them.
  -- Null where it is not known.
  engine text collate "C",
  -- The last day of all transactions when the gains were last computed. Options past their last day by then count as
  -- expired, so a later day may change the gains.
  through date
);
alter table ledgers enable row level security, force row level security;
create policy own on ledgers using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on ledgers to lotbook_app;

-- Keeps `ledgers.content` true. A statement of its own reads what was written, and no other one does: on a worker of Citus a
-- statement about `ledgers` is another one, which knows nothing of it.
create function count_digests() returns trigger language plpgsql as $$
declare
  change record;
begin
  if tg_op = 'INSERT' then
    for change in select taxpayer_id, sum(digest) as total from fresh group by taxpayer_id loop
      insert into ledgers (taxpayer_id, content) values (change.taxpayer_id, change.total)
        on conflict (taxpayer_id) do update set content = ledgers.content + excluded.content;
    end loop;
  elsif tg_op = 'DELETE' then
    for change in select taxpayer_id, sum(digest) as total from gone group by taxpayer_id loop
      update ledgers set content = content - change.total where ledgers.taxpayer_id = change.taxpayer_id;
    end loop;
  else
    for change in
      select taxpayer_id, sum(digest) as total
        from (select taxpayer_id, digest from fresh union all select taxpayer_id, -digest::numeric from gone) both_sides
        group by taxpayer_id
    loop
      update ledgers set content = content + change.total where ledgers.taxpayer_id = change.taxpayer_id;
    end loop;
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
-- An answer is never changed, only given and taken back.
create trigger resolutions_stored after insert on resolutions
  referencing new table as fresh for each statement execute function count_digests();
create trigger resolutions_removed after delete on resolutions
  referencing old table as gone for each statement execute function count_digests();
