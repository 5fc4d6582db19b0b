-- The platform: who signs in, whose books there are, who may reach them, and the wall between taxpayers.

-- The role that requests about books run as. It owns nothing, so that row-level security binds it. Roles belong to the
-- whole server: another database on it may have made this one already, or be making it now.
do $$
begin
  if not exists (select from pg_roles where rolname = 'lotbook_app') then
    begin
      create role lotbook_app nologin;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  if not (select rolsuper from pg_roles where rolname = current_user) then
    begin
      execute format('grant lotbook_app to %I', current_user);
    exception when insufficient_privilege then null; -- granted by whoever made the role, or `set role` says so
    end;
  end if;
end
$$;

revoke create on schema public from public;
grant usage on schema public to lotbook_app;

-- The taxpayer of this transaction: `set local app.taxpayer = '<uuid>'`. Null, and so no row at all, where none is set.
create function current_taxpayer() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.taxpayer', true), '')::uuid;

-- A person who signs in. The application's role cannot read this table: it belongs to no taxpayer.
create table users (
  id uuid not null,
  -- As typed, but lower case: one person, one account.
  email text collate "C" not null,
  -- Null where the person signs in through a provider only.
  password_hash text,
  name text not null default '',
  plan text collate "C" not null default 'FREE',
  created_at timestamptz not null default now(),
  constraint users_pkey primary key (id),
  constraint users_email_key unique (email),
  constraint users_email_lower check (email = lower(email)),
  constraint users_plan_known check (plan in ('FREE', 'PRO', 'CPA'))
);

-- Whose books: the tenant. A person has one of their own; a CPA's client is one more.
create table taxpayers (
  id uuid not null,
  created_by uuid not null,
  -- What the one who made it calls it.
  name text not null default '',
  -- As printed on forms.
  taxpayer_name text not null default '',
  tin text not null default '',
  time_zone text collate "C" not null default 'UTC',
  settings jsonb not null default '{}',
  -- Counts what changes the numbers: each import, edit and election.
  revision bigint not null default 0,
  transactions_stored integer not null default 0,
  created_at timestamptz not null default now(),
  constraint taxpayers_pkey primary key (id),
  constraint taxpayers_transactions_stored_known check (transactions_stored >= 0)
);
create index taxpayers_created_by on taxpayers (created_by);

-- Which user reaches which taxpayer. There is no other permission.
create table memberships (
  taxpayer_id uuid not null,
  user_id uuid not null,
  role text collate "C" not null,
  created_at timestamptz not null default now(),
  constraint memberships_pkey primary key (taxpayer_id, user_id),
  constraint memberships_taxpayer_fkey foreign key (taxpayer_id) references taxpayers (id) on delete cascade,
  constraint memberships_user_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint memberships_role_known check (role in ('owner', 'preparer'))
);
create index memberships_user on memberships (user_id);

alter table taxpayers enable row level security;
create policy taxpayers_own on taxpayers using (id = current_taxpayer());
grant select, update on taxpayers to lotbook_app;

alter table memberships enable row level security;
create policy memberships_own on memberships using (taxpayer_id = current_taxpayer());
grant select on memberships to lotbook_app;
