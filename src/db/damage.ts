import { statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What PostgreSQL, its driver or the system reports when files are damaged, and the sentence for the operator. */
interface Damage {
  readonly reported: RegExp;
  readonly what: string;
  readonly remedy: 'restore' | 'room' | 'writable';
}

const damages: readonly Damage[] = [
  { reported: /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/, what: 'The disk is full', remedy: 'room' },
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
  {
    reported:
      /invalid page|could not read blocks?|could not open (?:file|directory) "(?:\.\/)?(?:base|global|pg_)|could not (?:read|access|fsync|stat|seek)[^"]*"?(?:\.\/)?(?:base|global|pg_)|relation mapping file|is not a valid data directory|status of transaction|missing chunk|unexpected chunk|uncommitted xmin|cache lookup failed|could not open relation|not a valid catalog|database "lotbook" does not exist|pg_filenode|contains unexpected zero page|corrupt/i,
    what: 'A file of the database is damaged or missing',
    remedy: 'restore',
  },
];

/** SQLSTATEs of a damaged database, whatever the message: data, index, missing file, failed read or write. */
const damagedStates: ReadonlySet<string> = new Set(['XX001', 'XX002', '58P01', '58030']);
const fullState = '53100';
/** PostgreSQL does not start with less: a new WAL file alone has 16 MB. */
const freeBytesMin = 1_000_000;

/**
 * One sentence that names the damage and the command to run. Null where the report is of something else. `cluster` is the
 * folder of the embedded database; null where it is not known.
 */
export function damageSentence(reported: string, cluster: string | null): string | null {
  // A full disk may have no room for the line of the log that reports it.
  const isFull = (): boolean => cluster !== null && isDiskFull(cluster);
  const damage = damages.find((one) => one.reported.test(reported)) ?? (isFull() ? damages[0] : undefined);
  return damage === undefined ? null : sentenceOf(damage, reported, cluster);
}

/** The same for an error of the driver or of the system that a command ended with. */
export function errorSentence(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  const isReported = damagedStates.has(error.code) || error.code === fullState || error.code.startsWith('XX');
  if (!isReported && !/^(?:ENOSPC|EDQUOT|EROFS)$/.test(error.code)) return null;
  const known = damageSentence(`${error.code} ${error.message}`, null);
  if (known !== null || error.code.startsWith('XX000')) return known;
  const damage = error.code === fullState ? damages[0] : damages.at(-1);
  return damage === undefined ? null : sentenceOf(damage, error.message, null);
}

/** The command to run when the database is lost. */
export function restoreAdvice(cluster: string | null): string {
  return cluster === null
    ? 'Stop the server, run `mv "$DATA_DIR/postgres" "$DATA_DIR/postgres.damaged"`, then `lotbook restore "$BACKUP_TO"`. ' +
        'A PostgreSQL of DATABASE_URL is restored from its own backups.'
    : `Run \`mv ${quoted(cluster)} ${quoted(join(dirname(cluster), `${basename(cluster)}.damaged`))}\`, then ` +
        '`lotbook restore "$BACKUP_TO"`.';
}

function sentenceOf({ what, remedy }: Damage, reported: string, cluster: string | null): string {
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

/** For a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
