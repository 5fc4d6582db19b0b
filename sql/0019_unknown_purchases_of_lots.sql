-- An open lot whose purchase no row states: its dates and its term are unknown.
alter table lots add column purchase_unknown boolean not null default false;
