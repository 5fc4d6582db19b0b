import { isObject } from '../../base/json.ts';
import type { MailServer } from '../../config.ts';
import type { MailPort } from '../../deps.ts';
import { MailRefused } from './refused.ts';

const connectionsMax = 4;
const connectSeconds = 10;
const silenceSeconds = 30;

/** Sends by SMTP. Loads nodemailer, which takes some 15 MB, with the first mail. */
export function smtpMail(server: MailServer): MailPort {
  let opening: ReturnType<typeof openTransport> | undefined;
  return {
    send: async ({ id, to, unsubscribeUrl, ...content }) => {
      opening ??= openTransport(server);
      const transport = await opening;
      // An object, so that a comma in the address does not create a second one.
      const mail = {
        ...content,
        to: { name: '', address: to },
        headers: unsubscribeHeaders(unsubscribeUrl),
        ...(id === undefined ? {} : { messageId: `<${id}@${domainOf(server.from)}>` }),
      };
      await transport.sendMail(mail).catch((error: unknown) => {
        throw isForGood(error)
          ? new MailRefused('The mail server rejected the mail permanently.', { cause: error })
          : error;
      });
    },
  };
}

/** The parts of `Lotbook <no-reply@lotbook.example>`. */
function domainOf(from: string): string {
  return /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

/**
 * Errors in the recipient's address or the text, not in the operator's configuration (RFC 5321, 4.2.1: replies from
 * 500).
 */
function isForGood(error: unknown): boolean {
  if (!isObject(error) || (error.code !== 'EENVELOPE' && error.code !== 'EMESSAGE')) return false;
  return error.command === 'API' || (error.command !== 'MAIL FROM' && Number(error.responseCode) >= 500);
}

/** Uses few connections that stay open. Mails cannot include files or URLs for nodemailer to read. */
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
    // RFC 3834: prevents automatic replies.
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  );
}

/** Mail programs show an unsubscribe button that works without signing in (RFC 8058). */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
