import type { Letter } from '../letter.ts';

export function signInLink({ link, minutes }: { readonly link: string; readonly minutes: number }): Letter {
  return {
    subject: 'Use a new browser for Lotbook',
    paragraphs: [
      'Somebody just sent the right password of your Lotbook account from a browser that you have not used before. Many wrong passwords were sent before that, so we ask for this link as well.',
      `If it was you, open the link in that browser and sign in again. The link works once, within ${minutes} minutes.`,
      'If it was not you, somebody knows your password. Do not open the link. Choose “Forgot the password?” on the sign-in page and set a new password now.',
    ],
    link: { label: 'Use this browser', url: link },
  };
}
