-- One table of everything that works once and ends by itself: mailed links, sign-ins under way, challenges of passkeys.

-- The security stamp of a user. It goes up when the password changes or is reset, when all sessions end, and when the account
-- is restored. A token that was issued under an earlier stamp no longer works.
alter table users add column stamp integer not null default 0;

create table one_time_tokens (
  -- Each kind, with its lifetime: src/features/auth/one-time-tokens/kinds.ts.
  kind text collate "C" not null,
  -- The SHA-256 of the token. Only its holder has the token itself.
  token_hash bytea not null,
  -- Null until the user is known: a sign-in through a provider or by a passkey.
  user_id uuid,
  payload jsonb not null,
  -- The stamp of the user that the token is bound to. Null: the token survives a change of the stamp.
  stamp integer,
  expires_at timestamptz not null,
  constraint one_time_tokens_pkey primary key (token_hash),
  constraint one_time_tokens_stamp_of_user check (stamp is null or user_id is not null)
);
create index one_time_tokens_user on one_time_tokens (user_id, kind);
create index one_time_tokens_expires on one_time_tokens (expires_at);
-- An address that its previous user may get back is not free.
create index one_time_tokens_previous_email on one_time_tokens ((payload ->> 'email')) where kind = 'email_undo';
grant select, insert, delete on one_time_tokens to lotbook_server;
alter table one_time_tokens add constraint one_time_tokens_user_fkey foreign key (user_id) references users (id) on delete cascade;

-- Open tokens move. Links that are under way keep working. No password link confirms the address: an operator may have
-- made it (`lotbook user reset-password`).
insert into one_time_tokens (kind, token_hash, user_id, payload, stamp, expires_at)
select 'password_reset', token_hash, user_id, '{"isMailed": false}'::jsonb, 0, expires_at from password_resets;
insert into one_time_tokens (kind, token_hash, user_id, payload, stamp, expires_at)
select 'email_change', token_hash, user_id, jsonb_build_object('email', email), 0, expires_at from email_changes;
insert into one_time_tokens (kind, token_hash, user_id, payload, stamp, expires_at)
select 'email_verification', token_hash, user_id, jsonb_build_object('email', email), 0, expires_at from email_verifications;
insert into one_time_tokens (kind, token_hash, user_id, payload, stamp, expires_at)
select 'account_restore', token_hash, user_id, '{}'::jsonb, null, erase_at from account_deletions;
insert into one_time_tokens (kind, token_hash, user_id, payload, stamp, expires_at)
select 'second_factor', token_hash, user_id, '{}'::jsonb, 0, expires_at from pending_sign_ins;
insert into one_time_tokens (kind, token_hash, user_id, payload, stamp, expires_at)
select 'provider_sign_in', state_hash, user_id,
  jsonb_build_object('provider', provider, 'codeVerifier', code_verifier, 'timeZone', time_zone),
  case when user_id is not null then 0 end, expires_at
from sign_in_flows;
insert into one_time_tokens (kind, token_hash, user_id, payload, stamp, expires_at)
select 'passkey_challenge', challenge_hash, user_id, '{}'::jsonb, case when user_id is not null then 0 end, expires_at
from passkey_challenges;
insert into one_time_tokens (kind, token_hash, user_id, payload, stamp, expires_at)
select 'invitation', token_hash, user_id, jsonb_build_object('invitation', id), 0, expires_at
from invitations where state = 'open' and expires_at > now();

drop table password_resets;
drop table email_changes;
drop table email_verifications;
drop table pending_sign_ins;
drop table sign_in_flows;
drop table passkey_challenges;
alter table account_deletions drop column token_hash;
alter table invitations drop column token_hash;
