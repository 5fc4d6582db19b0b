-- The names that a row states, as JSON, where the settings book it under others (assets[X].sameAs). Null for nearly all
-- rows: the columns of its assets have the names of the books.
alter table transactions add column stated_names text collate "C";
alter table staged add column stated_names text collate "C";
