-- Employee stock: the offering date and the discount on that day of shares bought under a plan, and the part of the basis
-- of a reported sale that was taxed as wages.
alter table transactions
  add column offered date,
  add column discount numeric,
  add column wages numeric;
alter table staged
  add column offered date,
  add column discount numeric,
  add column wages numeric;
