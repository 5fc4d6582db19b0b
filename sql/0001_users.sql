-- Users, the taxpayers whose books they reach, and how they sign in.
-- What every other file builds on stands first: the roles and the taxpayer of a transaction.

-- Two roles, which own nothing. Requests about books run as lotbook_app, which sees the rows of one taxpayer. All other
-- statements of the server run as lotbook_server, which inherits nothing and may do what 0008 says. Row-level security
-- is forced on every table of a taxpayer, so that it binds the owner of the tables too. Roles belong to the whole
-- cluster: another database may have made these already, or may be making them now.
do $$
begin
  if not exists (select from pg_roles where rolname = 'lotbook_app') then
    begin
      create role lotbook_app nologin;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  if not exists (select from pg_roles where rolname = 'lotbook_server') then
    begin
      create role lotbook_server nologin noinherit;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  -- Whoever made the roles may have granted them. If not, migrate.ts says so.
  begin
    grant lotbook_app to lotbook_server;
  exception when insufficient_privilege or unique_violation then null;
  end;
  if not (select rolsuper from pg_roles where rolname = current_user) then
    begin
      execute format('grant lotbook_server to %I', current_user);
    exception when insufficient_privilege or unique_violation then null;
    end;
  end if;
end
$$;

revoke create on schema public from public;
grant usage on schema public to lotbook_app, lotbook_server;
-- Whether the schema is current.
grant select on schema_migrations to lotbook_server;

-- The taxpayer of this database transaction: `set local app.taxpayer = '<uuid>'`. Null where none is set, and then no
-- policy lets any row through.
create function current_taxpayer() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.taxpayer', true), '')::uuid;

-- A person who signs in. The application's role cannot read this table: it belongs to no taxpayer.
create table users (
  id uuid not null,
  -- In lower case, so that a person has one account. Null from the moment in which the account is deleted until it is
  -- erased: nobody finds it by an address, which is free for a new account (account_deletions has it).
  email text collate "C",
  -- When its reader last used a link that was mailed there, or a provider vouched for it. Nothing waits for that.
  email_verified_at timestamptz,
  -- Null where the person signs in through a provider only.
  password_hash text,
  name text not null default '',
  plan text collate "C" not null default 'FREE',
  -- The account of the demo books, which visitors share. It has no password, and nothing of it can be changed.
  is_demo boolean not null default false,
  created_at timestamptz not null default now(),
  constraint users_pkey primary key (id),
  constraint users_email_key unique (email),
  constraint users_email_lower check (email = lower(email)),
  constraint users_plan_known check (plan in ('FREE', 'PRO', 'CPA'))
);

-- The tenant: whose books they are. A user has one of their own; each client of a CPA is another one.
create table taxpayers (
  id uuid not null,
  created_by uuid not null,
  -- The name its user gave it.
  name text not null default '',
  -- Name and number as printed on forms.
  taxpayer_name text not null default '',
  tin text not null default '',
  time_zone text collate "C" not null default 'UTC',
  settings jsonb not null default '{}',
  -- Goes up with each change of the numbers: an import, an edit, an election.
  revision bigint not null default 0,
  transactions_stored integer not null default 0,
  -- The secret under which rows are named (`RowIds`): equal rows of two taxpayers have nothing in common.
  id_key bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  created_at timestamptz not null default now(),
  constraint taxpayers_pkey primary key (id),
  constraint taxpayers_transactions_stored_known check (transactions_stored >= 0)
);
create index taxpayers_created_by on taxpayers (created_by);
alter table taxpayers enable row level security, force row level security;
create policy taxpayers_own on taxpayers using (id = current_taxpayer());
grant select, update on taxpayers to lotbook_app;

