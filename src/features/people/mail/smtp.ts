import { isObject } from '../../../base/json.ts';
import type { MailServer } from '../../../config.ts';
import type { Log, MailPort } from '../../../deps.ts';

const connectionsMax = 4;
const connectSeconds = 10;
const silenceSeconds = 30;

/** Sends emails through SMTP. Loads nodemailer, which takes about 15 MB, when the first email is sent. */
export function smtpMail(server: MailServer): MailPort {
  let opening: ReturnType<typeof openTransport> | undefined;
  return {
    send: async ({ id, to, unsubscribeUrl, ...content }) => {
      opening ??= openTransport(server);
      const transport = await opening;
      // An object instead of a string, so that a comma in the address cannot add a second recipient.
      const mail = {
        ...content,
        to: { name: '', address: to },
        headers: unsubscribeHeaders(unsubscribeUrl),
        ...(id === undefined ? {} : { messageId: `<${id}@${domainOf(server.from)}>` }),
      };
      await transport.sendMail(mail).catch((error: unknown) => {
        throw isForGood(error)
          ? new MailRejectedError('The mail server rejected the email permanently.', { cause: error })
          : error;
      });
    },
  };
}

/** Returns the domain in an address like `Lotbook <no-reply@lotbook.example>`. */
function domainOf(from: string): string {
  return /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

/**
 * Returns whether an error is permanent: caused by the recipient's address or the text, not by the operator's
 * configuration (RFC 5321, 4.2.1: reply codes of 500 and above).
 */
function isForGood(error: unknown): boolean {
  if (!isObject(error) || (error.code !== 'EENVELOPE' && error.code !== 'EMESSAGE')) return false;
  return error.command === 'API' || (error.command !== 'MAIL FROM' && Number(error.responseCode) >= 500);
}

/** Opens a transport with a few persistent connections. Emails cannot make nodemailer read files or URLs. */
async function openTransport({ smtpUrl, from }: MailServer) {
  const { createTransport } = await import('nodemailer');
  return createTransport(
    {
      pool: true,
      url: smtpUrl,
      maxConnections: connectionsMax,
      connectionTimeout: connectSeconds * 1000,
      greetingTimeout: connectSeconds * 1000,
      socketTimeout: silenceSeconds * 1000,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // Prevents automatic replies (RFC 3834).
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  );
}

/** Adds the headers for an unsubscribe button in email programs, which works without signing in (RFC 8058). */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/**
 * Logs emails instead of sending them, if no mail server is configured. The operator can read them in the log and pass
 * them on.
 */
export function logMail(log: Log): MailPort {
  return {
    send: async ({ to, subject, text }) => log.info('mail, not sent: SMTP_URL is not set', { to, subject, text }),
  };
}

/** Thrown if an email was rejected permanently and must not be retried. */
export class MailRejectedError extends Error {
  override readonly name = 'MailRejectedError';
}
