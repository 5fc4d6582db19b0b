import type { Letter } from '../letter.ts';

/** Sent to the owner of the books. */
export function accessGiven(baseUrl: string, given: { readonly email: string; readonly allows: string }): Letter {
  return {
    subject: `${given.email} sees your Lotbook books from now on`,
    paragraphs: [
      `${given.email} was let into your books just now. The role: ${given.allows}`,
      'You end it at any moment under Account.',
      'If it was not you, end it at once, and set a new password.',
    ],
    link: { label: 'See who is in', url: `${baseUrl}/account` },
  };
}
