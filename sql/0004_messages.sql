-- Questions to the assistant, how many a day, and reports with the books they were made of.

create table messages (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  id text collate "C" not null,
  -- The order of the conversation: a question directly before its answer.
  sequence bigint generated always as identity,
  role text collate "C" not null check (role in ('user', 'assistant')),
  content text not null,
  citations jsonb not null default '[]',
  created_at timestamptz not null,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, sequence)
);

-- Counted on the books of the person who asks, whosever books the question is about.
create table ai_usage (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  -- A day in UTC.
  day date not null,
  used integer not null check (used >= 0),
  primary key (taxpayer_id, day)
);

create table reports (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  -- Made of the year, the revision and the settings: the same books give the same report.
  id text collate "C" not null,
  sequence bigint generated always as identity,
  year integer not null,
  revision text collate "C" not null,
  as_of text collate "C" not null,
  -- Names the frozen books; reports of revisions that left the year as it was share them.
  digest text collate "C" not null,
  -- A digest of the name and number printed: with another one a report is stale, too.
  printed_for text collate "C" not null,
  created_at timestamptz not null,
  primary key (taxpayer_id, id),
  unique (taxpayer_id, sequence)
);

create index reports_by_year on reports (taxpayer_id, year, sequence);
create index reports_by_digest on reports (taxpayer_id, digest);

-- The books of a year as they stood, compressed, in parts: what a report prints never changes after it was made.
create table report_books (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  digest text collate "C" not null,
  part integer not null,
  content bytea not null,
  primary key (taxpayer_id, digest, part)
);

alter table messages enable row level security;
alter table ai_usage enable row level security;
alter table reports enable row level security;
alter table report_books enable row level security;

create policy own_messages on messages using (taxpayer_id = current_taxpayer());
create policy own_ai_usage on ai_usage using (taxpayer_id = current_taxpayer());
create policy own_reports on reports using (taxpayer_id = current_taxpayer());
create policy own_report_books on report_books using (taxpayer_id = current_taxpayer());

grant select, insert, update, delete on messages, ai_usage, reports, report_books to lotbook_app;
