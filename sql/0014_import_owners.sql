-- Which server runs an import: the name of its sessions in this database. Where none of that name is there any more, it
-- is gone, and so is what it had not stored.
alter table imports add column owner text collate "C";
