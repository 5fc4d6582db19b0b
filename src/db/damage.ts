import { statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Messages from PostgreSQL, its driver or the system about damaged files, each with the sentence for the operator. */
interface Damage {
  readonly reported: RegExp;
  readonly what: string;
  readonly remedy: 'restore' | 'room' | 'writable';
}

const fullDisk: Damage = {
  reported: /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/,
  what: 'The disk is full',
  remedy: 'room',
};
const damagedFile: Damage = {
  reported:
    /invalid page|could not read blocks?|could not open (?:file|directory) "(?:\.\/)?(?:base|global|pg_)|could not (?:read|fsync|stat|seek)[^"]*"?(?:\.\/)?(?:base|global|pg_)|could not access file "(?:\.\/)?(?:base|global|pg_\w+)\/|relation mapping file|is not a valid data directory|status of transaction|missing chunk|unexpected chunk|uncommitted xmin|cache lookup failed|could not open relation|not a valid catalog|database "(?:lotbook|postgres)" does not exist|pg_filenode|contains unexpected zero page|corrupt/i,
  what: 'A file of the database is damaged or missing',
  remedy: 'restore',
};
const damages: readonly Damage[] = [
  fullDisk,
  { reported: /Read-only file system|EROFS/, what: 'The disk is read-only', remedy: 'writable' },
  {
    reported:
      /checkpoint record|redo location|WAL directory|WAL segment|end of WAL|invalid magic number|before end of online backup/,
    what: 'The write-ahead log of the database (pg_wal) is damaged or incomplete',
    remedy: 'restore',
  },
  {
    reported: /pg_control|control file|database files are incompatible/,
    what: 'The control file of the database (pg_control) is damaged',
    remedy: 'restore',
  },
  damagedFile,
];

/** The SQLSTATE for a missing file, either in the cluster, or in an extension, which is not damage. */
const missingFileState = '58P01';
const clusterPath = /"(?:\.\/)?(?:base|global|pg_\w+)\/|directory "pg_\w+"/;
/** The SQLSTATE for a failed read or write. */
const failedReadState = '58030';
const fullState = '53100';
/** PostgreSQL needs more than that to start: a new WAL file alone takes 16 MB. */
const freeBytesMin = 1_000_000;

/**
 * Returns one sentence with the damage and the command to run, or null if the message is about something else.
 * `cluster` is the folder of the embedded database, or null if unknown.
 */
export function damageSentence(reported: string, cluster: string | null): string | null {
  // A full disk may have no room for the log line that reports it.
  const isFull = (): boolean => cluster !== null && isDiskFull(cluster);
  const damage = damages.find((one) => one.reported.test(reported)) ?? (isFull() ? fullDisk : undefined);
  return damage === undefined ? null : describeDamage(damage, reported, cluster);
}

/** Returns the same sentence for an error from the driver or the system that ended a command. */
export function errorSentence(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  const { code, message } = error;
  const isDamage =
    code.startsWith('XX') || code === failedReadState || (code === missingFileState && clusterPath.test(message));
  if (!isDamage && code !== fullState && !/^(?:ENOSPC|EDQUOT|EROFS)$/.test(code)) return null;
  const sentence = damageSentence(`${code} ${message}`, null);
  // XX000 is any internal error.
  if (sentence !== null || code === 'XX000') return sentence;
  return describeDamage(code === fullState ? fullDisk : damagedFile, message, null);
}

/** Returns the command to run when the database is lost. */
export function restoreAdvice(cluster: string | null): string {
  return cluster === null
    ? 'Stop the server, run `mv "$DATA_DIR/postgres" "$DATA_DIR/postgres.damaged"`, then `lotbook restore "$BACKUP_TO"`. ' +
        'Restore a PostgreSQL of DATABASE_URL from its own backups.'
    : `Run \`mv ${quoteForShell(cluster)} ${quoteForShell(join(dirname(cluster), `${basename(cluster)}.damaged`))}\`, then ` +
        '`lotbook restore "$BACKUP_TO"`.';
}

function describeDamage({ what, remedy }: Damage, reported: string, cluster: string | null): string {
  const where = cluster === null ? '' : ` of ${dirname(cluster)}`;
  const reason = ` (${reported.trim().replace(/\.$/, '')})`;
  if (remedy === 'room')
    return `${what.replace('disk', `disk${where}`)}. Free some space and start again: nothing is lost.`;
  if (remedy === 'writable') return `${what.replace('disk', `disk${where}`)}. Make it writable and start again.`;
  return `${what}${reason}. ${restoreAdvice(cluster)}`;
}

function isDiskFull(cluster: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(cluster));
    return bavail * bsize < freeBytesMin;
  } catch {
    return false;
  }
}

/** Quotes the text for a shell. */
function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
