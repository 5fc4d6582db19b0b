-- Failures in a row: of each account from everywhere, and of each known browser and session by itself.

create table account_guesses (
  -- SHA-256 of the user's id, or of an address without an account: both get the same responses.
  account text collate "C" not null,
  -- Null: no account has the address.
  user_id uuid,
  -- Wrong passwords and wrong codes of the second factor since the last sign-in. A try counts before it is checked.
  passwords integer not null,
  codes integer not null,
  started_at timestamptz not null,
  tried_at timestamptz not null,
  -- Beyond the ceiling: when a link was last mailed or, without mail, when a try was last allowed.
  paced_at timestamptz,
  -- When the owner was notified.
  notified_at timestamptz,
  constraint account_guesses_pkey primary key (account)
);
-- Not unique, though `account` has one value for each user: two inserts at once would break it before `on conflict` sees
-- the conflict of their keys.
create index account_guesses_user on account_guesses (user_id);
create index account_guesses_tried on account_guesses (tried_at);
grant select, insert, update, delete on account_guesses to lotbook_server;
alter table account_guesses add constraint account_guesses_user_fkey foreign key (user_id) references users (id) on delete cascade;

-- A browser with too many failures in a row is unknown again, and such a session ends.
alter table devices add column failures integer not null default 0;
-- False: a mailed link made the browser known, and nobody has signed in with it yet.
alter table devices add column has_signed_in boolean not null default true;
alter table sessions add column failures integer not null default 0;

drop policy server_adds on notifications;
create policy server_adds on notifications for insert to lotbook_server with check (kind in (
  'import_failed', 'access_changed', 'review_changed', 'note_changed', 'plan_changed', 'new_sign_in', 'sign_in_guesses'));
