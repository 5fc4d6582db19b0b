import type { Letter } from '../letter.ts';

export function emailVerify({ link, days }: { readonly link: string; readonly days: number }): Letter {
  return {
    subject: 'Confirm your email address for Lotbook',
    paragraphs: [
      'A Lotbook account was created with this email address.',
      `Use the link within ${days} days to confirm that this is your address. It works once. Until then you can import and calculate, but you can't create tokens, passkeys, linked accounts or invitations.`,
      "If this wasn't you, you can ignore this email.",
    ],
    link: { label: 'Confirm address', url: link },
  };
}