-- Which user reaches which taxpayer, and what they may do there. There is no other permission. `owner`: their own books;
-- `manager`: a client's that they made; the others were let in by the owner.
create table memberships (
  taxpayer_id uuid not null,
  user_id uuid not null,
  role text collate "C" not null,
  created_at timestamptz not null default now(),
  constraint memberships_pkey primary key (taxpayer_id, user_id),
  constraint memberships_taxpayer_fkey foreign key (taxpayer_id) references taxpayers (id) on delete cascade,
  constraint memberships_user_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint memberships_role_known check (role in ('owner', 'manager', 'reviewer', 'preparer', 'viewer'))
);
create index memberships_user on memberships (user_id);
alter table memberships enable row level security, force row level security;
create policy memberships_own on memberships using (taxpayer_id = current_taxpayer());
grant select on memberships to lotbook_app;

-- What a CPA records about a client beside the books.
create table clients (
  taxpayer_id uuid not null,
  email text,
  constraint clients_pkey primary key (taxpayer_id),
  constraint clients_taxpayer_fkey foreign key (taxpayer_id) references taxpayers (id) on delete cascade
);
alter table clients enable row level security, force row level security;
create policy clients_own on clients using (taxpayer_id = current_taxpayer());
grant select, insert, update (email) on clients to lotbook_app;

-- What a user asked another one for, or offered, by e-mail. Whether the address has an account is said to nobody. Only who
-- read the mail can accept: the SHA-256 of what its link holds is stored.
create table invitations (
  -- Who invites.
  user_id uuid not null,
  id uuid not null,
  -- 'request': to be let into the books of the invited; 'offer': lets them into one's own; 'handover': gives them a
  -- client; 'ownership': gives a client the books that were made for them, in which the inviter keeps the role.
  kind text collate "C" not null,
  email text collate "C" not null,
  role text collate "C" not null,
  -- Of all but a request. Without a foreign key: on Citus books stand on one worker, and invitations on all. Whoever deletes
  -- books deletes these first.
  books_id uuid,
  -- Of an offer: whose access ends when it is accepted.
  replaced_id uuid,
  token_hash bytea not null,
  state text collate "C" not null default 'open',
  mails integer not null default 1,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  settled_at timestamptz,
  constraint invitations_pkey primary key (user_id, id),
  constraint invitations_id_key unique (id),
  constraint invitations_user_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint invitations_kind_known check (kind in ('request', 'offer', 'handover', 'ownership')),
  constraint invitations_role_known check (role in ('viewer', 'preparer', 'reviewer', 'manager')),
  constraint invitations_state_known check (state in ('open', 'accepted', 'declined', 'withdrawn')),
  constraint invitations_books_known check ((kind = 'request') = (books_id is null)),
  constraint invitations_handover_whole check ((kind = 'handover') = (role = 'manager'))
);
create index invitations_of_email on invitations (email, created_at);
create index invitations_of_books on invitations (books_id) where books_id is not null;

-- Signing in

-- The cookie is `id.secret`. Only the SHA-256 of the secret is stored, so a copy of this table signs nobody in.
create table sessions (
  id text collate "C" not null,
  user_id uuid not null,
  secret_hash bytea not null,
  -- From the User-Agent header.
  device text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- When its user last proved who they are: by signing in, or by the password, a code or a passkey since.
  proved_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint sessions_pkey primary key (id),
  constraint sessions_user_fkey foreign key (user_id) references users (id) on delete cascade
);
create index sessions_user on sessions (user_id, created_at);

-- By which programs work for a user: `lot_`, the id, the secret. Of the secret only the SHA-256 is stored.
create table access_tokens (
  user_id uuid not null,
  id text collate "C" not null,
  secret_hash bytea not null,
  -- What its user calls it.
  name text not null,
  scopes text[] collate "C" not null,
  -- The one client whose books it reaches; null: all that its user reaches. A membership decides whether it still does.
  client_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  constraint access_tokens_pkey primary key (id),
  constraint access_tokens_user_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint access_tokens_scopes_known check (scopes <@ array['read', 'import', 'write', 'reports'] and scopes <> '{}')
);
create index access_tokens_user on access_tokens (user_id, created_at);

