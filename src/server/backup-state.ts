/** State of the backups for /metrics. */
export class BackupState {
  /** When the newest backup was complete. */
  endedAt: Date | null = null;
  /** Tries since the last one that succeeded. */
  failures = 0;
  /** Files of WAL that are not in the backup yet. */
  waitingWal = 0;
}
