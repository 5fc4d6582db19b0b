-- Sessions, sign-in through providers, idempotency keys, notifications, and what a CPA notes of a client.

-- The cookie is `id.secret`; only the secret's SHA-256 is here, so a copy of this table signs nobody in.
create table sessions (
  id text collate "C" not null,
  user_id uuid not null,
  secret_hash bytea not null,
  -- What the browser says of itself.
  device text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  constraint sessions_pkey primary key (id),
  constraint sessions_user_fkey foreign key (user_id) references users (id) on delete cascade
);
create index sessions_user on sessions (user_id, created_at);

-- A person as a provider knows them.
create table identities (
  provider text collate "C" not null,
  subject text collate "C" not null,
  user_id uuid not null,
  created_at timestamptz not null,
  constraint identities_pkey primary key (provider, subject),
  constraint identities_user_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint identities_provider_known check (provider in ('google', 'github'))
);
create index identities_user on identities (user_id);

-- One way to a provider and back, used once. The state itself is in the browser's cookie only.
create table sign_in_flows (
  state_hash bytea not null,
  provider text collate "C" not null,
  code_verifier text not null,
  expires_at timestamptz not null,
  constraint sign_in_flows_pkey primary key (state_hash)
);
create index sign_in_flows_expires on sign_in_flows (expires_at);

-- A creating request and, once it has committed, its answer. The answer is written in the transaction of the work, so
-- there is no work without its answer; a claim whose server died runs out by itself.
create table idempotency_keys (
  taxpayer_id uuid not null,
  user_id uuid not null,
  route text collate "C" not null,
  key text collate "C" not null,
  -- SHA-256 of what was asked; null until an upload's is known.
  fingerprint text collate "C",
  -- Which attempt may answer, and until when it holds the key.
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
alter table idempotency_keys enable row level security;
create policy idempotency_keys_own on idempotency_keys using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on idempotency_keys to lotbook_app;

create table notifications (
  taxpayer_id uuid not null,
  -- Counts up within a taxpayer in the order of commits, so that a stream resumed after one misses none.
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
alter table notifications enable row level security;
create policy notifications_own on notifications using (taxpayer_id = current_taxpayer());
grant select, insert, update on notifications to lotbook_app;

-- What a CPA notes of a client beside the books.
create table clients (
  taxpayer_id uuid not null,
  email text,
  constraint clients_pkey primary key (taxpayer_id),
  constraint clients_taxpayer_fkey foreign key (taxpayer_id) references taxpayers (id) on delete cascade
);
alter table clients enable row level security;
create policy clients_own on clients using (taxpayer_id = current_taxpayer());
grant select on clients to lotbook_app;
