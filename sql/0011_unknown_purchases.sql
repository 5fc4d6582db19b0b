-- A line whose purchase no row states: its date of acquisition and its term are unknown.
alter table disposals add column purchase_unknown boolean not null default false;
