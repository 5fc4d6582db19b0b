-- The few rows that no import tells: whether there are any is asked with every import.
create index transactions_by_hand on transactions (taxpayer_id) where import_id is null;
