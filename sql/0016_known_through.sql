-- Until which day the books are known: the last day of all rows when they were last computed. Options that are past their
-- day by then are taken as expired, so a move of it is a change of theirs.
alter table ledgers add column through date;
