import type { Letter } from '../letter.ts';

export function passwordChanged(baseUrl: string): Letter {
  return {
    subject: 'Your Lotbook password was changed',
    paragraphs: [
      'The password of your Lotbook account was changed just now, and its other sessions have ended.',
      'If it was not you, somebody else reached your account or your mail. Set a new password here at once.',
    ],
    link: { label: 'Set a new password', url: `${baseUrl}/reset` },
  };
}
