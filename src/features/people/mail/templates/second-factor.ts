import { type Letter, passwordLink, setPassword } from '../letter.ts';

export function secondFactorChanged(baseUrl: string, what: 'added' | 'removed'): Letter {
  const now = what === 'added' ? 'asks for a code from an authenticator app' : 'asks only for the password';
  return {
    subject: `Two-factor authentication of your Lotbook account was ${what}`,
    paragraphs: [`Signing in to your Lotbook account now ${now}.`, setPassword],
    link: passwordLink(baseUrl),
  };
}
