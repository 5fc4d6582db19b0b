-- The allocation of unused basis to wallets at the end of 2024 (Rev. Proc. 2024-28): made once, never changed.

create table allocations (
  taxpayer_id uuid not null references taxpayers (id) on delete cascade,
  frozen_at timestamptz not null,
  -- SHA-256 of what was allocated.
  hash text collate "C" not null,
  -- What the pool held then: another one later means that the records have changed.
  pool_hash text collate "C" not null,
  method text collate "C" not null check (method in ('rule', 'unit')),
  rule text collate "C",
  lots jsonb not null,
  statement text not null,
  -- The rows that carry it into the books.
  transactions uuid[] not null,
  primary key (taxpayer_id)
);

alter table allocations enable row level security;
create policy own on allocations using (taxpayer_id = current_taxpayer());
grant select, insert, update, delete on allocations to lotbook_app;
