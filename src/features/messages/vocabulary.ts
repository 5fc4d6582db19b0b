/**
 * Phrases that count as one word. They are replaced in this order. This file folds synonyms into one word, so that the
 * tables of subjects stay short.
 */
const phrases: readonly (readonly [from: RegExp, to: string])[] = [
  [/^\W*(?:hi|hello|hey|thanks|thank you)(?: there| lotbook| a lot)?\W*$/g, 'help'],
  [/\bwhat (?:can|do) (?:you|i) (?:do|know|answer|ask)\b|\bhow do you work\b|\bwho are you\b/g, 'help'],
  [/\b(how many [a-z]+ (?:did|have) (?:i|we)) (?:make|made)\b/g, '$1'],
  [/\b(?:which|what|how many) years\b/g, 'activeyears'],
  [/\bright now\b/g, 'now'],
  [/\bcan (?:i|you|we|one) deduct (?:per|a|each|every|in a) year\b/g, 'deduct limit'],
  [/\bforms? (?=8949|1099)/g, ' '],
  [/\bshort[- ]?terms?\b/g, 'shortterm'],
  [/\blong[- ]?terms?\b/g, 'longterm'],
  [/\bwash(?:ed)?[- ]?(?:sales?|sold)\b/g, 'washsale'],
  [/\b(?:cost|tax) basis\b/g, 'basis'],
  [/\btax[- ]loss(?:es)?\b(?=[- ]harvest)/g, ' '],
  [/\bschedule d\b/g, 'scheduled'],
  [/\bcarr(?:y|ies|ied|ying)[- ]?(?:over|forward|on|into|in)\b|\bcarry?(?:over|forward)s?\b/g, 'carryover'],
  [/\bholding periods?\b/g, 'holdingperiod'],
  [/\bturbo tax\b/g, 'turbotax'],
  [/\btax act\b/g, 'taxact'],
  [/\btax years?\b/g, 'year'],
  [/\bcapital (?=gain|loss)/g, ' '],
  [/\b1099[- ]?b\b/g, '1099b'],
  [/\b1099[- ]?da\b/g, '1099da'],
  [/\bstep(?:ped)?[- ]?up\b/g, 'stepup'],
  [/\bspecific(?:ally)? (?:lot )?(?:id|identif\w+)\b/g, 'specificid'],
  [/\bsubstantially identical\b/g, 'identical'],
  [/\bp ?(?:&|and|n) ?l\b/g, 'gain'],
  [/\$?3[,.]?000\b|\b3k\b/g, 'threethousand'],
  [/\bpay(?:ing)? (?:taxes|tax)\b/g, 'owe'],
  [/\bsign(?:ed|ing)? (?:off)\b/g, 'signoff'],
  [/\bair ?drops?\b/g, 'airdrop'],
  [/\bcan ?not\b|\bcan\x27t\b/g, 'can not'],
  [/n\x27t\b/g, ' not'],
  [/\x27(?:s|re|m|ve|ll|d)\b/g, ' '],
];

/** Each line contains the word that the tables use, followed by its synonyms. */
const synonyms = `
gain gains profit profits profitable realized realised realize realise make made making earn earned earnings pnl performance perform performed performing performer performers
loss losses lost lose losing loser losers
sell sells sold selling sale sales disposal disposals disposed dispose trade trades
buy buys bought buying purchase purchased purchases acquire acquired
rebuy repurchase repurchased repurchasing rebought
hold holds holding holdings held own owned owns position positions portfolio
lot lots
share shares unit units coin coins token tokens
open unsold remaining left
turn turns become becomes becoming go goes going qualify qualifies cross crosses reach reaches
income incomes
dividend dividends distribution distributions
interest
staking staked stake reward rewards mining mined airdrop
withheld withhold withholding
issue issues problem problems missing error errors mistake mistakes warning warnings wrong incomplete review attention trouble
explain explained explains explainable unexplained
year years
report reports
box boxes
line lines row rows
8949
harvest harvesting harvestable unrealized unrealised underwater
deduct deducted deduction deductions deductible offset offsets writeoff
washsale wash washed washes
best top winner winners biggest largest highest most
worst lowest
proceeds
basis cost costs
pay pays paid paying
tax taxes taxed taxable taxation
owe owed bill liability
rate rates bracket brackets
price prices priced pricing worth value
plan plans subscription subscribe tier tiers pro
format formats
limit limits maximum max cap quota allowed allowance
message messages question questions
import imports importing imported upload uploads uploading csv
export exports exporting download downloads downloading print
delete deletes deleting deleted remove removing erase undo
account accounts
method methods
fifo lifo hifo specificid
change changes changing switch set choose pick
deadline deadlines due
extension
inherit inherited inherits inheritance inheriting heir
gift gifts gifted gave
crypto cryptocurrency bitcoin digital
option options
client clients
accountant cpa preparer
invite invites share
return returns
file files filing
day days window
average averages averaged mean
compare compared comparison versus vs difference than
transaction transactions activity
password
mean means meaning definition define defined
`;

