import type { Letter } from '../letter.ts';

interface DigestLetter {
  /** The name of the client who owns the books, or null for the user's own books. */
  readonly client: string | null;
  readonly frequency: 'daily' | 'weekly';
  readonly items: readonly { readonly title: string; readonly body: string }[];
  /** The total number of new notifications. */
  readonly fresh: number;
  readonly link: string;
  readonly stopLink: string;
}

export function digest({ client, frequency, items, fresh, link, stopLink }: DigestLetter): Letter {
  const counted = `${fresh} new ${fresh === 1 ? 'notification' : 'notifications'}`;
  const books = client === null ? '' : ` in the books of ${client}`;
  const since = frequency === 'daily' ? 'the last daily email' : 'the last weekly email';
  const others = fresh - items.length;
  return {
    subject: `Lotbook: ${counted}${client === null ? '' : ` for ${client}`}`,
    paragraphs: [
      `You have ${counted}${books} since ${since}.`,
      ...(others > 0 ? [`Here are the newest ${items.length}. Lotbook has ${others} more.`] : []),
    ],
    link: { label: 'See them in Lotbook', url: link },
    items,
    stop: { label: 'Unsubscribe', url: stopLink },
  };
}
