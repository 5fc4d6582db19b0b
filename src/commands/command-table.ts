/** Every command: how it is called and what it does. A test compares help, completion and the table in OPERATIONS.md with it. */
export interface CommandHelp {
  /** What follows the name. */
  readonly words: string;
  /** One line. */
  readonly does: string;
  readonly more?: string;
  /** Beside `--help`: `name VALUE` or `name`, and what it does. */
  readonly options?: Readonly<Record<string, string>>;
  /** What the first word may be, for completion. */
  readonly verbs?: readonly string[];
  /** It prints its own help. These options are known to completion. */
  readonly ownOptions?: readonly string[];
}

const json = { json: 'the result as one JSON object' };
const passphrase =
  'Encrypted by BACKUP_PASSPHRASE where it is set; S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY for s3://.';

export const commandTable = {
  serve: { words: '', does: 'the service, on http://localhost:3000 unless PORT and HOST say otherwise' },
  migrate: {
    words: '',
    does: 'bring the database of DATABASE_URL or DATA_DIR up to this version',
    more: 'A database inside that has data is copied to DATA_DIR/before-upgrade first.',
    options: json,
  },
  report: {
    words: 'FILE.csv… --year Y',
    does: 'a report over files, without server or database',
    ownOptions: [
      'year',
      'method',
      'settings',
      'prices',
      'balances',
      'format',
      'out',
      'time-zone',
      'source',
      'mapping',
      'date-order',
      'side',
      'account',
      'form',
      'strict',
      'name',
      'tin',
      'whole-dollars',
      'column-b',
      'merge',
      'digital-assets',
      'exception1',
      'exception2',
      'lines-max',
      'part',
    ],
  },
  mcp: {
    words: 'FILE.csv…',
    does: 'answer an AI program about files, over stdin and stdout',
    more: 'The Model Context Protocol: the program starts this by itself. The files are read at the start, and kept nowhere.',
    options: {
      'method METHOD': 'the lot method, before that of the settings (FIFO)',
      'settings FILE': 'elections as JSON, as GET /v1/tax/settings answers them',
      'prices FILE': 'date,asset,usd: what rows in other currencies are worth',
      'balances FILE': 'account,asset,on,quantity: what accounts held',
      'time-zone ZONE': 'of times without offset, and of the days on which times are taxed (UTC)',
      'source FORMAT': 'what the files are, where their headers do not say',
      'mapping FILE': 'which column holds what, as JSON, for files that no format knows',
      'date-order ORDER': 'mdy, dmy or ymd, if the files do not say',
      'side SIDE': 'which way the rows go, where the files do not say',
      'account NAME': 'of rows that name none',
      'form NAME=FORM': 'the form that the broker of an account sends: 1099-B, 1099-DA or none',
    },
  },
  backup: {
    words: 'DIR|s3://BUCKET/PREFIX',
    does: 'back up the database inside, also while a server runs',
    more: passphrase,
    options: {
      'keep N': 'remove all but the newest N backups',
      list: 'say what is there, and back up nothing',
      ...json,
    },
  },
  restore: {
    words: 'DIR|s3://BUCKET/PREFIX',
    does: 'make the database of DATA_DIR, which must have none, from a backup',
    more: passphrase,
    options: { 'to TIME': 'as it was then, as 2026-03-01T09:30:00Z; without it, the last state there is', ...json },
  },
  verify: {
    words: '[DIR|s3://BUCKET/PREFIX]',
    does: 'check the database, or a backup by restoring it to a temporary folder',
    more: 'Checks tables and indexes by amcheck where it is, reads what is in the bucket, and calculates all books from the first transaction.',
    options: json,
  },
  blobs: {
    words: '[move bucket|database, sweep]',
    does: 'where files and report books lie; move them to the bucket of BLOBS_TO, or back',
    more: 'A server moves by itself what is new. What was moved stays so: a command that was ended goes on where it was.\nAfter a restore, sweep lets objects that the database does not know leave the bucket after BLOBS_GRACE_DAYS.',
    options: json,
    verbs: ['move', 'sweep'],
  },
  dump: {
    words: 'FILE|-',
    does: 'all tables of DATABASE_URL or DATA_DIR in one file, for any PostgreSQL',
    options: json,
  },
  load: { words: 'FILE|-', does: 'such a file into an empty database, all or nothing', options: json },
  'import-archive': {
    words: 'FILE EMAIL',
    does: 'what /v1/account/export gave, into an empty account',
    more: 'All of it or nothing. How one signs in, who was let in and the plan stay behind.',
    options: json,
  },
  doctor: { words: '', does: 'check disk, clock, database, rights, versions, bucket and backups', options: json },
  healthcheck: { words: '', does: 'whether the server on this machine is ready, for containers', options: json },
  plan: { words: 'set EMAIL PLAN', does: 'FREE, PRO or CPA, at once', options: json, verbs: ['set'] },
  demo: { words: 'EMAIL', does: 'fill an account that is empty with made-up books', options: json },
  user: {
    words: 'create|list|reset-password|verify|sign-out|disable-totp|delete|restore EMAIL',
    does: 'accounts, and a link that sets a new password; verify marks the e-mail address as confirmed',
    more: 'A deleted account is erased after DELETION_GRACE_DAYS, and `restore` cancels the deletion until then.',
    options: { now: 'with delete: erase the account at once', ...json },
    verbs: ['create', 'list', 'reset-password', 'verify', 'sign-out', 'disable-totp', 'delete', 'restore'],
  },
  openapi: { words: '', does: 'the OpenAPI document' },
  licenses: { words: '', does: 'the licence of everything inside, a line each', options: json },
  notices: { words: '', does: 'the texts of these licences' },
  completion: { words: 'SHELL', does: 'what bash, zsh or fish completes by', verbs: ['bash', 'zsh', 'fish'] },
  version: { words: '', does: 'what this is', options: json },
} as const satisfies Readonly<Record<string, CommandHelp>>;

export type CommandName = keyof typeof commandTable;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commandTable, name);
}

export function helpOf(name: CommandName): CommandHelp {
  return commandTable[name];
}

/** The names of its options, with and without a value. */
export function optionsOf(name: CommandName): { values: string[]; flags: string[] } {
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

lotbook COMMAND --help says more. ${exitCodes}`;
}

export function usageOf(name: CommandName): string {
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

export const exitCodes = `Exit codes: 0 done; 1 not done, and stderr says why; 2 there is no such
command; 3 \`report --strict\` with lines that could not be read.
`;

function line(left: string, right: string, width: number): string {
  return `  ${left.trim().padEnd(width)}  ${right}`;
}
