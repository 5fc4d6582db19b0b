-- What an import leaves beside its rows: its text, how it was read, and what it may have told twice.

-- Which header of its format the file had; and why lines were skipped, as JSON: reason and number of lines.
alter table imports add column layout text collate "C";
alter table imports add column skips jsonb not null default '[]';

-- The text of the file, so that a row leads back to what was written. Not a row a line: a piece of many lines is
-- written once and compressed whole, which costs a fraction of the rows it explains.
create table import_texts (
  taxpayer_id uuid not null,
  import_id uuid not null,
  -- The physical line on which the piece begins, 1-based; a piece begins and ends with a record.
  first_line integer not null,
  -- What parts the cells: it says where quotes open, and so where a record ends.
  delimiter text not null,
  -- UTF-8, deflated.
  content bytea not null,
  primary key (taxpayer_id, import_id, first_line),
  foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade
);
alter table import_texts alter column content set storage external;

-- Lines that made one thing together, as JSON: lists of lines. Many in a row, for the same reason.
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

-- How files of a shape that no format knows are read.
create table import_mappings (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  id uuid not null,
  -- SHA-256 of the header's names.
  signature text collate "C" not null,
  header text[] not null,
  mapping jsonb not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, signature)
);

-- A row that may be the same as another one, told by another kind of file or by hand: both stand until somebody looked.
create table possible_duplicates (
  taxpayer_id uuid not null,
  id uuid not null,
  -- The import that brought the first of the two.
  import_id uuid not null,
  transaction_id uuid not null,
  other_id uuid not null,
  detail text not null,
  -- Somebody said that both are true.
  dismissed_at timestamptz,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, transaction_id, other_id),
  foreign key (taxpayer_id, import_id) references imports (taxpayer_id, id) on delete cascade
);
create index possible_duplicates_of on possible_duplicates (taxpayer_id, other_id);

do $$
declare
  name text;
begin
  foreach name in array array['import_texts', 'import_groups', 'import_mappings', 'possible_duplicates'] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy own on %I using (taxpayer_id = current_taxpayer())', name);
    execute format('grant select, insert, update, delete on %I to lotbook_app', name);
  end loop;
end
$$;
