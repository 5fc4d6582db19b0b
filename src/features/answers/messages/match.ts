import { type HelpEntry, helpEntries } from '../help/entries.ts';
import { createIndex, type IndexHit, termsOf } from '../help/search.ts';
import { type Template, templates } from './templates.ts';

/** A template or a help entry that is near to a question. */
export interface QuestionMatch {
  readonly template: Template | null;
  readonly entry: HelpEntry | null;
  /** Zero if they have nothing in common, about one if they have the same words. */
  readonly nearness: number;
}

/** From this nearness on, the match is the answer. Below it, the nearest matches are only suggested. */
export const nearEnough = 0.6;

interface IndexedWording {
  readonly template: Template | null;
  readonly entry: HelpEntry | null;
  readonly terms: ReadonlySet<string>;
}

/**
 * Every wording of every template and every title and keyword of the help center, in one index. Each is a document, so
 * that a question is compared with the nearest wording and not with all of them together.
 */
class WordingIndex {
  readonly #wordings: IndexedWording[] = [];
  readonly #search: ReturnType<typeof createIndex>;
  readonly #weights = new Map<string, number>();

  constructor() {
    const texts: string[] = [];
    const add = (text: string, of: Pick<IndexedWording, 'template' | 'entry'>): void => {
      texts.push(text);
      this.#wordings.push({ ...of, terms: new Set(termsOf(text)) });
    };
    for (const template of templates) {
      for (const text of template.wordings) {
        add(text, { template, entry: null });
        // The name of an account is replaced with this word.
        add(`${text} in my account`, { template, entry: null });
      }
    }
    for (const entry of helpEntries) {
      for (const text of [entry.title, ...entry.keywords]) add(text, { template: null, entry });
    }
    this.#search = createIndex(
      texts.map((title, at) => ({ id: String(at), title, keywords: '', text: '' })),
      {
        byPrefix: false,
      },
    );
    const counts = new Map<string, number>();
    for (const { terms } of this.#wordings) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) this.#weights.set(term, Math.log(1 + this.#wordings.length / count));
  }

  /** Returns the templates and entries that share words with a text, nearest first. */
  find(text: string, favor: (wording: IndexedWording) => number): readonly QuestionMatch[] {
    const asked = new Set(termsOf(text));
    const best = new Map<Template | HelpEntry, QuestionMatch>();
    for (const hit of this.#search(text)) {
      const wording = this.#wordings[Number(hit.id)];
      const target = wording?.template ?? wording?.entry;
      if (wording === undefined || target === undefined || target === null) continue;
      const nearness = this.#nearness(asked, wording, hit) * favor(wording);
      const before = best.get(target);
      if (before === undefined || nearness > before.nearness)
        best.set(target, { template: wording.template, entry: wording.entry, nearness });
    }
    return [...best.values()].sort((a, b) => b.nearness - a.nearness);
  }

  /**
   * Compares a question with a wording by the weight of the terms that they share. Rare terms weigh more. A term of the
   * question that a template does not have weighs the most, because it may change the meaning: the answer about all
   * gains does not answer a question about gains on crypto.
   */
  #nearness(asked: ReadonlySet<string>, { template, terms }: IndexedWording, { matched, found }: IndexHit): number {
    const shared = this.#weigh(matched);
    const others = [...asked].filter((term) => !matched.includes(term));
    const missing = template === null ? this.#weigh(others) : others.length * this.#most;
    const covered = shared / (shared + missing);
    const used = this.#weigh(found) / this.#weigh(terms);
    return (3 * covered * used) / (covered + 2 * used);
  }

  /** The weight of a term that is in no wording. */
  get #most(): number {
    return Math.log(1 + this.#wordings.length);
  }

  #weigh(terms: Iterable<string>): number {
    let sum = 0;
    for (const term of terms) sum += this.#weights.get(term) ?? this.#most;
    return sum;
  }
}

let index: WordingIndex | undefined;

export interface Aim {
  /** Whether the question is about the books rather than about law or instructions. */
  readonly isAboutBooks: boolean;
  /** Whether it is about a sale that has not happened, which facts must not answer. */
  readonly isHypothetical: boolean;
  /** Whether it asks when something happens or is due. */
  readonly isAboutDate: boolean;
}

/** Finds what a question asks for, nearest first. */
export function findMatches(
  words: string,
  { isAboutBooks, isHypothetical, isAboutDate }: Aim,
): readonly QuestionMatch[] {
  index ??= new WordingIndex();
  return index.find(words, ({ template, entry }) => {
    if (template !== null && !isEligible(template, isHypothetical)) return 0;
    const favor = (template !== null) === isAboutBooks ? 1 : lessFavored;
    return isAboutDate && entry?.kind === 'deadline' ? favor * moreFavored : favor;
  });
}

const lessFavored = 0.85;
const moreFavored = 1.1;

function isEligible({ hypothetical }: Template, isHypothetical: boolean): boolean {
  return hypothetical === 'also' || (hypothetical === 'only') === isHypothetical;
}
