import type { Config } from '../../config.ts';
import type { Mail } from '../../deps.ts';
import { smtpMail } from '../../features/people/mail/smtp.ts';

/**
 * Notifies the owner of an account about an operator's change, and returns the sentence for the operator. If the email
 * fails, the change stays in effect.
 */
export async function mailOwner(
  config: Config,
  mail: Mail,
): Promise<{ readonly mailed: boolean; readonly words: string }> {
  if (config.mail === null) {
    return { mailed: false, words: `${mail.to} was not notified, because SMTP_URL is not set. Notify them yourself.` };
  }
  try {
    await smtpMail(config.mail).send(mail);
    return { mailed: true, words: `${mail.to} gets an email about it.` };
  } catch {
    return { mailed: false, words: `The mail server did not accept the email to ${mail.to}. Notify them yourself.` };
  }
}
