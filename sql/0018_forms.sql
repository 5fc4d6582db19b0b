-- The rows of Forms 1099: few, and read at each change of the books.
create index transactions_of_forms on transactions (taxpayer_id, on_day)
  where type in ('reported_sale', 'reported_total');
