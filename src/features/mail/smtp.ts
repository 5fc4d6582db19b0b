import { createTransport } from 'nodemailer';
import type { MailServer } from '../../config.ts';
import type { MailPort } from '../../deps.ts';

const connectionsMax = 4;
const connectSeconds = 10;
const silenceSeconds = 30;

/** Sends by SMTP, over few connections that stay open. The text of a mail can name no file and no address to read. */
export function smtpMail({ smtpUrl, from }: MailServer): MailPort {
  const transport = createTransport(
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
    // RFC 3834: programs that answer mail by themselves leave this one alone.
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  );
  return {
    send: async ({ to, unsubscribeUrl, ...content }) => {
      // As an object: a comma in it makes no second address.
      await transport.sendMail({
        ...content,
        to: { name: '', address: to },
        headers: unsubscribeHeaders(unsubscribeUrl),
      });
    },
  };
}

/** Programs for mail show a button that asks nobody to sign in (RFC 8058). */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
