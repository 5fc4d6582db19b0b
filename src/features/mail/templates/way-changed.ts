import type { Letter } from '../letter.ts';

/** `what`: “The passkey “Laptop””, “Your Google account”, as the subject of a sentence. */
export function wayChanged(baseUrl: string, what: string, how: 'added' | 'removed'): Letter {
  return {
    subject: `A sign-in method of your Lotbook account was ${how}`,
    paragraphs: [
      how === 'added'
        ? `${what} can now sign in to your Lotbook account.`
        : `${what} can no longer sign in to your Lotbook account.`,
      "If this wasn't you, someone else has access to your account. Set a new password now, and check the sign-in methods on your account page.",
    ],
    link: { label: 'Set a new password', url: `${baseUrl}/reset` },
  };
}
