import { type Money, parseMoney } from '../../base/decimal.ts';
import { assetsIn } from './mentions.ts';
import { yearsIn } from './periods.ts';

const subjects = [
  'gains',
  'lots',
  'longTerm',
  'report',
  'washSales',
  'carryover',
  'harvest',
  'income',
  'issues',
  'years',
  'help',
] as const;
export type Subject = (typeof subjects)[number];

/** What the built-in assistant understood of a question. */
export interface Question {
  /** Null where it did not understand. */
  readonly subject: Subject | null;
  /** As named; empty where the question names none. */
  readonly years: readonly number[];
  readonly assets: readonly string[];
  readonly unknownAssets: readonly string[];
  /** The price of one unit, from `… at $150`. */
  readonly price: Money | null;
  /** `my best` or `my worst`: the end of the list to show. */
  readonly extreme: 'best' | 'worst' | null;
  /** The question is about the tax itself, which the books do not contain. */
  readonly tax: boolean;
}

export interface KnownBooks {
  readonly thisYear: number;
  readonly years: readonly number[];
  readonly assets: readonly string[];
}

/** Reads a question in plain English. Parts that it leaves out (`and in 2024?`) come from the question before. */
export function understand(text: string, books: KnownBooks, previous: string | null = null): Question {
  const question = read(text, books);
  const before = previous === null ? null : read(previous, books);
  const mentions = question.years.length + question.assets.length + question.unknownAssets.length;
  if (question.subject !== null) {
    // "And when do they turn long-term?" is about the asset of the question before.
    const refersBack = /\b(it|its|them|they|those|these|that one)\b/i.test(text);
    return before !== null && refersBack && mentions === 0
      ? { ...question, years: before.years, assets: before.assets, unknownAssets: before.unknownAssets }
      : question;
  }
  if (mentions === 0) return question;
  if (before?.subject !== undefined && before.subject !== null && before.subject !== 'help') {
    const newAsset = question.assets.length + question.unknownAssets.length > 0;
    return {
      ...question,
      subject: before.subject,
      years: question.years.length > 0 ? question.years : before.years,
      assets: newAsset ? question.assets : before.assets,
      unknownAssets: newAsset ? question.unknownAssets : before.unknownAssets,
      extreme: before.extreme,
    };
  }
  return { ...question, subject: question.years.length > 0 ? 'gains' : 'lots' };
}

function read(text: string, books: KnownBooks): Question {
  const { assets, unknown } = assetsIn(text, books.assets);
  const words = withoutNames(text, books.assets).toLowerCase();
  return {
    subject: subjectOf(words),
    years: yearsIn(withoutNames(text, books.assets), books.thisYear, books.years),
    assets,
    unknownAssets: unknown,
    price: priceIn(words),
    extreme: extremeIn(words),
    tax: /\b(owe|tax (?:bill|due|liability)|taxes)\b/.test(words),
  };
}

/** Removes options' names: a date in one is no tax year. */
function withoutNames(text: string, assets: readonly string[]): string {
  let rest = text.normalize('NFKC').replaceAll('’', "'");
  for (const asset of assets.filter((each) => each.includes(' '))) {
    const at = rest.toLowerCase().indexOf(asset.toLowerCase());
    if (at >= 0) rest = `${rest.slice(0, at)} ${rest.slice(at + asset.length)}`;
  }
  return rest;
}

/** The first match counts: rare subjects come before common ones. */
const signs: readonly (readonly [Subject, RegExp])[] = [
  [
    'help',
    /^\W*(help|hi|hello|hey|thanks?|thank you)\b[\s\w]{0,12}\W*$|what (can|do) you (do|know|answer)|how do you work/,
  ],
  [
    'issues',
    /\bissues?\b|\bproblems?\b|\bmissing\b|\berrors?\b|\bmistakes?\b|\bwarnings?\b|need(s|ing)? (a )?(review|attention)|unknown basis|no basis|oversold|sold more than|anything wrong|incomplete/,
  ],
  [
    'harvest',
    /harvest|tax[- ]loss|un-?reali[sz]ed|paper (loss|gain)|under ?water|losses? (?:that )?(?:i )?(?:could|can|should|might)|(?:could|can|should|might) i (?:still )?(?:sell|take|realize|realise)|losses to take|offset|if i (?:sell|sold)|worth selling|reduce my tax/,
  ],
  ['washSales', /wash/],
  ['carryover', /\bcarr(y|ies|ied|ying)\b|carry-?(over|forward)|deduct/],
  [
    'longTerm',
    /(turn|turns|become|becomes|go|goes|get|gets|qualif\w*|be|reach\w*|hit|hits|cross\w*)\s+(?:to\s+|as\s+|for\s+)?(?:a\s+)?long|(when|how (soon|long|many days)|what date|which (lots|positions|shares)|next)\b.*long[- ]?term|long[- ]?term (on|date|dates|when|soon|yet|already)|holding period|how long (?:have|did|do|must|should)|days? (?:un)?til/,
  ],
  [
    'income',
    /\bincome\b|dividend|\binterest\b|staking|\bstaked?\b|\bmining\b|\bmined\b|air-?drop|\brewards?\b|\bwages\b|distributions?\b|withh(e|o)ld/,
  ],
  [
    'report',
    /\breports?\b|\b8949\b|schedule d|\bforms?\b|\bbox(es)?\b|\btxf\b|turbo ?tax|tax ?act\b|\bpdf\b|\blines?\b/,
  ],
  [
    'gains',
    /\bgains?\b|\bloss(es)?\b|\blost\b|profit|\bmade\b|\bmake\b|\bearn(ed)?\b|p ?(?:&|and|n) ?l\b|reali[sz]ed|\bproceeds\b|\bsold\b|\bsales?\b|\btax(es|able)?\b|\bowe\b|\bnet\b|short[- ]?term|performance|performers?|how (?:did|was|much did) (?:i|we|it|my)\b/,
  ],
  [
    'lots',
    /\blots?\b|\bhold(ings?)?\b|\bheld\b|\bown(ed)?\b|positions?\b|\bopen\b|portfolio|how (much|many)|\bbasis\b|balance|\bleft\b|still have|do i have|what have i|\bcost\b/,
  ],
  ['gains', /long[- ]?term/],
  ['years', /\byears?\b|activity|transactions?|\bhistory\b|\bbooks\b/],
];

function subjectOf(words: string): Subject | null {
  return signs.find(([, sign]) => sign.test(words))?.[0] ?? null;
}

/** `at $150`, `at 150.25`, `price of 12`, `trades at 3`, `drops to 90`. */
function priceIn(words: string): Money | null {
  const match =
    /(?:\bat|@|\bprice(?: is| of)?|\bto|\bworth|\bfor)\s*\$\s*(\d[\d,]*(?:\.\d+)?)/.exec(words) ??
    /(?:\bat|@|\bprice(?: is| of)?)\s*(\d[\d,]*(?:\.\d+)?)(?!\s*(?:%|percent))/.exec(words);
  const price = match?.[1] === undefined ? undefined : parseMoney(match[1].replaceAll(',', ''));
  return price === undefined || price <= 0n ? null : price;
}

function extremeIn(words: string): Question['extreme'] {
  if (/\b(worst|biggest loss(es)?|largest loss(es)?|losers?|lost (?:the )?most)\b/.test(words)) return 'worst';
  return /\b(best|top|biggest|largest|highest|winners?|most)\b/.test(words) ? 'best' : null;
}
