import type { Letter } from '../letter.ts';

export function passwordChanged(baseUrl: string): Letter {
  return {
    subject: 'Your Lotbook password was changed',
    paragraphs: [
      'The password of your Lotbook account was changed just now, and its other sessions have ended.',
      "If this wasn't you, someone else has access to your account or your email. Set a new password now.",
    ],
    link: { label: 'Set a new password', url: `${baseUrl}/reset` },
  };
}
