-- Messages: the conversation with the assistant, and notifications.

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
alter table messages enable row level security, force row level security;
create policy own_messages on messages using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on messages to lotbook_app;

-- Questions asked per day. They count for the taxpayer of the user who asks, also where the question is about a client.
create table ai_usage (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  -- A day in UTC.
  day date not null,
  used integer not null check (used >= 0),
  primary key (taxpayer_id, day)
);
alter table ai_usage enable row level security, force row level security;
create policy own_ai_usage on ai_usage using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on ai_usage to lotbook_app;

create table notifications (
  taxpayer_id uuid not null,
  -- Goes up within a taxpayer in the order of commits, so that a stream resumed after one misses none.
  sequence bigint not null,
  kind text collate "C" not null,
  title text not null,
  body text not null,
  link text,
  created_at timestamptz not null,
  read_at timestamptz,
  constraint notifications_pkey primary key (taxpayer_id, sequence),
  constraint notifications_taxpayer_fkey foreign key (taxpayer_id) references taxpayers (id) on delete cascade
);
alter table notifications enable row level security, force row level security;
create policy notifications_own on notifications using (taxpayer_id = current_taxpayer());
grant select, insert, update on notifications to lotbook_app;

-- Kinds of notifications that a taxpayer switched off.
create table muted_notifications (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  kind text collate "C" not null,
  primary key (taxpayer_id, kind)
);
alter table muted_notifications enable row level security, force row level security;
create policy own_muted_notifications on muted_notifications using (taxpayer_id = current_taxpayer());
grant select, insert, delete on muted_notifications to lotbook_app;

-- What notifications were about, so that each lot, sale or limit is said once. A row goes after the day until which it could
-- be said again.
create table notified_subjects (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  kind text collate "C" not null,
  subject text collate "C" not null,
  until_on date not null,
  primary key (taxpayer_id, kind, subject)
);
alter table notified_subjects enable row level security, force row level security;
create policy own_notified_subjects on notified_subjects using (taxpayer_id = current_taxpayer());
grant select, insert, delete on notified_subjects to lotbook_app;

-- Who has the news of which books mailed: the user who chose it. Without a row nothing is mailed.
create table digests (
  taxpayer_id uuid not null,
  user_id uuid not null,
  frequency text collate "C" not null check (frequency in ('daily', 'weekly')),
  -- The first day of the last period that was seen to. Of several servers one moves it, and mails.
  period_on date not null,
  -- The last notification that was mailed, or was there when it was chosen.
  sequence bigint not null,
  primary key (taxpayer_id, user_id),
  foreign key (taxpayer_id, user_id) references memberships (taxpayer_id, user_id) on delete cascade
);
create index digests_by_period on digests (period_on);
alter table digests enable row level security, force row level security;
create policy own_digests on digests using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on digests to lotbook_app;
