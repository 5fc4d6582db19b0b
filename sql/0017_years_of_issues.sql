-- Further tax years whose forms are drafts because of an issue: rows near New Year may belong to the year before or after.
alter table issues add column other_years text[] collate "C" not null default '{}';
