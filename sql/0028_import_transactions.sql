-- The transactions that the rows of a file created. A row can create several, such as a trade and its fee. Null for imports from
-- earlier versions.
alter table imports add column transactions integer;
