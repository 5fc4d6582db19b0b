import type { Deps } from '../../../deps.ts';
import { sendDigests } from './digest.ts';
import { UnsubscribeTokens } from './unsubscribe.ts';

/** Each hour: somewhere it is seven in the morning, and what no mail server took is tried again. */
const cron = '5 * * * *';

/** Sends digests by the clock. A server without a mail server sends none: its log is no mailbox. */
export function keepDigests(deps: Deps, remind: (taxpayerId: string) => Promise<void>): void {
  if (deps.config.mail === null) return;
  const work = { tokens: new UnsubscribeTokens(deps), remind };
  deps.jobs.schedule('digests', { cron, perform: (signal) => sendDigests(deps, work, signal) });
}
