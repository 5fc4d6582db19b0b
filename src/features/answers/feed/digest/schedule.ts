import type { Deps } from '../../../../deps.ts';
import { sendDigests } from './digest.ts';
import { UnsubscribeTokens } from './unsubscribe.ts';

/** Runs hourly, because it is always 7 AM in some time zone, and because emails that no server accepted are retried. */
const cron = '5 * * * *';

/**
 * Sends digests on a schedule. Does nothing if no mail server is configured, because the digests would only be logged.
 */
export function keepDigests(deps: Deps, remind: (taxpayerId: string) => Promise<void>): void {
  if (deps.config.mail === null) return;
  const work = { tokens: new UnsubscribeTokens(deps), remind };
  deps.jobs.schedule('digests', { cron, perform: (signal) => sendDigests(deps, work, signal) });
}
