import type { Letter } from '../letter.ts';

export function emailVerify({ link, days }: { readonly link: string; readonly days: number }): Letter {
  return {
    subject: 'Confirm your e-mail address for Lotbook',
    paragraphs: [
      'Somebody made a Lotbook account with this e-mail address.',
      `The link confirms that you read it, once, within ${days} days. Until then the account imports and calculates, but makes no tokens, passkeys, linked accounts or invitations.`,
      'If it was not you, leave this mail alone.',
    ],
    link: { label: 'Confirm the address', url: link },
  };
}
