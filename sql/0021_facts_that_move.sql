-- A row that becomes one of another asset takes its facts to another book, which may be written before the one that they
-- leave: an id is one fact's when all books of a change are written, not before.
alter table incomes
  drop constraint incomes_pkey,
  add constraint incomes_pkey primary key (taxpayer_id, id) deferrable initially deferred;
alter table contracts_1256
  drop constraint contracts_1256_pkey,
  add constraint contracts_1256_pkey primary key (taxpayer_id, id) deferrable initially deferred;
alter table issues
  drop constraint issues_pkey,
  add constraint issues_pkey primary key (taxpayer_id, id) deferrable initially deferred;
