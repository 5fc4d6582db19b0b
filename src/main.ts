import { TarError } from './base/tar.ts';
import { CommandError } from './commands/command.ts';
import { type CommandName, formatUsage, helpOf, isCommand, overview } from './commands/command-table.ts';
import { ConfigError } from './config.ts';
import { BackupError } from './db/backup/store.ts';
import { errorSentence } from './db/damage.ts';
import { DumpError } from './db/dump-format.ts';
import { MigrationError } from './db/migration-files.ts';
import { ServerError } from './db/server-check.ts';
import { EmbeddedError } from './db/unprivileged-runner.ts';
import { BlobError } from './deps.ts';
import { ArchiveError } from './features/ledger/archives/row-check.ts';

type Command = (args: readonly string[]) => Promise<number>;

/**
 * Each command has its own file, which is loaded when the command is called, so a report from files does not load the
 * server.
 */
const commands: Readonly<Record<CommandName, Command>> = {
  serve: async (args) => (await import('./commands/serve.ts')).serve(args),
  migrate: async (args) => (await import('./commands/migrate.ts')).migrate(args),
  report: async (args) => (await import('./commands/report/report.ts')).report(args),
  mcp: async (args) => (await import('./commands/mcp.ts')).mcp(args),
  backup: async (args) => (await import('./commands/backup.ts')).backup(args),
  restore: async (args) => (await import('./commands/backup.ts')).restore(args),
  verify: async (args) => (await import('./commands/verify.ts')).verify(args),
  blobs: async (args) => (await import('./commands/blobs.ts')).blobs(args),
  dump: async (args) => (await import('./commands/dump.ts')).dump(args),
  load: async (args) => (await import('./commands/load.ts')).load(args),
  'import-archive': async (args) => (await import('./commands/import-archive.ts')).importArchive(args),
  doctor: async (args) => (await import('./commands/doctor.ts')).doctor(args),
  healthcheck: async (args) => (await import('./commands/healthcheck.ts')).healthcheck(args),
  plan: async (args) => (await import('./commands/user.ts')).plan(args),
  demo: async (args) => (await import('./commands/demo.ts')).demo(args),
  user: async (args) => (await import('./commands/user.ts')).user(args),
  openapi: async (args) => (await import('./commands/openapi.ts')).openapi(args),
  licenses: async (args) => (await import('./commands/licenses.ts')).licenses(args),
  notices: async (args) => (await import('./commands/licenses.ts')).notices(args),
  completion: async (args) => (await import('./commands/completion.ts')).completion(args),
  version: async (args) => (await import('./commands/version.ts')).version(args),
};

process.exit(await main(process.argv.slice(2)));

async function main([first = '', ...args]: readonly string[]): Promise<number> {
  if (first === 'help' || first === '--help' || first === '-h') {
    process.stdout.write(overview());
    return 0;
  }
  const name = first === '--version' ? 'version' : first;
  if (!isCommand(name)) {
    process.stderr.write(name === '' ? overview() : `There is no command ${name}.\n\n${overview()}`);
    return 2;
  }
  // Help runs nothing, regardless of other arguments.
  const ownArguments = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if ((ownArguments.includes('--help') || ownArguments.includes('-h')) && helpOf(name).ownOptions === undefined) {
    process.stdout.write(formatUsage(name));
    return 0;
  }
  try {
    return await commands[name](args);
  } catch (error) {
    const sentence = isSaidPlainly(error) ? error.message : errorSentence(error);
    if (sentence === null) throw error;
    process.stderr.write(`${sentence}\n`);
    return 1;
  }
}

/** Errors that the user who typed the command can fix. Any other error is a bug and is printed with its stack. */
function isSaidPlainly(error: unknown): error is Error {
  const kinds = [
    CommandError,
    ConfigError,
    ArchiveError,
    BackupError,
    BlobError,
    DumpError,
    EmbeddedError,
    MigrationError,
    ServerError,
    TarError,
  ];
  return kinds.some((kind) => error instanceof kind);
}
