import type { Letter } from '../letter.ts';

export function passwordReset({ link, minutes }: { readonly link: string; readonly minutes: number }): Letter {
  return {
    subject: 'Set a new password for Lotbook',
    paragraphs: [
      'Somebody asked to set a new password for the Lotbook account with this e-mail address.',
      `The link works once, within ${minutes} minutes. All sessions of the account end then.`,
      'If it was not you, you can ignore this email. The password stays as it is.',
    ],
    link: { label: 'Set a new password', url: link },
  };
}
