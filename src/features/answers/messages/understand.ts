import type { HelpEntry } from '../help/entries.ts';
import { termsOf } from '../help/search.ts';
import { type Aim, findMatches, nearEnough, type QuestionMatch } from './match.ts';
import { type BooksOutline, type Question, readQuestion } from './question.ts';
import { type Template, templates } from './templates.ts';

/** A question with the template or entry that answers it, or with the nearest ones if none is near enough. */
interface Understood {
  readonly question: Question;
  readonly template: Template | null;
  readonly entry: HelpEntry | null;
  /** The nearest templates and entries, if there is no answer. */
  readonly nearest: readonly QuestionMatch[];
  /** Whether it has no words with a meaning, like a greeting. */
  readonly isEmpty: boolean;
}

const unanswered = { template: null, entry: null, nearest: [], isEmpty: false };

/** Finds the answer to a question. If it omits something (`and in 2024?`), uses the previous question. */
export function understand(text: string, previous: string | null, outline: BooksOutline): Understood {
  const question = readQuestion(text, outline);
  const before = previous === null ? null : readQuestion(previous, outline);
  const isBare = termsOf(question.words).every(
    (term) => greetings.has(term) || (term === 'account' && question.accounts.length > 0),
  );
  if (isBare && countMentions(question) > 0) return continued(question, previous, before, outline);
  const nearest = findMatches(question.words, toAim(text, question));
  const [best] = nearest;
  const isCovered = question.partOfYear === null || best?.template === null;
  if (best === undefined || best.nearness < nearEnough || !isCovered)
    return { ...unanswered, question, nearest, isEmpty: isBare };
  // "When do they turn long-term?" refers to the asset in the previous question.
  const refersBack = /\b(it|its|them|they|those|these|that one)\b/i.test(text);
  const { template, entry } = best;
  if (template === null || before === null || !refersBack || countMentions(question) > 0)
    return { ...unanswered, question, template, entry };
  const { years, assets, unknownAssets, accounts } = before;
  return { ...unanswered, question: { ...question, years, assets, unknownAssets, accounts }, template };
}

/** A question with only a year, an asset or an account continues the previous one, or lists gains or lots. */
function continued(
  question: Question,
  previous: string | null,
  before: Question | null,
  outline: BooksOutline,
): Understood {
  const found = previous === null ? null : understand(previous, null, outline);
  if (before === null || found === null || found.template === null) {
    const id = question.years.length > 0 ? 'gains' : 'lots';
    if (question.partOfYear !== null) return { ...unanswered, question, nearest: findMatches(id, gainsAim) };
    return { ...unanswered, question, template: templates.find((each) => each.id === id) ?? null };
  }
  const namesAsset = question.assets.length + question.unknownAssets.length > 0;
  const merged = {
    ...before,
    years: question.years.length > 0 ? question.years : before.years,
    assets: namesAsset ? question.assets : before.assets,
    unknownAssets: namesAsset ? question.unknownAssets : before.unknownAssets,
    accounts: question.accounts.length > 0 ? question.accounts : before.accounts,
  };
  return { ...unanswered, question: merged, template: found.template };
}

const greetings: ReadonlySet<string> = new Set(termsOf('hi hello hey help thanks ok okay lotbook there'));

function countMentions({ years, assets, unknownAssets, accounts }: Question): number {
  return years.length + assets.length + unknownAssets.length + accounts.length;
}

const gainsAim: Aim = { isAboutBooks: true, isHypothetical: false, isAboutDate: false };
/** Recognizes questions about a definition, a rule or instructions. */
const general =
  /\b(?:what is|what's|what are|what does|what do|how does|how is|how are|explain|define|do|does|is there|is|are)\b/;
const instructions = /^\W*how (?:do|can|to)\b|\bcan i\b/;
/** A year that is not one of the books. */
const perYear = /\b(?:per|a) year\b/;
const owned = /\b(?:my|mine|i|me|our|we)\b/;
const hypothetical =
  /\bif (?:i|we|it)\b|\bif [a-z.]+ (?:drops|rises|falls|goes)\b|\bwere to\b|\bwould\b|^(?!.*\bdid\b).*\bselling\b/;

function toAim(text: string, question: Question): Aim {
  const lower = text.toLowerCase();
  const namesPart = countMentions(question) > 0 && !perYear.test(lower);
  const isOwn = namesPart || (owned.test(lower) && !instructions.test(lower));
  return {
    isAboutBooks: isOwn || !(general.test(lower) || instructions.test(lower)),
    isHypothetical: hypothetical.test(lower),
    isAboutDate: /\b(?:when|due|deadline)\b/.test(lower),
  };
}
