import type { Letter } from '../letter.ts';

interface InvitationLetter {
  /** The address of the inviter. The name is left out, because an inviter could put any text into it. */
  readonly from: string;
  readonly kind: 'request' | 'offer' | 'handover' | 'ownership';
  /** The permissions of the role, in the words of the invitation page. */
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
      `The link shows what it is about. Nothing happens before you accept, and it works for ${days} days. Sign in with this e-mail address, or make an account with it.`,
      'If you do not know this address, leave the mail alone.',
    ],
    link: { label: 'See the invitation', url: link },
  };
}

const words = {
  request: {
    subject: 'asks to see your books in Lotbook',
    asks: 'asks you for access to your books in Lotbook. The role:',
  },
  offer: {
    subject: 'lets you into books in Lotbook',
    asks: 'offers you access to books in Lotbook. The role:',
  },
  handover: {
    subject: 'hands you a client in Lotbook',
    asks: 'wants to hand the books of a client in Lotbook over to you.',
  },
  ownership: {
    subject: 'gives you your books in Lotbook',
    asks: 'wants to give you the books in Lotbook that they keep for you: they become your own. They keep a role in them until you end it:',
  },
} as const;
