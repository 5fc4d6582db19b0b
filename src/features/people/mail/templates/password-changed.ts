import { type Letter, passwordLink, setPassword } from '../letter.ts';

export function passwordChanged(baseUrl: string): Letter {
  return {
    subject: 'Your Lotbook password was changed',
    paragraphs: [
      'The password of your Lotbook account was changed just now, and its other sessions have ended.',
      setPassword,
    ],
    link: passwordLink(baseUrl),
  };
}
