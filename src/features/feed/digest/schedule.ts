import type { Deps } from '../../../deps.ts';
import { sendDigests } from './digest.ts';
import { UnsubscribeTokens } from './unsubscribe.ts';

/** Hourly, because it is 7 AM somewhere, and mails that no server accepted are retried. */
const cron = '5 * * * *';

/** Sends digests on a schedule. Without a mail server it sends none, because the log is no mailbox. */
export function keepDigests(deps: Deps, remind: (taxpayerId: string) => Promise<void>): void {
  if (deps.config.mail === null) return;
  const work = { tokens: new UnsubscribeTokens(deps), remind };
  deps.jobs.schedule('digests', { cron, perform: (signal) => sendDigests(deps, work, signal) });
}
