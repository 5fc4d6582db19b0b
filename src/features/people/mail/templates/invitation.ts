import type { Letter } from '../letter.ts';

interface InvitationLetter {
  /** The email address of the inviter. The inviter's name is not shown, because it could contain any text. */
  readonly from: string;
  readonly kind: 'request' | 'offer' | 'handover' | 'ownership';
  /** The permissions of the role, as worded on the invitation page. */
  readonly allows: string;
  readonly link: string;
  readonly days: number;
}

export function invitation({ from, kind, allows, link, days }: InvitationLetter): Letter {
  const subject = `${from} ${subjects[kind]}`;
  const role = kind === 'ownership' ? 'You will own them. They keep a role in them until you end it:' : 'The role:';
  return {
    subject,
    paragraphs: [
      `${subject}. ${role} ${allows}`,
      `The link shows the details and works for ${days} days. Nothing changes unless you accept. Sign in with this email address, or create an account with it.`,
      "If you don't know this address, ignore this email.",
    ],
    link: { label: 'See the invitation', url: link },
  };
}

const subjects = {
  request: 'asks for access to your books in Lotbook',
  offer: 'offers you access to books in Lotbook',
  handover: 'wants to transfer a client to you in Lotbook',
  ownership: 'wants to give you your books in Lotbook',
} as const;
