-- Programs that users connect by OAuth 2.1, and these connections.

-- A program that registered itself (RFC 7591). Nobody has verified its name.
create table programs (
  id text collate "C" not null,
  name text not null,
  redirect_uris text[] collate "C" not null,
  created_at timestamptz not null,
  constraint programs_pkey primary key (id)
);
create index programs_created on programs (created_at);

-- Access of a program to books, which a user allowed.
create table program_connections (
  user_id uuid not null,
  id uuid not null,
  -- The first part of its code and its refresh tokens, which finds the row. Not shown anywhere else.
  family text collate "C" not null,
  program_id text collate "C" not null,
  scopes text[] collate "C" not null,
  -- The client whose books the program reads. Null: the books of the user.
  client_id uuid,
  -- Of the code that begins the connection: its SHA-256, the address that it was sent to, and the challenge (RFC 7636).
  code_hash bytea not null,
  redirect_uri text collate "C" not null,
  challenge text collate "C" not null,
  -- The SHA-256 of the newest refresh token. Null until the code is used.
  refresh_hash bytea,
  created_at timestamptz not null,
  -- When the program last got an access token.
  refreshed_at timestamptz,
  -- The end of the code, then of the newest refresh token.
  expires_at timestamptz not null,
  constraint program_connections_pkey primary key (id),
  constraint program_connections_family_key unique (family),
  constraint program_connections_user_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint program_connections_program_fkey foreign key (program_id) references programs (id) on delete cascade,
  constraint program_connections_scopes_known check (scopes <@ array['read', 'import'] and scopes <> '{}'),
  constraint program_connections_refreshed check ((refresh_hash is null) = (refreshed_at is null))
);
create index program_connections_user on program_connections (user_id, created_at);
create index program_connections_program on program_connections (program_id);

-- The connection of a token that a program got for itself. Null: a user created the token.
alter table access_tokens add column connection_id uuid;
alter table access_tokens add constraint access_tokens_connection_fkey
  foreign key (connection_id) references program_connections (id) on delete cascade;
create index access_tokens_connection on access_tokens (connection_id) where connection_id is not null;

grant select, insert, update, delete on programs, program_connections to lotbook_server;
