-- What a row states of a bond or bill: the day on which it is due, the interest in its price, and the accrued market
-- discount (Form 1099-B box 1f).
alter table transactions
  add column maturity date,
  add column accrued_interest numeric,
  add column market_discount numeric;
alter table staged
  add column maturity date,
  add column accrued_interest numeric,
  add column market_discount numeric;
