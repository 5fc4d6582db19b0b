import { ignoreThis, type Letter, worksOnce } from '../letter.ts';

export function emailVerify({ link, days }: { readonly link: string; readonly days: number }): Letter {
  return {
    subject: 'Confirm your email address for Lotbook',
    paragraphs: [
      'A Lotbook account was created with this email address.',
      `Use the link to confirm that this is your address. ${worksOnce(`${days} days`)} Until then you can import and calculate, but you can't create tokens, passkeys, linked accounts or invitations.`,
      ignoreThis,
    ],
    link: { label: 'Confirm address', url: link },
  };
}
