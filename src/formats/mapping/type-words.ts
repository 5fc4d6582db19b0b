import { type TransactionType, transactionTypes } from '../../engine/model.ts';
import type { MappedType } from './mapping.ts';
import { typeSynonyms } from './type-synonyms.ts';

/** Words for types, statuses and totals in files with an unknown layout. */

/** Returns a word's type. Undefined if the word is ambiguous or unknown, so the mapping must define it. */
export function typeOfWord(word: string): MappedType | undefined {
  const plain = plainWords(word);
  return (
    transactionTypes.find((type) => type === plain.replaceAll(' ', '_')) ??
    typeOfWords.get(plain) ??
    readJapaneseType(plain) ??
    findOnlyType(plain)
  );
}

/**
 * Reads Japanese type words, which have no blanks between them (`株式現物買`). Margin purchases and their repayment are
 * excluded.
 */
function readJapaneseType(plain: string): MappedType | undefined {
  if (!/[買売]/.test(plain) || /信用|返済|取消|空売|建/.test(plain)) return undefined;
  const [buys, sells] = [plain.includes('買'), plain.includes('売')];
  return buys === sells ? undefined : buys ? 'buy' : 'sell';
}

/** Returns whether the word means a trade but does not show its direction. */
export function isDirectionless(word: string): boolean {
  const words = plainWords(word).split(' ');
  return words.every((one) => directionlessWords.has(one));
}

/** Returns whether a row with this status was completed. Undefined if the word is unknown. */
export function stateOfWord(word: string): 'done' | 'not done' | undefined {
  const words = plainWords(word).split(' ');
  const isPart = words.some((one) => one.startsWith('partial'));
  if (isPart && words.length > 1 && !words.some((one) => one.startsWith('fill'))) return undefined;
  if (words.some((one) => undoneWords.some((start) => one.startsWith(start)))) return 'not done';
  return words.some((one) => doneWords.some((start) => one.startsWith(start))) ? 'done' : undefined;
}

/** Returns whether a text means that the row was not completed or was reversed. */
export function isUndone(text: string): boolean {
  return /\b(?:cancell?ed|rejected|failed|voided|declined|bounced|never filled|not executed)\b/i.test(text);
}

/** Returns whether a row that begins with this text is a total or ends the file. */
export function isTotalWord(text: string): boolean {
  return totalShape.test(plainWords(text.slice(0, 80)));
}

/** Reduces a text to lowercase letters and digits with single blanks: `Buy/Sell` and `buy_sell` become `buy sell`. */
export function plainWords(text: string): string {
  return text
    .slice(0, wordsLengthMax)
    .replace(/([\p{Ll}])([\p{Lu}])/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const wordsLengthMax = 200;

export function splitWords(list: string): string[] {
  return list === '' ? [] : list.split('|');
}

const skippedWords =
  'cash deposit|cash withdrawal|ach deposit|ach withdrawal|wire in|wire out|bank transfer|cancelled|canceled|rejected|pending|failed';

const typeOfWords: ReadonlyMap<string, MappedType> = new Map([
  ...transactionTypes.flatMap((type) =>
    splitWords(typeSynonyms[type] ?? '').map((word): [string, MappedType] => [word, type]),
  ),
  ...splitWords(skippedWords).map((word): [string, MappedType] => [word, 'skip']),
]);

/** Types that are also recognized within a longer text: `Buy Trade`, `Sell at market price`. */
const containedTypes: ReadonlySet<TransactionType> = new Set<TransactionType>([
  'buy',
  'sell',
  'deposit',
  'withdrawal',
  'dividend',
  'interest',
  'staking',
  'mining',
  'airdrop',
  'reward',
  'trade',
]);

const tooShort = 3;
const containedWords: ReadonlyMap<string, TransactionType> = new Map(
  transactionTypes.flatMap((type) =>
    [type, ...splitWords(typeSynonyms[type] ?? '')]
      .filter((word) => word.length >= tooShort || !/^[a-z]+$/.test(word))
      .map((word): [string, TransactionType] => [word, type]),
  ),
);

/** Words that change the meaning of a type word in the same text. */
const changingWords = new Set(
  splitWords(
    'cancel|cancelled|canceled|cancellation|reversal|reversed|reverse|correction|adjustment|adjusted|failed|rejected|refund|refunded|tax|fee|fees|commission|short|cover|open|close|call|put|option|options|not|no|void|storno|expired|pending|request|requested|rebate|return|returned|loan|margin|borrow|borrowed|lending|collateral|liquidation|reinvestment|reinvested|reinvest|gift|split|in lieu|accrued|futures|future|perpetual|internal|unstake|unstaking|stake|lock|unlock|chargeback|paid|charged|expense',
  ),
);

/**
 * Types that give way to another type in the same text: `Staking reward` is staking, `Crypto exchange sale` is a sale.
 */
const weakTypes: ReadonlySet<TransactionType> = new Set(['trade', 'reward']);

/** Returns the type if the text contains words for exactly one. */
function findOnlyType(plain: string): TransactionType | undefined {
  const words = plain.split(' ');
  if (words.length > phraseWordsMax || words.some((word) => changingWords.has(word))) return undefined;
  const types = new Set<TransactionType>();
  for (let from = 0; from < words.length; from++) {
    const pair = containedWords.get(words.slice(from, from + 2).join(' '));
    const type = pair ?? containedWords.get(words[from] ?? '');
    if (type !== undefined) types.add(type);
    if (pair !== undefined) from++;
  }
  if (types.size > 2 || [...types].some((type) => !containedTypes.has(type))) return undefined;
  const strong = [...types].filter((type) => !weakTypes.has(type));
  const [only, other] = strong.length > 0 ? strong : [...types];
  return other === undefined ? only : undefined;
}

const phraseWordsMax = 8;

const directionlessWords = new Set(
  splitWords(
    'trade|trades|exchange|order|fill|deal|execution|transaction|market|limit|spot|transfer|handel|transaktion',
  ),
);

const doneWords = splitWords(
  'complete|confirm|success|succe|filled|fill|executed|done|settled|ok|true|finished|approved|credited|closed|processed|abgeschlossen|ausgeführt|terminé|exécuté|completad|ejecutad|completat|eseguit|concluíd|executad|voltooid|uitgevoerd|genomför|zrealizowan|完了|約定',
);
const undoneWords = splitWords(
  'cancel|fail|reject|declin|expire|void|error|pending|false|unfilled|abort|refus|open|storniert|abgebrochen|annul|échou|fallid|rifiutat|recusad|geannuleerd|makuler|avbrut|anulowan|odrzucon|取消|失敗',
);

const totalShape =
  /^(?:(?:grand|sub|net) ?)?(?:totals?|subtotals?|sums?|summe|gesamt|gesamtsumme|totale|totaal|summa|razem|suma|合計|小計)(?:$| )|^end of /u;
