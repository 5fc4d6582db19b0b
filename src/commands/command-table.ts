/**
 * Every command with its usage and description. A test compares the table with help, completion and the table in
 * OPERATIONS.md.
 */
interface CommandHelp {
  /** The arguments after the name. */
  readonly words: string;
  /** A one-line description. */
  readonly does: string;
  readonly more?: string;
  /** Options besides `--help`: `name VALUE` or `name`, with a description. */
  readonly options?: Readonly<Record<string, string>>;
  /** Possible first arguments, for completion. */
  readonly verbs?: readonly string[];
  /** Prints its own help. Completion uses these options. */
  readonly ownOptions?: readonly string[];
}

const json = { json: 'the result as one JSON object' };
const passphrase =
  'Encrypted if BACKUP_PASSPHRASE is set; s3:// needs S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.';

function splitNames(...lists: readonly string[]): readonly string[] {
  return lists.flatMap((names) => names.split(' '));
}

export const commandTable = {
  serve: { words: '', does: 'run the service on http://localhost:3000, or on PORT and HOST' },
  migrate: {
    words: '',
    does: 'upgrade the database of DATABASE_URL or DATA_DIR to this version',
    more: 'An embedded database with data is first copied to DATA_DIR/before-upgrade.',
    options: json,
  },
  report: {
    words: 'FILE.csv… --year Y',
    does: 'create a report from files, without server or database',
    ownOptions: splitNames(
      'year method settings prices balances format out time-zone source mapping date-order side account form strict',
      'name tin whole-dollars column-b merge digital-assets exception1 exception2 lines-max part',
    ),
  },
  mcp: {
    words: 'FILE.csv…',
    does: 'serve questions of an AI program about files, over stdin and stdout',
    more: 'The Model Context Protocol: the program starts this command itself. The files are read at the start and not stored.',
    options: {
      'method METHOD': 'the lot method, overrides the settings (FIFO)',
      'settings FILE': 'elections as JSON, as returned by GET /v1/tax/settings',
      'prices FILE': 'date,asset,usd: prices for rows in other currencies',
      'balances FILE': 'account,asset,on,quantity: balances of accounts',
      'time-zone ZONE': 'time zone of times without an offset and of tax days (UTC)',
      'source FORMAT': 'format of the files, if their headers do not identify it',
      'mapping FILE': 'meaning of each column, as JSON, for files of unknown formats',
      'date-order ORDER': 'mdy, dmy or ymd, if ambiguous in the files',
      'side SIDE': 'order of the rows, if ambiguous in the files',
      'account NAME': 'account of rows that name none',
      'form NAME=FORM': "form that an account's broker sends: 1099-B, 1099-DA or none",
    },
  },
  backup: {
    words: 'DIR|s3://BUCKET/PREFIX',
    does: 'back up the embedded database, even while a server runs',
    more: passphrase,
    options: {
      'keep N': 'remove all but the newest N backups',
      list: 'list the backups without making one',
      ...json,
    },
  },
  restore: {
    words: 'DIR|s3://BUCKET/PREFIX',
    does: 'create the database of DATA_DIR from a backup, if it has none',
    more: passphrase,
    options: {
      'to TIME': 'the state at this time, such as 2026-03-01T09:30:00Z; the default is the last state',
      ...json,
    },
  },
  verify: {
    words: '[DIR|s3://BUCKET/PREFIX]',
    does: 'check the database, or a backup by restoring it to a temporary folder',
    more: 'Checks tables and indexes with amcheck if available, reads all objects in the bucket, and calculates all books from the first transaction.',
    options: json,
  },
  blobs: {
    words: '[move bucket|database, sweep]',
    does: 'show where files and report books are stored; move them to the bucket of BLOBS_TO, or back',
    more: 'A server moves new bytes by itself. Moved bytes stay moved: a command that was interrupted continues from there.\nAfter a restore, sweep schedules objects unknown to the database for removal after BLOBS_GRACE_DAYS.',
    options: json,
    verbs: ['move', 'sweep'],
  },
  dump: {
    words: 'FILE|-',
    does: 'write all tables of DATABASE_URL or DATA_DIR to one file, for any PostgreSQL',
    options: json,
  },
  load: { words: 'FILE|-', does: 'load such a file into an empty database, all or nothing', options: json },
  'import-archive': {
    words: 'FILE EMAIL',
    does: 'import a /v1/account/export file into an empty account',
    more: 'Imports all or nothing. Sign-in methods, shared access and the plan are not imported.',
    options: json,
  },
  doctor: { words: '', does: 'check disk, clock, database, rights, versions, bucket and backups', options: json },
  healthcheck: { words: '', does: 'check whether the server on this machine is ready, for containers', options: json },
  plan: {
    words: 'set EMAIL PLAN',
    does: 'set the plan of an account to FREE, PRO or CPA, at once',
    options: json,
    verbs: ['set'],
  },
  demo: { words: 'EMAIL', does: 'fill an empty account with demo books', options: json },
  user: {
    words: 'create|list|reset-password|verify|sign-out|disable-totp|delete|restore EMAIL',
    does: 'manage accounts, and create links that set a new password; verify marks the email address as confirmed',
    more: 'A deleted account is erased after DELETION_GRACE_DAYS. Until then, `restore` cancels the deletion.',
    options: { now: 'with delete: erase the account at once', ...json },
    verbs: ['create', 'list', 'reset-password', 'verify', 'sign-out', 'disable-totp', 'delete', 'restore'],
  },
  openapi: { words: '', does: 'print the OpenAPI document' },
  licenses: { words: '', does: 'list the license of every component, one per line', options: json },
  notices: { words: '', does: 'print the texts of these licenses' },
  completion: {
    words: 'SHELL',
    does: 'print the completion script for bash, zsh or fish',
    verbs: ['bash', 'zsh', 'fish'],
  },
  version: { words: '', does: 'print the version', options: json },
} as const satisfies Readonly<Record<string, CommandHelp>>;

export type CommandName = keyof typeof commandTable;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commandTable, name);
}

export function helpOf(name: CommandName): CommandHelp {
  return commandTable[name];
}

/** Returns the names of the command's options, with and without a value. */
export function listOptionNames(name: CommandName): { values: string[]; flags: string[] } {
  const names = Object.keys(helpOf(name).options ?? {});
  return {
    values: names.filter((option) => option.includes(' ')).map((option) => option.split(' ')[0] ?? ''),
    flags: names.filter((option) => !option.includes(' ')),
  };
}

export function overview(): string {
  const lines = Object.entries(commandTable).map(([name, { words, does }]) =>
    line(`lotbook ${name} ${words}`, does, 38),
  );
  return `lotbook: capital gains, from any CSV to Form 8949

${lines.join('\n')}

Run lotbook COMMAND --help for details. ${exitCodes}`;
}

export function formatUsage(name: CommandName): string {
  const { words, does, more, options = {} } = helpOf(name);
  const listed = Object.entries({ ...options, help: 'this' }).map(([option, what]) => line(`--${option}`, what, 12));
  const paragraphs = [
    `lotbook ${name}${words === '' ? '' : ` ${words}`}`,
    `${does[0]?.toUpperCase()}${does.slice(1)}.${more === undefined ? '' : `\n${more}`}`,
    listed.join('\n'),
    exitCodes.trimEnd(),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

export const exitCodes = `Exit codes: 0 done; 1 failed, with the reason on stderr; 2 unknown command;
3 \`report --strict\` with lines that could not be read.
`;

function line(left: string, right: string, width: number): string {
  return `  ${left.trim().padEnd(width)}  ${right}`;
}
