-- A calculation is read as it was told, its members in their order.
alter table calculations alter column result type json;
