import type { Log, MailPort } from '../../deps.ts';

/** If no mail server is configured, the operator reads the mails in the log and passes them on. */
export function logMail(log: Log): MailPort {
  return {
    send: async ({ to, subject, text }) => log.info('mail, not sent: SMTP_URL is not set', { to, subject, text }),
  };
}
