import type { Config } from '../config.ts';
import type { Database } from '../db/connection.ts';
import { type BlobPort, createDeps, type Deps, type Log, systemClock } from '../deps.ts';
import { logMail } from '../features/people/mail/smtp.ts';

/** A mistake in a command, described for the user who typed it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export function unknownUser(email: string): CommandError {
  return new CommandError(`No user is registered as ${email}.`);
}

/** Returns the dependencies of a command. It sends no email and has neither an AI service nor billing. */
export function commandDeps(config: Config, database: Database, log: Log, blobs?: BlobPort | null): Deps {
  return createDeps({
    ...{ config, database, log, clock: systemClock, mail: logMail(log), assistant: null, billing: null },
    ...(blobs === undefined ? {} : { blobs }),
  });
}
