/**
 * The location of a table's rows in a Citus cluster:
 * - `taxpayer`: on the taxpayer's worker, with all other rows of that taxpayer.
 * - `everywhere`: a full copy on every node (a reference table), for data that taxpayer rows refer to.
 * - `coordinator`: only on the coordinator, for data that no taxpayer row refers to.
 */
export type TablePlacement = 'taxpayer' | 'everywhere' | 'coordinator';

/** The location of every table in sql/. Add new tables here (test/db/citus/table-placements.test.ts). */
export const tablePlacements: Readonly<Record<string, TablePlacement>> = {
  ...placeTables('taxpayer', [
    'taxpayers clients audit_entries sign_in_failures idempotency_keys',
    // The ledger
    'blobs imports import_events import_rejects proposed_rows import_texts import_groups import_mappings transactions',
    'transaction_sources staged row_aliases possible_duplicates account_assignments account_questions asset_names undone_imports undone_rows undone_texts edits edited_rows resolutions ledgers',
    // The gains
    'books checkpoints lots lot_versions disposals wash_sales incomes contracts_1256 issues gifts book_years year_summaries',
    'calculations allocations year_locks review_steps review_notes locked_lines',
    // Prices, balances, reports, messages
    'prices valuations balances balance_sources reports report_books messages ai_usage ai_consents notifications',
    'muted_notifications notified_subjects',
  ]),
  ...placeTables('everywhere', ['shared_prices']),
  ...placeTables('coordinator', [
    // People, their sign-in methods, and the books that they have access to
    'users memberships digests invitations subscriptions devices sessions access_tokens identities',
    'totp_keys passkeys recovery_codes one_time_tokens account_guesses account_deletions deleted_accounts',
    // Internal data of the server
    'schema_migrations stripe_events wrong_guesses server_secrets',
  ]),
};

/** Returns the distribution column of a taxpayer table. Rows with the same value are on one worker. */
export function taxpayerColumn(table: string): string {
  return table === 'taxpayers' ? 'id' : 'taxpayer_id';
}

export function listTablesPlaced(placement: TablePlacement): string[] {
  return Object.keys(tablePlacements).filter((table) => tablePlacements[table] === placement);
}

function placeTables(placement: TablePlacement, lines: readonly string[]): Record<string, TablePlacement> {
  return Object.fromEntries(lines.flatMap((line) => line.split(' ')).map((table) => [table, placement]));
}
