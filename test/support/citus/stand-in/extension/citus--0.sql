-- The interface of Citus that Lotbook's migrations use, without what is behind it: no table is moved, no statement is routed, and
-- rows stay where they are. It refuses what Citus 13.0.3 refused in a trial, or says it does not support: tables with keys, policies or
-- triggers that it cannot distribute, and foreign keys that no worker could check. Whether a statement runs on workers
-- it does not know: test/db/citus/statements.test.ts holds the texts to rules, and only a cluster is the proof.

create schema citus;
grant usage on schema citus to public;
create table citus.placed (
  table_name regclass primary key,
  citus_table_type text not null,
  distribution_column text,
  colocated_with regclass
);
create view citus.citus_tables as
  select table_name, citus_table_type, distribution_column, coalesce(colocated_with, table_name)::oid as colocation_id
  from citus.placed;
alter view citus.citus_tables set schema pg_catalog;
grant select on pg_catalog.citus_tables to public;
create table citus.freed (table_name regclass primary key);

create function pg_catalog.citus_type_of(of_table oid) returns text language sql stable
  return (select p.citus_table_type from citus.placed p where p.table_name = of_table);

create function pg_catalog.create_distributed_table(table_name regclass, distribution_column text, colocate_with text default 'default')
  returns void language plpgsql as $$
declare
  found record;
begin
  if citus_type_of(table_name) is not null then
    raise exception 'table "%" is already %', table_name, citus_type_of(table_name);
  end if;
  -- A reference table takes with it all that foreign keys lead to, and those cannot be distributed any more.
  for found in
    select n.conname, r.relname from pg_constraint n join pg_class r on r.oid = n.confrelid
    where n.contype = 'f' and n.conrelid = create_distributed_table.table_name and n.confrelid <> n.conrelid
      and citus_type_of(n.confrelid) is distinct from 'distributed' and citus_type_of(n.confrelid) is distinct from 'reference'
  loop
    raise exception 'cannot create foreign key constraint % since "%" is not distributed', found.conname, found.relname;
  end loop;
  for found in
    select n.conname from pg_constraint n where n.contype = 'f' and n.confrelid = create_distributed_table.table_name and n.conrelid <> n.confrelid
  loop
    raise exception 'a table that is not distributed refers to "%" by %', table_name, found.conname;
  end loop;
  for found in
    select i.relname from pg_index x join pg_class i on i.oid = x.indexrelid
    where x.indrelid = create_distributed_table.table_name and x.indisunique and not exists (
      select from pg_attribute a where a.attrelid = x.indrelid and a.attnum = any(x.indkey)
        and a.attname = create_distributed_table.distribution_column)
  loop
    raise exception 'cannot create constraint on "%": % does not include the distribution column', table_name, found.relname;
  end loop;
  for found in
    select polname from pg_policy p where p.polrelid = create_distributed_table.table_name
      and concat(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) ~* '\mselect\M'
  loop
    raise exception 'cannot create policy "%": subqueries are not supported in policies on distributed tables', found.polname;
  end loop;
  if current_setting('citus.enable_unsafe_triggers', true) is distinct from 'on' and exists (
    select from pg_trigger t where t.tgrelid = create_distributed_table.table_name and not t.tgisinternal) then
    raise exception 'cannot distribute relation "%" because it has triggers', table_name;
  end if;
  if colocate_with not in ('none', 'default') and citus_type_of(colocate_with::regclass) is distinct from 'distributed' then
    raise exception 'relation % is not distributed', colocate_with;
  end if;
  insert into citus.placed values (table_name, 'distributed', distribution_column,
    case when colocate_with in ('none', 'default') then null else colocate_with::regclass end);
end
$$;

create function pg_catalog.create_reference_table(table_name regclass) returns void language plpgsql as $$
begin
  if citus_type_of(table_name) is not null then
    raise exception 'table "%" is already %', table_name, citus_type_of(table_name);
  end if;
  if current_setting('citus.enable_unsafe_triggers', true) is distinct from 'on' and exists (
    select from pg_trigger t where t.tgrelid = create_reference_table.table_name and not t.tgisinternal) then
    raise exception 'triggers are not supported on reference tables';
  end if;
  insert into citus.placed values (table_name, 'reference');
  with recursive reached as (
    select create_reference_table.table_name::oid as oid
    union
    select case when n.conrelid = r.oid then n.confrelid else n.conrelid end
    from reached r join pg_constraint n on n.contype = 'f' and r.oid in (n.conrelid, n.confrelid)
  )
  insert into citus.placed select oid, 'local' from reached where citus_type_of(oid) is null;
end
$$;

create function pg_catalog.truncate_local_data_after_distributing_table(function_table regclass) returns void language plpgsql as $$
begin
  if citus_type_of(function_table) is null then raise exception 'table "%" is not distributed', function_table; end if;
  insert into citus.freed values (function_table) on conflict do nothing;
end
$$;

create table citus.said_to_workers (command text primary key);
create function pg_catalog.run_command_on_workers(command text, parallel boolean default true)
  returns table (nodename text, nodeport integer, success boolean, result text) language sql
  as $$
    insert into citus.said_to_workers values (command) on conflict do nothing;
    select 'worker', 5432, true, command
  $$;

-- The table is the one shard of its own.
create table citus.said_to_shards (command text primary key);
create function pg_catalog.run_command_on_placements(table_name regclass, command text, parallel boolean default true)
  returns table (nodename text, nodeport integer, shardid bigint, success boolean, result text) language plpgsql as $$
begin
  execute format(command, table_name);
  insert into citus.said_to_shards values (format(command, table_name)) on conflict do nothing;
  return query select 'worker', 5432, 1::bigint, true, '';
end
$$;

create function pg_catalog.citus_set_coordinator_host(host text, port integer default 5432) returns void language sql as '';
create function pg_catalog.citus_add_node(nodename text, nodeport integer) returns integer language sql return 1;

-- Foreign keys that a statement made: within one taxpayer, or to what stands on every worker.
create function pg_catalog.citus_check_keys() returns event_trigger language plpgsql as $$
declare
  found record;
begin
  for found in
    select n.conname, n.conrelid::regclass as own, n.confrelid::regclass as other,
      citus_type_of(n.conrelid) as own_type, citus_type_of(n.confrelid) as other_type,
      exists (
        select from unnest(n.conkey, n.confkey) k (own, other)
        join pg_attribute a on a.attrelid = n.conrelid and a.attnum = k.own
        join pg_attribute b on b.attrelid = n.confrelid and b.attnum = k.other
        join citus.placed p on p.table_name = n.conrelid join citus.placed q on q.table_name = n.confrelid
        where a.attname = p.distribution_column and b.attname = q.distribution_column
      ) as within_one
    from pg_constraint n where n.contype = 'f' and (citus_type_of(n.conrelid) is not null or citus_type_of(n.confrelid) is not null)
  loop
    if found.own_type is null and found.other_type = 'distributed' then
      raise exception '% of local table "%" refers to distributed table "%"', found.conname, found.own, found.other;
    elsif found.own_type = 'reference' and found.other_type is distinct from 'reference' then
      raise exception '% of reference table "%" refers to "%", which is none', found.conname, found.own, found.other;
    elsif found.own_type = 'distributed' and found.other_type is distinct from 'reference'
      and not (found.other_type = 'distributed' and found.within_one) then
      raise exception '% of "%": foreign keys are supported within one distribution value, and to reference tables', found.conname, found.own;
    end if;
  end loop;
end
$$;
create event trigger citus_keys on ddl_command_end when tag in ('CREATE TABLE', 'ALTER TABLE') execute function pg_catalog.citus_check_keys();
