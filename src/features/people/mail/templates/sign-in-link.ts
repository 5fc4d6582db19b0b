import { type Letter, worksOnce } from '../letter.ts';

export function signInLink({ link, minutes }: { readonly link: string; readonly minutes: number }): Letter {
  return {
    subject: 'Use a new browser for Lotbook',
    paragraphs: [
      'Your Lotbook account passed the first sign-in step (your password, Google or GitHub) in a browser that you have not used before. Many wrong passwords or codes were entered earlier, so we also ask you to use this link.',
      `If this was you, open the link in that browser and sign in again. ${worksOnce(`${minutes} minutes`)}`,
      "If this wasn't you, someone knows your password or uses your Google or GitHub account. Do not open the link. Choose “Forgot the password?” on the sign-in page and set a new password now.",
    ],
    link: { label: 'Use this browser', url: link },
  };
}
