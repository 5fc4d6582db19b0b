import type { Letter } from '../letter.ts';

export function signInLink({ link, minutes }: { readonly link: string; readonly minutes: number }): Letter {
  return {
    subject: 'Use a new browser for Lotbook',
    paragraphs: [
      'Somebody passed the first step of signing in to your Lotbook account (your password, Google or GitHub) in a browser that you have not used before. Many wrong passwords or codes were sent before, so we ask for this link as well.',
      `If it was you, open the link in that browser and sign in again. The link works once, within ${minutes} minutes.`,
      'If it was not you, somebody knows your password or uses your account at Google or GitHub. Do not open the link. Choose “Forgot the password?” on the sign-in page and set a new password now.',
    ],
    link: { label: 'Use this browser', url: link },
  };
}
