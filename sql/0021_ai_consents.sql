-- Consents of taxpayers that a CPA's questions, and what they need of the books, go to an AI service (26 CFR 301.7216-3).
-- A row is never deleted while the books exist: it proves what was allowed at which time.
create table ai_consents (
  taxpayer_id uuid not null,
  id uuid not null,
  -- The CPA whose questions may go there. No foreign key: the record outlives the account.
  preparer_id uuid not null,
  preparer text collate "C" not null,
  -- The host of the service. Another one needs another consent.
  service text collate "C" not null,
  purpose text not null,
  -- Name of the signer, as typed or written.
  signer text not null,
  signed_on date not null,
  -- The last day on which it counts.
  expires_on date not null,
  -- `taxpayer`: given here by the owner; `on_paper`: recorded by the CPA of a client without an account.
  method text collate "C" not null check (method in ('taxpayer', 'on_paper')),
  recorded_by text collate "C" not null,
  recorded_at timestamptz not null,
  revoked_by text collate "C",
  revoked_at timestamptz,
  primary key (taxpayer_id, id),
  check (expires_on >= signed_on),
  check ((revoked_by is null) = (revoked_at is null))
);
alter table ai_consents enable row level security, force row level security;
create policy own on ai_consents using (taxpayer_id = current_taxpayer());
grant select, insert on ai_consents to lotbook_app;
grant update (revoked_by, revoked_at) on ai_consents to lotbook_app;
-- The owner of the tables is bound by their policies too, and a new foreign key reads both tables.
alter table taxpayers no force row level security;
alter table ai_consents no force row level security;
alter table ai_consents add constraint ai_consents_of_taxpayer foreign key (taxpayer_id) references taxpayers (id) on delete cascade;
alter table ai_consents force row level security;
alter table taxpayers force row level security;
