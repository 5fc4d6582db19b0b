-- The gain that the source states of a sale, in the currency of the row: it is compared with the computed gain and never
-- used. The index finds the few rows that state one.
alter table transactions add column stated_gain numeric;
alter table staged add column stated_gain numeric;
create index transactions_stating_gains on transactions (taxpayer_id, asset) where stated_gain is not null;