-- What a user bought, as Stripe says it. The plan of the user follows it.
create table subscriptions (
  user_id uuid not null,
  -- Stripe's id of the user.
  customer text collate "C" not null,
  -- Null until something was bought. `payment_due`: the plan goes on while Stripe tries again.
  standing text collate "C",
  -- Cancelled: it ends with the period.
  ends boolean not null default false,
  period_ends_at timestamptz,
  constraint subscriptions_pkey primary key (user_id),
  constraint subscriptions_customer_key unique (customer),
  constraint subscriptions_user_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint subscriptions_standing_known check (standing in ('paid', 'payment_due', 'ended'))
);

-- Messages of Stripe that were handled: each comes once or more.
create table stripe_events (
  id text collate "C" not null,
  received_at timestamptz not null default now(),
  constraint stripe_events_pkey primary key (id)
);

-- A user's account at a provider; `subject` is the provider's id of it.
create table identities (
  provider text collate "C" not null,
  subject text collate "C" not null,
  user_id uuid not null,
  created_at timestamptz not null,
  constraint identities_pkey primary key (provider, subject),
  constraint identities_user_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint identities_provider_known check (provider in ('google', 'github'))
);
-- One of each provider: it is named by it.
create unique index identities_user on identities (user_id, provider);

-- A sign-in through a provider that is under way; used once. Only the browser's cookie holds the state itself.
create table sign_in_flows (
  state_hash bytea not null,
  provider text collate "C" not null,
  code_verifier text not null,
  -- The signed-in user to whom the account at the provider is to be linked. Null: it signs in.
  user_id uuid,
  expires_at timestamptz not null,
  constraint sign_in_flows_pkey primary key (state_hash),
  constraint sign_in_flows_user_fkey foreign key (user_id) references users (id) on delete cascade
);
create index sign_in_flows_expires on sign_in_flows (expires_at);
create index sign_in_flows_user on sign_in_flows (user_id);

-- A sign-in through a provider that went well and waits for the second factor, by the SHA-256 of its cookie.
create table pending_sign_ins (
  token_hash bytea not null,
  user_id uuid not null,
  expires_at timestamptz not null,
  constraint pending_sign_ins_pkey primary key (token_hash),
  constraint pending_sign_ins_user_fkey foreign key (user_id) references users (id) on delete cascade
);
create index pending_sign_ins_user on pending_sign_ins (user_id);
create index pending_sign_ins_expires on pending_sign_ins (expires_at);

-- A browser in which a user signed in before, by the SHA-256 of its cookie. One cookie serves all users of the browser.
create table devices (
  user_id uuid not null,
  secret_hash bytea not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  constraint devices_pkey primary key (user_id, secret_hash),
  constraint devices_user_fkey foreign key (user_id) references users (id) on delete cascade
);

-- Wrong passwords and codes: each adds one to the level of a bucket, which sinks with time. All servers count here.
create table wrong_guesses (
  -- SHA-256 of what the bucket counts by: an address, an account, a session. Nobody reads here who was guessed at.
  bucket text collate "C" not null,
  level double precision not null,
  counted_at timestamptz not null,
  constraint wrong_guesses_pkey primary key (bucket)
);
create index wrong_guesses_by_age on wrong_guesses (counted_at);

-- The key that an authenticator app shares with us (RFC 6238). It asks for nothing until its first code was sent back.
create table totp_keys (
  user_id uuid not null,
  -- Codes are computed from it, so that it cannot be stored as a hash. Encrypted, and by which of the server's keys.
  sealed bytea not null,
  key_id text collate "C" not null,
  confirmed_at timestamptz,
  -- The step of time of the newest code that was taken: none is taken twice.
  last_step bigint not null default 0,
  constraint totp_keys_pkey primary key (user_id),
  constraint totp_keys_user_fkey foreign key (user_id) references users (id) on delete cascade
);

-- What all servers of this database share and nobody chose: a key that encrypts, where SECRET_KEY of the environment is not set.
create table server_secrets (
  name text collate "C" not null,
  secret bytea not null,
  constraint server_secrets_pkey primary key (name)
);

