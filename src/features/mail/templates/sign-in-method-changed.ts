import type { Letter } from '../letter.ts';

/**
 * Sent after a sign-in method was added or removed. `what` is the subject of the sentence, such as “The passkey
 * “Laptop”” or “A Google account”.
 */
export function signInMethodChanged(baseUrl: string, what: string, how: 'added' | 'removed'): Letter {
  return {
    subject: `A sign-in method for your Lotbook account was ${how}`,
    paragraphs: [
      how === 'added'
        ? `${what} can now be used to sign in to your Lotbook account.`
        : `${what} can no longer be used to sign in to your Lotbook account.`,
      "If this wasn't you, someone else has access to your account. Set a new password now, and check the sign-in methods on your account page.",
    ],
    link: { label: 'Set a new password', url: `${baseUrl}/reset` },
  };
}
