-- What an answer is about of a row: when, what and how much. Not where it lies, nor what it is called.
create function told_of(t transactions) returns jsonb language sql stable as $$
  select jsonb_build_array(
    t.type, case when t.at is null then t.on_day end, extract(epoch from t.at), t.asset, t.quantity, t.amount, t.fee,
    t.currency, t.received_asset, t.received_quantity, t.fee_asset, t.fee_quantity, t.fee_own, t.acquired, t.basis, t.fmv
  )
$$;

alter table resolutions
  -- The order in which they were given: an issue that is open again is answered again.
  add column sequence bigint not null generated always as identity,
  -- The row as it was answered about: of one that says otherwise now the answer does not count. Null where it is not known.
  add column told jsonb,
  drop constraint resolutions_taxpayer_id_issue_id_key;
create index resolutions_of_issue on resolutions (taxpayer_id, issue_id);

update resolutions r set told = told_of(t)
from transactions t where t.taxpayer_id = r.taxpayer_id and t.id = r.transaction_id;
