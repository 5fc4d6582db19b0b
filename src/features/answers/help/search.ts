import MiniSearch from 'minisearch';
import { findHelpEntry, type HelpEntry, helpEntries } from './entries.ts';

/** A document of an index, with text for each field. */
interface IndexedText {
  readonly id: string;
  /** The most telling text: a title, or the wording of a question. */
  readonly title: string;
  readonly keywords: string;
  readonly text: string;
}

export interface IndexHit {
  readonly id: string;
  readonly score: number;
  /** The terms of the query that the document contains. */
  readonly matched: readonly string[];
  /** The terms of the document that match them. They differ if a match is fuzzy. */
  readonly found: readonly string[];
}

/** Creates a full-text index in memory. `byPrefix` also finds longer words that begin like a word of the query. */
export function createIndex(
  documents: readonly IndexedText[],
  { byPrefix }: { readonly byPrefix: boolean },
): (query: string) => readonly IndexHit[] {
  const index = new MiniSearch<IndexedText>({
    fields: ['title', 'keywords', 'text'],
    tokenize: splitWords,
    processTerm: toTerm,
    searchOptions: {
      boost: { title: 4, keywords: 3 },
      // Short words have too many neighbors, such as box and tax.
      fuzzy: (term) => term.length > 5,
      // Two changes make another word: realized and unrealized.
      maxFuzzy: 1,
      prefix: (term) => byPrefix && term.length > 3,
    },
  });
  index.addAll(documents);
  return (query) =>
    index.search(query).map(({ id, score, queryTerms, terms }) => ({ id, score, matched: queryTerms, found: terms }));
}

/** Splits a text at spaces and punctuation. Keeps names such as `1099-DA`, `401(k)` and `Q&A` findable in one piece. */
export function splitWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/['’]s\b/g, '')
      .replaceAll(/\b1099[- ]?(b|da|div|int|oid)\b/g, '1099$1')
      .replaceAll('401(k)', '401k')
      .replaceAll(/(\d),(?=\d{3})/g, '$1')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Words that are in most questions and most entries. */
const stopWords = new Set(
  `a an the of in on at to for from by with and or is are was were be been am do does did done have has had it its this
  that these those they them there here my me i we our us you your what which when where how mean means meaning explain define definition
  difference between work works much many any some can could may
  please show give all every each tell let get about as into s t`.split(/\s+/),
);

/** Returns the form of a word that is indexed and searched for, or null for a word without meaning. */
function toTerm(word: string): string | null {
  return stopWords.has(word) ? null : stem(word);
}

/** Removes the endings of plurals and verbs, so that `washed`, `washes` and `wash` are one term. */
function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  const bare = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/(?<=[aeiouy].*)(?:ing|ed)$/, '');
  return bare.length < 3 ? word : bare.replace(/([^aeiouls])\1$/, '$1').replace(/e$/, '');
}

const index = lazily(() =>
  createIndex(
    helpEntries.map(({ id, title, keywords, text }) => ({ id, title, keywords: keywords.join(', '), text })),
    {
      byPrefix: true,
    },
  ),
);
const titles = lazily(() => new Map(helpEntries.map(({ id, title }) => [id, termsOf(title).join(' ')])));

/** How much more an entry counts if the query is its title. */
const titleFactor = 3;

interface HelpHit {
  readonly entry: HelpEntry;
  readonly score: number;
}

/** Finds the entries for a question or some words, best first. */
export function searchHelp(query: string): readonly HelpHit[] {
  const asked = termsOf(query).join(' ');
  return index()(query)
    .flatMap(({ id, score }) => {
      const entry = findHelpEntry(id);
      return entry === undefined ? [] : [{ entry, score: titles().get(id) === asked ? score * titleFactor : score }];
    })
    .sort((a, b) => b.score - a.score);
}

/** Returns the terms of a text that are searched for. */
export function termsOf(text: string): string[] {
  return splitWords(text).flatMap((word) => toTerm(word) ?? []);
}

function lazily<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
