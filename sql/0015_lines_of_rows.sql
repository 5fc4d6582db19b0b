-- Of how many lines of its file a staged row is made: of several that make one thing, of none where it is the second
-- thing that a line makes. So an import counts lines, each once.
alter table staged add column lines integer not null default 1;
