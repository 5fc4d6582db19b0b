-- A row carries the import that told it first: most rows are told by one import only, and a second table with two
-- indexes for them cost a quarter of what storing them took.

alter table transactions
  -- Null for one by hand. Always one of those that tell it.
  add column import_id uuid,
  -- The line in the file of that import. Its place, zone and classes are the row's own as long as nobody else tells it.
  add column source_line integer;

update transactions t set import_id = s.import_id, source_line = s.line
from (
  select distinct on (s.taxpayer_id, s.transaction_id) s.taxpayer_id, s.transaction_id, s.import_id, s.line
  from transaction_sources s join imports i on i.taxpayer_id = s.taxpayer_id and i.id = s.import_id
  order by s.taxpayer_id, s.transaction_id, i.sequence
) s
where t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id;

-- From now on `transaction_sources` holds all that tell a row which several imports tell, and nothing of other rows.
delete from transaction_sources s where not exists (
  select from transaction_sources o
  where o.taxpayer_id = s.taxpayer_id and o.transaction_id = s.transaction_id and o.import_id <> s.import_id
);

-- What was staged belongs to imports that a stopped server left.
truncate staged;
alter table staged
  -- That of the first of equal rows; for the others it is made when all are there.
  add column id uuid not null,
  add column occurrence integer not null default 1,
  -- An equal row may stand before it in its file.
  add column repeated boolean not null,
  drop constraint staged_pkey;
create index staged_of_import on staged (taxpayer_id, import_id);

-- Asked once a statement instead of once a row.
alter policy own on transactions using (taxpayer_id = (select current_taxpayer()));
alter policy own on staged using (taxpayer_id = (select current_taxpayer()));
