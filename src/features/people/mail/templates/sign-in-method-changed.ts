import { type Letter, passwordLink, setPassword } from '../letter.ts';

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
      `${setPassword} Then check the sign-in methods on your account page.`,
    ],
    link: passwordLink(baseUrl),
  };
}
