-- The number of transactions that the rows of a file created. A row can create several, and several rows can create one. Null
-- for imports from earlier versions.
alter table imports add column transactions integer;
