/**
 * Returns whether a backup contains the file: data, but nothing that could make PostgreSQL run a command, load a
 * library or follow a link. A backup takes only these files, and a restore refuses all others. A restored cluster has
 * the settings that initdb writes on its machine.
 */
export function isClusterFile(name: string): boolean {
  return allowed.some((pattern) => pattern.test(name));
}

const part = '[A-Za-z0-9_][A-Za-z0-9_.-]*';
const allowed: readonly RegExp[] = [
  /^PG_VERSION$/,
  /^backup_label$/,
  // For tablespaces and slots, a backup contains only the empty folder, which PostgreSQL needs.
  /^(?:pg_tblspc|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/$/,
  new RegExp(`^(?:base|global|pg_commit_ts|pg_logical|pg_multixact|pg_stat|pg_twophase|pg_xact)/(?:${part}/?)*$`),
  /^pg_wal\/(?:archive_status\/|[0-9A-F]{24}|[0-9A-F]{8}\.history)?$/,
];

/** The files with settings, which a backup never contains. */
export const settingsFiles = ['postgresql.conf', 'postgresql.auto.conf', 'pg_hba.conf', 'pg_ident.conf'] as const;
