-- Beside the last state of each year those of the busy months of a book's last year are kept: how many rows its month has
-- until then, and whether since the state before nothing but plain purchases and sales moved the book.
alter table checkpoints
  add column rows integer not null default 0,
  add column plain boolean not null default false;

-- By which day a past lot is found that may replace a loss.
alter table past_lots add column purchased_on date;