/** Words that carry no meaning in a question about the books. */
const silent = new Set(
  `a an the of in on at to for from by with and or is are was were be been am do does did done have has had it its this that these those they them
  there here my me i we our us you your mine which what who when where how much many any some all each every per total totals overall
  please show give tell list see get find could can would shall may might want need know like let lets just now today currently
  current so far yet already still ever in as if then about into out up over also again only really actually exactly
  last past previous prior next year since before after between until through during ytd date early late thing things
  amount amounts dollar dollars usd sum count number numbers figure figures hi hello hey thanks thank ok okay whole entire tax_year
  stock stocks security securities asset assets book books lotbook capital irs us federal one ones two three four five six seven
  eight nine ten ago time lifetime across different various kind kinds type types work works use using used app`.split(
    /\s+/,
  ),
);

const foldedWords: ReadonlyMap<string, string> = new Map(
  synonyms
    .trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.split(' ');
      return words.map((word): [string, string] => [word, words[0] ?? word]);
    }),
);

/**
 * Recognizes questions about a definition (`What is a wash sale?`) as opposed to questions about the books (`what are
 * my wash sales?`).
 */
const meaningQuestion = /\b(?:what is|what\x27s|whats|what are|what does|what do|how does|how do|how is|how are)\b/;
const imperatives = ['explain', 'define', 'describe', 'tell me about'];
const meaningRequest = new RegExp(String.raw`^\W*(?:please )?(?:${imperatives.join('|')})\b`);
const ownershipWords = /\b(?:my|mine|i|me|our|we)\b/;
/** Recognizes hypothetical questions, which must not be answered with facts. */
const hypothetical = /\bif (?:i|we)\b|\bif [a-z.]+ (?:drops|rises|falls|goes)\b|\bwere to\b|\bwould\b|\bselling\b/;
/** Recognizes a day or part of a year. Answers only cover whole years. */
const partOfYear = /\b\d{4}-\d\d-\d\d\b|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b|\bq[1-4]\b/g;

export interface QuestionWords {
  /** All words, with synonyms folded. */
  readonly all: ReadonlySet<string>;
  /** Words that carry a meaning. */
  readonly telling: readonly string[];
}

/** Returns the words of a question without numbers. The names of assets must already be removed. */
export function parseWords(question: string, namesYears = false): QuestionWords {
  const lower = question.toLowerCase();
  const isRequest = meaningRequest.test(lower) && !ownershipWords.test(lower.replace(meaningRequest, ''));
  let text = isRequest ? lower.replace(meaningRequest, ' ') : lower;
  const days = text.match(partOfYear) ?? [];
  for (const [from, to] of phrases) text = text.replaceAll(from, to);
  const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => foldedWords.get(word) ?? word);
  const meant = words.filter((word) => !/^\d+$/.test(word) || forms.has(word));
  const telling = [...new Set([...days, ...meant.filter((word) => !silent.has(word))])];
  const all = new Set(words);
  if (isRequest || (meaningQuestion.test(lower) && !ownershipWords.test(lower) && !namesYears)) all.add('mean');
  if (hypothetical.test(lower)) all.add('whatif');
  return { all, telling };
}

const forms = new Set(['8949', '1256', '6781', '1040']);
