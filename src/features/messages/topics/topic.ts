import type { Citation } from '../view.ts';

/**
 * A topic outside the books: the law, how Lotbook works, or plans. `words` has the same format as in the table of
 * subjects.
 */
export interface Topic {
  readonly words: readonly string[];
  readonly also?: string;
  readonly text: string;
  readonly source: Citation;
}

export function page(title: string, href: string): Citation {
  return { title, href };
}