-- A key pair that an authenticator of the user keeps for this site (WebAuthn). We hold its public half.
create table passkeys (
  user_id uuid not null,
  id uuid not null,
  -- In base64url, as browsers write it.
  credential_id text collate "C" not null,
  -- As COSE writes keys.
  public_key bytea not null,
  -- Of the signatures that it made, where it counts them: one that does not go up is of a copy.
  counter bigint not null,
  -- What its user calls it.
  name text not null,
  -- Kept by more than one device.
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint passkeys_pkey primary key (user_id, id),
  constraint passkeys_credential_key unique (credential_id),
  constraint passkeys_user_fkey foreign key (user_id) references users (id) on delete cascade
);

-- What a passkey has to sign, once, by its SHA-256. With a user: to add a passkey to the account; else to sign in.
create table passkey_challenges (
  challenge_hash bytea not null,
  user_id uuid,
  expires_at timestamptz not null,
  constraint passkey_challenges_pkey primary key (challenge_hash),
  constraint passkey_challenges_user_fkey foreign key (user_id) references users (id) on delete cascade
);
create index passkey_challenges_user on passkey_challenges (user_id);
create index passkey_challenges_expires on passkey_challenges (expires_at);

-- Each signs in once in the place of a second factor, for who lost it. By their SHA-256: they are random.
create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey primary key (user_id, code_hash),
  constraint recovery_codes_user_fkey foreign key (user_id) references users (id) on delete cascade
);

-- A mailed link by which its reader sets a new password, once. Only the SHA-256 of what the link holds is stored.
create table password_resets (
  token_hash bytea not null,
  user_id uuid not null,
  expires_at timestamptz not null,
  constraint password_resets_pkey primary key (token_hash),
  constraint password_resets_user_fkey foreign key (user_id) references users (id) on delete cascade
);
create index password_resets_user on password_resets (user_id);
create index password_resets_expires on password_resets (expires_at);

-- A mailed link that gives a user another address, by the SHA-256 of its token.
create table email_changes (
  token_hash bytea not null,
  user_id uuid not null,
  email text collate "C" not null,
  expires_at timestamptz not null,
  constraint email_changes_pkey primary key (token_hash),
  constraint email_changes_user_fkey foreign key (user_id) references users (id) on delete cascade
);
create index email_changes_user on email_changes (user_id);
create index email_changes_expires on email_changes (expires_at);

-- A mailed link that shows that the address of an account is read, by the SHA-256 of its token.
create table email_verifications (
  token_hash bytea not null,
  user_id uuid not null,
  email text collate "C" not null,
  expires_at timestamptz not null,
  constraint email_verifications_pkey primary key (token_hash),
  constraint email_verifications_user_fkey foreign key (user_id) references users (id) on delete cascade
);
create index email_verifications_user on email_verifications (user_id);
create index email_verifications_expires on email_verifications (expires_at);

-- Who did what

-- Of the books and the account of a taxpayer. Entries are added and read: neither role may change or delete one. They go
-- with the taxpayer, as all the data.
create table audit_entries (
  taxpayer_id uuid not null,
  -- In the order of their beginnings, which is nearly that of their commits.
  sequence bigint not null generated always as identity,
  at timestamptz not null,
  action text collate "C" not null,
  -- The id, or the year, that the request was about.
  subject text,
  -- A user, a token of theirs, an operator, or anyone who asked in the name of the account.
  actor text collate "C" not null,
  user_id uuid,
  -- Of the user, at that time: an account may have another address since, or be gone.
  email text,
  token_id text collate "C",
  token_name text,
  -- Null for an operator, who asks from the server itself.
  address text,
  request_id uuid,
  constraint audit_entries_pkey primary key (taxpayer_id, sequence),
  constraint audit_entries_taxpayer_fkey foreign key (taxpayer_id) references taxpayers (id) on delete cascade,
  constraint audit_entries_actor_known check (actor in ('user', 'token', 'operator', 'anyone'))
);
alter table audit_entries enable row level security, force row level security;
create policy audit_entries_own on audit_entries using (taxpayer_id = current_taxpayer());
grant select, insert on audit_entries to lotbook_app;

