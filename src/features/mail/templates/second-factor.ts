import type { Letter } from '../letter.ts';

export function secondFactorChanged(baseUrl: string, what: 'added' | 'removed'): Letter {
  const now = what === 'added' ? 'asks for a code of an authenticator app' : 'asks for the password only';
  return {
    subject: `The second factor of your Lotbook account was ${what}`,
    paragraphs: [
      `The sign-in to your Lotbook account ${now} from now on.`,
      'If it was not you, somebody else reached your account. Set a new password here at once.',
    ],
    link: { label: 'Set a new password', url: `${baseUrl}/reset` },
  };
}
