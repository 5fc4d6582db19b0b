import type { HelpEntry } from '../help/entry.ts';
import type { Citation } from './view.ts';

/** Cites an entry of the help center. It is the same for all books, so its URL names no client. */
export function helpCitation({ id, title }: HelpEntry): Citation {
  return { title: `Help: ${title}`, href: `/v1/help/${id}` };
}
