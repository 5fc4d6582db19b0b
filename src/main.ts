import { CommandError } from './commands/command.ts';
import { ConfigError } from './config.ts';
import { EmbeddedError } from './db/embedded-error.ts';
import { MigrationError } from './db/migration-files.ts';
import { ServerError } from './db/server-check.ts';

/** Each command has its own file, loaded when it is called: a report from files does not load the server. */
const commands = {
  serve: async (args: readonly string[]) => (await import('./commands/serve.ts')).serve(args),
  migrate: async (args: readonly string[]) => (await import('./commands/migrate.ts')).migrate(args),
  report: async (args: readonly string[]) => (await import('./commands/report/report.ts')).report(args),
  plan: async (args: readonly string[]) => (await import('./commands/plan.ts')).plan(args),
  demo: async (args: readonly string[]) => (await import('./commands/demo.ts')).demo(args),
  user: async (args: readonly string[]) => (await import('./commands/user.ts')).user(args),
  openapi: async (args: readonly string[]) => (await import('./commands/openapi.ts')).openapi(args),
  notices: async (args: readonly string[]) => (await import('./commands/notices.ts')).notices(args),
  version: async (args: readonly string[]) => (await import('./commands/version.ts')).version(args),
} as const;

const usage = `lotbook: capital gains, from any CSV to Form 8949

  lotbook serve                       the service, on http://localhost:3000 unless PORT and HOST say otherwise
  lotbook migrate                     bring the database of DATABASE_URL or DATA_DIR up to this version
  lotbook report FILE.csv… --year Y   a report over files, without server or database (--help says more)
  lotbook plan set EMAIL PLAN         FREE, PRO or CPA, at once
  lotbook demo EMAIL                  fill an account that is empty with made-up books
  lotbook user reset-password EMAIL   a link that sets a new password, without mail
  lotbook openapi                     the OpenAPI document
  lotbook notices                     the licences of what this holds
  lotbook version                     what this is
`;

process.exit(await main(process.argv.slice(2)));

async function main([name = '', ...args]: readonly string[]): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(usage);
    return 0;
  }
  if (!isCommand(name)) {
    process.stderr.write(name === '' ? usage : `There is no command ${name}.\n\n${usage}`);
    return 2;
  }
  try {
    return await commands[name](args);
  } catch (error) {
    if (!isSaidPlainly(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function isCommand(name: string): name is keyof typeof commands {
  return Object.hasOwn(commands, name);
}

/** Errors that the person who typed the command can fix. Any other is a bug and is printed with its stack. */
function isSaidPlainly(error: unknown): error is Error {
  return [CommandError, ConfigError, EmbeddedError, MigrationError, ServerError].some((kind) => error instanceof kind);
}
