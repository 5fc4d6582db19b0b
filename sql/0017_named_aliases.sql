-- What the source calls the row: by it a match is known again where the row's own name has changed.
alter table row_aliases add column external_id text collate "C" not null default '';
create index row_aliases_of on row_aliases (taxpayer_id, transaction_id);
