-- The CUSIPs and ISINs that a file states of securities which its rows name otherwise: [{"asset": "AAPL", "number": "US0378331005"}].
-- Questions about two names of one security follow from them.
alter table imports add column security_numbers jsonb not null default '[]';
