-- Rows that two kinds of files tell in different words: what the second one says of a row that is there already. Found
-- once by comparing, so that the same file again finds them at once and for certain.
create table row_aliases (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  -- The id that the row would have by the words of the second file.
  alias_id uuid not null,
  transaction_id uuid not null,
  primary key (taxpayer_id, alias_id)
);

alter table row_aliases enable row level security;
create policy own on row_aliases using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on row_aliases to lotbook_app;
