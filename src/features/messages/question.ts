import { type Money, parseMoney, parseQuantity, type Quantity } from '../../base/decimal.ts';
import { findMentions } from './mentions.ts';
import { parseYears } from './periods.ts';
import { type Subject, type SubjectRow, subjects } from './subjects.ts';
import { type Topic, type TopicName, topics } from './topics/topics.ts';
import { parseWords, type QuestionWords } from './vocabulary.ts';

/** A question as the built-in assistant understood it. */
export interface Question {
  /** The subject in the books. Null if the question is about something else or was not understood. */
  readonly subject: Subject | null;
  /** The topic, if the question is about the law, Lotbook or plans. */
  readonly topic: TopicName | null;
  /** The years in the question. Empty if it mentions none. */
  readonly years: readonly number[];
  readonly assets: readonly string[];
  readonly unknownAssets: readonly string[];
  /** The price per unit, from `… at $150`. */
  readonly price: Money | null;
  /** The quantity in `sell 5 AAPL`. The number of units for half or all depends on the books. */
  readonly quantity: Quantity | 'half' | null;
  /** The price in `for $500`, which may be per unit or for the whole sale. */
  readonly unsurePrice: string | null;
  /** Which end of the list to show: `my best` or `my worst`. */
  readonly extreme: 'best' | 'worst' | null;
  /** Words that are in no phrasing. */
  readonly notUnderstood: readonly string[];
  /** The original question, which is searched for account names. */
  readonly text: string;
}

export interface BooksOutline {
  readonly thisYear: number;
  readonly years: readonly number[];
  readonly assets: readonly string[];
}

/** Parses a question in English. If it omits something (`and in 2024?`), uses the previous question. */
export function parseQuestion(text: string, books: BooksOutline, previous: string | null = null): Question {
  const question = read(text, books);
  const before = previous === null ? null : read(previous, books);
  const mentions = question.years.length + question.assets.length + question.unknownAssets.length;
  if (question.subject !== null) {
    // "And when do they turn long-term?" refers to the asset in the previous question.
    const refersBack = /\b(it|its|them|they|those|these|that one)\b/i.test(text);
    return before !== null && refersBack && mentions === 0
      ? { ...question, years: before.years, assets: before.assets, unknownAssets: before.unknownAssets }
      : question;
  }
  if (question.topic !== null || mentions === 0 || question.notUnderstood.length > 0) return question;
  if (before !== null && before.subject !== null && before.subject !== 'help') {
    const newAsset = question.assets.length + question.unknownAssets.length > 0;
    return {
      ...question,
      subject: before.subject,
      years: question.years.length > 0 ? question.years : before.years,
      assets: newAsset ? question.assets : before.assets,
      unknownAssets: newAsset ? question.unknownAssets : before.unknownAssets,
      quantity: before.quantity,
      price: before.price,
      extreme: before.extreme,
    };
  }
  return { ...question, subject: question.years.length > 0 ? 'gains' : 'lots' };
}

function read(original: string, books: BooksOutline): Question {
  const text = original.normalize('NFKC').replaceAll('’', "'");
  const { assets, unknown, rest } = findMentions(text, books.assets);
  const years = parseYears(rest, books.thisYear, books.years);
  const words = parseWords(rest, years.length > 0);
  const lower = text.toLowerCase();
  const isAboutBooks = /\b(my|mine|i|me|our|we)\b/.test(lower) || years.length + assets.length + unknown.length > 0;
  const phrasing = findBestPhrasing(words, isAboutBooks || !words.all.has('mean'), assets.length + unknown.length > 0);
  return {
    subject: phrasing?.subject ?? null,
    topic: phrasing?.topic ?? null,
    years,
    assets,
    unknownAssets: unknown,
    ...parsePlannedSale(rest.toLowerCase(), lower),
    extreme:
      words.all.has('worst') || (words.all.has('best') && words.all.has('loss'))
        ? 'worst'
        : words.all.has('best')
          ? 'best'
          : null,
    notUnderstood: phrasing === undefined ? words.telling : [],
    text,
  };
}

