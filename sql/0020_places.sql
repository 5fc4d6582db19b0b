-- What belongs to people (users, sessions, memberships, invitations) is on the coordinator of a cluster of Citus, and what
-- belongs to books is on the workers. No foreign key leads from one to the other: whoever deletes books deletes the
-- memberships in them (deleteBooks), and the answers to repeated requests expire within a day.
alter table memberships drop constraint memberships_taxpayer_fkey;
alter table idempotency_keys drop constraint idempotency_keys_user_fkey;

-- An owner cannot leave their own books. Deleting the books names them in `app.taxpayer`.
drop policy server_removes on memberships;
create policy server_removes on memberships for delete to lotbook_server
  using (role <> 'owner' or taxpayer_id = current_taxpayer());
