/** State of the backups for /metrics. */
export class BackupState {
  /** When the newest backup was completed. */
  endedAt: Date | null = null;
  /** Attempts since the last success. */
  failures = 0;
  /** WAL files that are not in the backup yet. */
  waitingWal = 0;
}
