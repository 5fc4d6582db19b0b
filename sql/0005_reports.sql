-- Reports, each with the books it was made of.

create table reports (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  -- Made of the year, the revision and the settings: the same books give the same report.
  id text collate "C" not null,
  sequence bigint generated always as identity,
  year integer not null,
  revision text collate "C" not null,
  as_of text collate "C" not null,
  -- Names the copy of the books. Reports of several revisions share one where the year did not change.
  digest text collate "C" not null,
  -- A digest of the printed name and number: once they change, the report is stale.
  printed_for text collate "C" not null,
  created_at timestamptz not null,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, sequence)
);
create index reports_by_year on reports (taxpayer_id, year, sequence);
create index reports_by_digest on reports (taxpayer_id, digest);
alter table reports enable row level security, force row level security;
create policy own_reports on reports using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on reports to lotbook_app;

-- A copy of the books of a year, compressed, in parts. A report prints from it, so its bytes never change.
create table report_books (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  digest text collate "C" not null,
  part integer not null,
  -- Null: it is in the bucket.
  content bytea,
  blob text collate "C",
  primary key (taxpayer_id, digest, part),
  foreign key (taxpayer_id, blob) references blobs (taxpayer_id, digest),
  check ((content is null) <> (blob is null))
);
create index report_books_to_move on report_books (taxpayer_id) where blob is null;
create index report_books_naming on report_books (taxpayer_id, blob) where blob is not null;
alter table report_books enable row level security, force row level security;
create policy own_report_books on report_books using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on report_books to lotbook_app;
