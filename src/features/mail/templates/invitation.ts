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
  const { subject, asks } = words[kind];
  return {
    subject: `${from} ${subject}`,
    paragraphs: [
      `${from} ${asks} ${allows}`,
      `The link shows the details and works for ${days} days. Nothing changes unless you accept. Sign in with this email address, or create an account with it.`,
      "If you don't know this address, ignore this email.",
    ],
    link: { label: 'See the invitation', url: link },
  };
}

const words = {
  request: {
    subject: 'asks for access to your books in Lotbook',
    asks: 'asks for access to your books in Lotbook. The role:',
  },
  offer: {
    subject: 'offers you access to books in Lotbook',
    asks: 'offers you access to books in Lotbook. The role:',
  },
  handover: {
    subject: 'wants to transfer a client to you in Lotbook',
    asks: "wants to transfer a client's books in Lotbook to you.",
  },
  ownership: {
    subject: 'wants to give you your books in Lotbook',
    asks: 'wants to give you the Lotbook books they keep for you. You will own them. They keep a role in them until you end it:',
  },
} as const;
