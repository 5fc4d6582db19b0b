-- The result that a row states and the one computed from its file, of a row that was read and whose results differ. Rows
-- stored before have both numbers only in their reason.
alter table import_rejects add column stated numeric, add column computed numeric;
alter table import_rejects no force row level security;
update import_rejects
set stated = substring(reason from '^the file states (-?[0-9.]+), and ')::numeric,
  computed = substring(reason from ' make (-?[0-9.]+): they differ by ')::numeric
where code = 'result_differs' and reason ~ '^the file states -?[0-9.]+, and .* make -?[0-9.]+: they differ by ';
alter table import_rejects force row level security;
