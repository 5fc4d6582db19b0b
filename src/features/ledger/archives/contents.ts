/**
 * How an account archive treats a table that contains taxpayer data.
 * - `kept`: exported, and imported by the target server.
 * - `told`: exported for the owner to read, but not imported.
 * - `checked`: exported, recalculated by the target server, and compared.
 * - `made`: not exported, because it is calculated from other tables.
 * - `passing`: not exported, because it belongs to requests in progress.
 * - `secret`: not exported, because it contains keys of other services.
 */
type ArchiveUse = 'kept' | 'told' | 'checked' | 'made' | 'passing' | 'secret';

/** Every table that contains taxpayer data, in import order. A test compares this list with the schema. */
export const archiveUses = {
  imports: 'kept',
  import_events: 'kept',
  import_rejects: 'kept',
  proposed_rows: 'kept',
  import_texts: 'kept',
  import_groups: 'kept',
  import_mappings: 'kept',
  transactions: 'kept',
  transaction_sources: 'kept',
  row_aliases: 'kept',
  possible_duplicates: 'kept',
  account_assignments: 'kept',
  account_questions: 'kept',
  asset_names: 'kept',
  edits: 'kept',
  edited_rows: 'kept',
  resolutions: 'kept',
  prices: 'kept',
  valuations: 'kept',
  balances: 'kept',
  balance_sources: 'kept',
  allocations: 'kept',
  year_locks: 'kept',
  locked_lines: 'kept',
  review_steps: 'kept',
  review_notes: 'kept',
  reports: 'kept',
  report_books: 'kept',
  calculations: 'kept',
  messages: 'kept',
  ai_consents: 'kept',
  notifications: 'kept',
  muted_notifications: 'kept',
  notified_subjects: 'kept',
  year_summaries: 'checked',
  ai_usage: 'told',
  memberships: 'told',
  clients: 'told',
  audit_entries: 'told',
  sign_in_failures: 'told',
  digests: 'told',
  ledgers: 'made',
  books: 'made',
  checkpoints: 'made',
  lots: 'made',
  lot_versions: 'made',
  disposals: 'made',
  wash_sales: 'made',
  incomes: 'made',
  contracts_1256: 'made',
  issues: 'made',
  gifts: 'made',
  book_years: 'made',
  idempotency_keys: 'passing',
  staged: 'passing',
  undone_imports: 'passing',
  undone_rows: 'passing',
  undone_texts: 'passing',
  blobs: 'passing',
  connections: 'secret',
  connection_pages: 'secret',
} as const satisfies Readonly<Record<string, ArchiveUse>>;

export type TableName = keyof typeof archiveUses;

export function tablesOf(...uses: readonly ArchiveUse[]): TableName[] {
  return (Object.keys(archiveUses) as TableName[]).filter((name) => uses.includes(archiveUses[name]));
}

/** The content of `manifest.json`, the last file of an archive. */
export interface Manifest {
  readonly format: 1;
  /** The versions that wrote the archive. */
  readonly lotbook: string;
  readonly engine: string;
  readonly takenAt: string;
  readonly taxpayerId: string;
  /** The owner of the account. Null for a client's books. */
  readonly userId: string | null;
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[]; readonly rows: number }[];
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  /** Descriptions of data that the target server does not import. */
  readonly staysBehind: readonly string[];
}

export const manifestName = 'manifest.json';
export const settingsTable = 'taxpayers';
export const fileOfTable = (name: string): string => `tables/${name}.jsonl`;

export const excludedData = [
  'Sign-in data: password, passkeys, authenticator app, recovery codes, accounts at providers, sessions, devices and access tokens. Their secrets are not in this file.',
  'Shared access to the books, invitations, and the activity log.',
  'Connections to exchanges and brokers, with their keys. Their imports are in this file. Connect again after the import.',
  'The plan, its payments and the number of questions asked.',
] as const;