-- Whether this transaction has changed anything: asked with a column, so that a cluster of Citus asks the worker whose row
-- it is. `immutable` says no more than that: the coordinator, which changes nothing itself, would answer a stable function.
create function has_changed_anything(taxpayer uuid) returns boolean language sql immutable parallel unsafe as
  'select pg_current_xact_id_if_assigned() is not null';

-- Tries to sign in, or to prove once more who one is, that failed. The first of a kind from a network within an hour is an
-- entry of the audit trail; here stands how many there were. Ten networks an hour are told apart, '' is all the others: so
-- the trail grows by a bounded number of entries a day, however much is tried.
create table sign_in_failures (
  taxpayer_id uuid not null,
  hour timestamptz not null,
  network text collate "C" not null,
  action text collate "C" not null,
  -- By what: 'password', 'code', 'passkey'.
  way text collate "C" not null,
  -- The entry.
  sequence bigint not null,
  tries integer not null,
  last_at timestamptz not null,
  constraint sign_in_failures_pkey primary key (taxpayer_id, hour, network, action, way),
  constraint sign_in_failures_entry_key unique (taxpayer_id, sequence),
  constraint sign_in_failures_entry_fkey foreign key (taxpayer_id, sequence) references audit_entries (taxpayer_id, sequence) on delete cascade
);
alter table sign_in_failures enable row level security, force row level security;
create policy sign_in_failures_own on sign_in_failures using (taxpayer_id = current_taxpayer());
grant select, insert, update (tries, last_at) on sign_in_failures to lotbook_app;

-- Accounts that are deleted and not erased yet: nobody uses them, and until then the deletion can be taken back.
create table account_deletions (
  user_id uuid not null,
  -- Of the account, as before and again when the deletion is taken back.
  email text collate "C" not null,
  -- SHA-256 of what the mailed link holds that takes the deletion back.
  token_hash bytea not null,
  requested_at timestamptz not null,
  erase_at timestamptz not null,
  by_operator boolean not null,
  constraint account_deletions_pkey primary key (user_id),
  constraint account_deletions_token_key unique (token_hash),
  constraint account_deletions_user_fkey foreign key (user_id) references users (id) on delete cascade
);
create index account_deletions_of_email on account_deletions (email, requested_at);
create index account_deletions_due on account_deletions (erase_at);

-- Accounts that were erased, and nothing else of them: whoever restores a backup erases them again.
create table deleted_accounts (
  user_id uuid not null,
  deleted_at timestamptz not null,
  by_operator boolean not null,
  constraint deleted_accounts_pkey primary key (user_id)
);

-- Repeated requests

-- A request under an Idempotency-Key and, once it has committed, its response. The response is written in the same
-- database transaction as the work, so there is no work without it. The claim of a server that died expires.
create table idempotency_keys (
  taxpayer_id uuid not null,
  user_id uuid not null,
  route text collate "C" not null,
  key text collate "C" not null,
  -- SHA-256 of the request. Null while an upload is still being read.
  fingerprint text collate "C",
  -- The attempt that may respond, and until when it holds the key.
  claim uuid not null,
  claimed_until timestamptz not null,
  created_at timestamptz not null,
  status integer,
  body text,
  constraint idempotency_keys_pkey primary key (taxpayer_id, user_id, route, key),
  constraint idempotency_keys_taxpayer_fkey foreign key (taxpayer_id) references taxpayers (id) on delete cascade,
  constraint idempotency_keys_user_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint idempotency_keys_answer_whole check ((status is null) = (body is null))
);
create index idempotency_keys_user on idempotency_keys (user_id);
create index idempotency_keys_by_age on idempotency_keys (created_at);
alter table idempotency_keys enable row level security, force row level security;
create policy idempotency_keys_own on idempotency_keys using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on idempotency_keys to lotbook_app;
