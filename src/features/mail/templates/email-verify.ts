import type { Letter } from '../letter.ts';

export function emailVerify({ link, days }: { readonly link: string; readonly days: number }): Letter {
  return {
    subject: 'Confirm your e-mail address for Lotbook',
    paragraphs: [
      'Somebody made a Lotbook account with this e-mail address.',
      `The link confirms that you read it, once, within ${days} days. Until then you can import and calculate, but you cannot create tokens, passkeys, linked accounts or invitations.`,
      'If it was not you, you can ignore this email.',
    ],
    link: { label: 'Confirm the address', url: link },
  };
}
