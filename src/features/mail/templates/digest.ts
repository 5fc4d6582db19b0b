import type { Letter } from '../letter.ts';

interface DigestLetter {
  /** Name of the client whose books these are; null for the user's own books. */
  readonly client: string | null;
  readonly frequency: 'daily' | 'weekly';
  readonly items: readonly { readonly title: string; readonly body: string }[];
  /** How many are new in all. */
  readonly fresh: number;
  readonly link: string;
  readonly stopLink: string;
}

export function digest({ client, frequency, items, fresh, link, stopLink }: DigestLetter): Letter {
  const counted = `${fresh} new ${fresh === 1 ? 'notification' : 'notifications'}`;
  const books = client === null ? '' : ` in the books of ${client}`;
  const since = frequency === 'daily' ? 'the last daily mail' : 'the last weekly mail';
  const others = fresh - items.length;
  return {
    subject: `Lotbook: ${counted}${client === null ? '' : ` for ${client}`}`,
    paragraphs: [
      `There ${fresh === 1 ? 'is' : 'are'} ${counted}${books} since ${since}.`,
      ...(others > 0 ? [`The newest ${items.length} stand here, and ${others} more in Lotbook.`] : []),
    ],
    link: { label: 'See them in Lotbook', url: link },
    items,
    stop: { label: 'Stop these mails', url: stopLink },
  };
}