/** A way to phrase a question. The question must contain every group of words and no other meaningful word. */
interface Phrasing {
  readonly subject: Subject | null;
  readonly topic: TopicName | null;
  readonly groups: readonly (readonly string[])[];
  readonly allowed: ReadonlySet<string>;
}

const phrasings: readonly Phrasing[] = [
  ...Object.entries(subjects).flatMap(([name, row]) => toPhrasings(row, { subject: name as Subject, topic: null })),
  ...Object.entries(topics).flatMap(([name, row]) => toPhrasings(row, { subject: null, topic: name as TopicName })),
];

function toPhrasings(row: SubjectRow | Topic, of: Pick<Phrasing, 'subject' | 'topic'>): Phrasing[] {
  return row.words.map((line) => {
    const groups = line.split(' ').map((group) => group.split('|'));
    return { ...of, groups, allowed: new Set([...groups.flat(), ...(row.also ?? '').split(' ')]) };
  });
}

/**
 * Returns the phrasing that shares the most words with the question. If several are equal, prefers subjects for
 * questions about the user's own books, and topics otherwise.
 */
function findBestPhrasing(
  { all, telling }: QuestionWords,
  wantsBooks: boolean,
  namesAsset: boolean,
): Phrasing | undefined {
  const isHypothetical = all.has('whatif');
  const fitting = phrasings.filter(
    ({ subject, groups, allowed }) =>
      groups.every((group) => group.some((word) => all.has(word))) &&
      telling.every((word) => allowed.has(word)) &&
      // Topics are never about a single asset.
      (!namesAsset || subject !== null) &&
      (!isHypothetical || subject === null || subject === 'whatIf' || subject === 'harvest'),
  );
  const size = (phrasing: Phrasing): number =>
    phrasing.groups.length * 2 + (wantsBooks === (phrasing.subject !== null) ? 1 : 0);
  return fitting.toSorted((a, b) => size(b) - size(a))[0];
}

const number = String.raw`(\d[\d,]*(?:\.\d+)?)`;
const unitWords = '(?:each|apiece|a share|per share|a unit|per unit|a coin|per coin)';

/** Parses the quantity and price of a planned sale. */
function parsePlannedSale(rest: string, lower: string): Pick<Question, 'price' | 'quantity' | 'unsurePrice'> {
  const read = (pattern: string): string | undefined => new RegExp(pattern).exec(lower)?.[1]?.replaceAll(',', '');
  const unit =
    read(String.raw`(?:\bat|@|\bprice(?: is| of)?|\bto|\bworth)\s*\$\s*${number}`) ??
    read(String.raw`(?:\bat|@|\bprice(?: is| of)?)\s*${number}(?!\s*(?:%|percent))`) ??
    read(String.raw`\bfor\s*\$?\s*${number}\s*(?:dollars\s+)?${unitWords}\b`);
  const unsure = unit === undefined ? read(String.raw`\bfor\s*\$\s*${number}`) : undefined;
  const price = unit === undefined ? undefined : parseMoney(unit);
  const units =
    /\bsell(?:ing)?\s+(?:(?:another|about|my|the)\s+)*(\d[\d,]*(?:\.\d+)?)/.exec(rest)?.[1] ??
    /(?<![$\d.,])(\d[\d,]*(?:\.\d+)?)\s+(?:shares?|units?|coins?|contracts?)\b/.exec(rest)?.[1];
  const quantity = units === undefined ? undefined : parseQuantity(units.replaceAll(',', ''));
  return {
    price: price === undefined || price <= 0n ? null : price,
    quantity: quantity !== undefined && quantity > 0n ? quantity : /\bhalf\b/.test(rest) ? 'half' : null,
    unsurePrice: unsure ?? null,
  };
}
