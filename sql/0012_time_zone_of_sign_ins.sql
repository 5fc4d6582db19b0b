-- The time zone of the browser in which a sign-in through a provider began: an account that it creates has this zone.
alter table sign_in_flows add column time_zone text collate "C";
