import type { Log, MailPort } from '../../../deps.ts';

/**
 * Logs emails instead of sending them, if no mail server is configured. The operator can read them in the log and pass
 * them on.
 */
export function logMail(log: Log): MailPort {
  return {
    send: async ({ to, subject, text }) => log.info('mail, not sent: SMTP_URL is not set', { to, subject, text }),
  };
}
