import type { Config } from '../../config.ts';
import type { Mail } from '../../deps.ts';
import { smtpMail } from '../../features/mail/smtp.ts';

/** Tells the owner of an account what was done to it: in which words the operator hears of that. What was done stays done. */
export async function mailOwner(
  config: Config,
  mail: Mail,
): Promise<{ readonly mailed: boolean; readonly words: string }> {
  if (config.mail === null) {
    return { mailed: false, words: `No mail tells ${mail.to}: SMTP_URL is not set. Tell them yourself.` };
  }
  try {
    await smtpMail(config.mail).send(mail);
    return { mailed: true, words: `A mail tells ${mail.to}.` };
  } catch {
    return { mailed: false, words: `The mail server did not take the mail that tells ${mail.to}. Tell them yourself.` };
  }
}
