-- Decisions depend on these columns, so that every text can be reworded.

-- What makes two rows a possible duplicate: files that contain the same movement, or two names that the settings join.
alter table possible_duplicates add column kind text collate "C" not null default 'files';
alter table possible_duplicates no force row level security;
update possible_duplicates set kind = 'names' where detail like 'Another file has %under another name of the security.%';
alter table possible_duplicates force row level security;
alter table possible_duplicates add constraint possible_duplicates_kind_known check (kind in ('files', 'names'));

-- The units in question, and the last day of an open wash sale window. Books of an earlier version are computed again.
alter table issues add column units numeric, add column closes_on date;
-- The units of an issue when it was accepted. If they grow, the issue opens again.
alter table resolutions no force row level security;
update resolutions
set issue = issue || ('{"units": "' || substring(issue ->> 'detail' from '^([0-9]+(?:[.][0-9]+)?) ') || '"}')::jsonb
where action = 'accept' and issue ->> 'detail' ~ '^[0-9]+([.][0-9]+)? ';
alter table resolutions force row level security;

-- Whether the law exempts the sale from Forms 1099-B and 1099-DA.
alter table disposals add column form_exempt boolean not null default false;

-- Whether the row lacks data, so that the transaction has to be entered manually.
alter table import_rejects add column manual boolean not null default false;
alter table import_rejects no force row level security;
update import_rejects set manual = true where reason ~ 'by hand|manually';
alter table import_rejects force row level security;

-- The accounts whose form the taxpayer was asked to confirm.
alter table notifications no force row level security;
alter table notified_subjects no force row level security;
insert into notified_subjects (taxpayer_id, kind, subject, until_on)
select distinct taxpayer_id, kind, substring(title from '^Confirm the (?:tax )?form of (.+)$'), date '9999-12-31'
from notifications where kind = 'confirm_form' and title ~ '^Confirm the (tax )?form of .'
on conflict do nothing;
alter table notifications force row level security;
alter table notified_subjects force row level security;

-- The locked year that an import or a calculation would have changed.
alter table imports no force row level security;
update imports set problem = problem || ('{"year": ' || substring(problem ->> 'detail' from '^[0-9]{4}') || '}')::jsonb
where problem ->> 'code' = 'year_locked' and problem ->> 'detail' ~ '^[0-9]{4} ';
alter table imports force row level security;
alter table calculations no force row level security;
update calculations set problem = problem || ('{"year": ' || substring(problem ->> 'detail' from '^[0-9]{4}') || '}')::jsonb
where problem ->> 'code' = 'year_locked' and problem ->> 'detail' ~ '^[0-9]{4} ';
alter table calculations force row level security;
