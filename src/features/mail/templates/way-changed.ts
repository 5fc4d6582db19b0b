import type { Letter } from '../letter.ts';

/** `what`: “The passkey “Laptop””, “Your Google account”, as the subject of a sentence. */
export function wayChanged(baseUrl: string, what: string, how: 'added' | 'removed'): Letter {
  return {
    subject: `A way to sign in to your Lotbook account was ${how}`,
    paragraphs: [
      how === 'added'
        ? `${what} signs in to your Lotbook account from now on.`
        : `${what} does not sign in to your Lotbook account any more.`,
      'If it was not you, somebody else reached your account. Set a new password here at once, and look at the ways to sign in on the page of the account.',
    ],
    link: { label: 'Set a new password', url: `${baseUrl}/reset` },
  };
}
