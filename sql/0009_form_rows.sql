-- The rows of Forms 1099 that report units of a line, each as units and the id of the row. The reconciliation desk reads them.
alter table disposals add column form_rows text[] not null default '{}';
