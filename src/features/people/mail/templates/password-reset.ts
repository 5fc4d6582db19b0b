import { ignoreThis, type Letter, worksOnce } from '../letter.ts';

export function passwordReset({ link, minutes }: { readonly link: string; readonly minutes: number }): Letter {
  return {
    subject: 'Set a new password for Lotbook',
    paragraphs: [
      'Someone asked to set a new password for the Lotbook account with this email address.',
      `${worksOnce(`${minutes} minutes`)} It ends all sessions of the account.`,
      `${ignoreThis} Your password stays the same.`,
    ],
    link: { label: 'Set a new password', url: link },
  };
}
