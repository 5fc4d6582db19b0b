-- What lotbook_server may do beside the requests about books: sign people in, keep the list of a CPA's clients, and sweep
-- what no request is about. It owns nothing. Columns are named wherever it needs some of them only.

-- Tables of no taxpayer. Who deletes a user deletes the sessions and identities with it.
grant select, insert, update, delete on users, sessions, access_tokens, devices, wrong_guesses, totp_keys, recovery_codes, passkeys to lotbook_server;
grant select, insert, delete on identities to lotbook_server;
grant select, insert, delete on sign_in_flows, pending_sign_ins, password_resets, email_changes, email_verifications, passkey_challenges to lotbook_server;
grant select, insert on shared_prices, server_secrets to lotbook_server;
grant select, insert, update on subscriptions to lotbook_server;
grant select, insert, delete on stripe_events to lotbook_server;

grant select, insert, update (state, settled_at, token_hash, mails, expires_at), delete on invitations to lotbook_server;

-- Books are made and deleted with their user, or by the CPA of a client, who may also hand them to another.
create policy server on taxpayers to lotbook_server using (true);
grant select (id, created_by, name, taxpayer_name, tin, time_zone, revision, transactions_stored, created_at),
  insert (id, created_by, name, taxpayer_name, tin, time_zone, created_at), update (name, created_by), delete
  on taxpayers to lotbook_server;
-- Columns that are filled by themselves: a cluster of Citus names them all to the worker.
grant insert (settings, revision, transactions_stored, id_key) on taxpayers to lotbook_server;
create policy server_reads on memberships for select to lotbook_server using (true);
create policy server_adds on memberships for insert to lotbook_server with check (true);
-- Nobody loses their own books, or gets those of an owner.
create policy server_changes on memberships for update to lotbook_server using (role <> 'owner') with check (role <> 'owner');
create policy server_removes on memberships for delete to lotbook_server using (role <> 'owner');
grant select, insert, update (role), delete on memberships to lotbook_server;
create policy server on clients to lotbook_server using (true);
grant select, insert, update (email) on clients to lotbook_server;

-- Who signs in is recorded. Nobody changes what was. What was is read of the taxpayer who is named, as books change hands.
create policy server_adds on audit_entries for insert to lotbook_server with check (true);
grant select, insert on audit_entries to lotbook_server;
-- To lock a row one needs to change one of its columns.
grant select, insert, update (erase_at), delete on account_deletions to lotbook_server;
grant select, insert on deleted_accounts to lotbook_server;

-- What a profile and the list of clients show of the books.
create policy server_reads on ai_usage for select to lotbook_server using (true);
grant select (taxpayer_id, day, used) on ai_usage to lotbook_server;
create policy server_reads on year_summaries for select to lotbook_server using (true);
grant select (taxpayer_id, year) on year_summaries to lotbook_server;

-- The response of a request that makes a client is saved with it, and old responses are swept. It reads none.
create policy server on idempotency_keys to lotbook_server using (true);
grant select (taxpayer_id, user_id, route, key, claim, status, created_at), update (status, body, fingerprint), delete
  on idempotency_keys to lotbook_server;

-- Imports whose server is gone fail, and what was staged goes.
create policy server_reads on imports for select to lotbook_server using (true);
create policy server_fails on imports for update to lotbook_server using (status = 'running') with check (status = 'failed');
grant select (taxpayer_id, id, status, file_name, store_order, moved_at), update (status, problem, completed_at)
  on imports to lotbook_server;
create policy server_adds on import_events for insert to lotbook_server with check (kind = 'failed');
grant insert (taxpayer_id, import_id, id, kind, data) on import_events to lotbook_server;
create policy server_reads on import_texts for select to lotbook_server using (true);
create policy server_deletes on import_texts for delete to lotbook_server using (true);
grant select (taxpayer_id, import_id, blob), delete on import_texts to lotbook_server;
-- Whose pieces wait for the bucket, and which objects nothing names.
create policy server_reads on blobs for select to lotbook_server using (true);
grant select on blobs to lotbook_server;
create policy server_reads on report_books for select to lotbook_server using (true);
grant select (taxpayer_id, blob) on report_books to lotbook_server;
create policy server_reads on import_groups for select to lotbook_server using (true);
create policy server_deletes on import_groups for delete to lotbook_server using (true);
grant select (taxpayer_id, import_id), delete on import_groups to lotbook_server;
create policy server_reads on staged for select to lotbook_server using (true);
create policy server_deletes on staged for delete to lotbook_server using (true);
grant select (taxpayer_id, import_id), delete on staged to lotbook_server;
create policy server_reads on notifications for select to lotbook_server using (true);
create policy server_adds on notifications for insert to lotbook_server with check (kind in ('import_failed', 'access_changed', 'review_changed', 'note_changed', 'plan_changed', 'new_sign_in'));
grant select (taxpayer_id, sequence), insert (taxpayer_id, sequence, kind, title, body, link, created_at)
  on notifications to lotbook_server;
create policy server_reads on muted_notifications for select to lotbook_server using (true);
grant select on muted_notifications to lotbook_server;
-- Whom a digest is due for. What is in it is read as each taxpayer.
create policy server on digests to lotbook_server using (true);
grant select, update (period_on, sequence), delete on digests to lotbook_server;

-- Which books another engine computed, and which wait for a price.
create policy server_reads on ledgers for select to lotbook_server using (true);
-- Rows that leave with their taxpayer subtract their digests, from a row that leaves as well: the policy lets through none.
grant select (taxpayer_id, engine, content), update (content) on ledgers to lotbook_server;
create policy server_reads on transactions for select to lotbook_server using (true);
grant select (taxpayer_id, id, type, asset, received_asset, fee_asset, currency, amount, fee, fmv) on transactions to lotbook_server;
create policy server_reads on valuations for select to lotbook_server using (true);
grant select (taxpayer_id, transaction_id) on valuations to lotbook_server;
