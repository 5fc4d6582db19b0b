import { type Money, parseMoney, parseQuantity, type Quantity } from '../../../base/decimal.ts';
import { findAccounts, findMentions } from './mentions.ts';
import { parseYears } from './periods.ts';

/** The facts in a question, and its other words. */
export interface Question {
  /** The years in the question. Empty if it mentions none. */
  readonly years: readonly number[];
  readonly assets: readonly string[];
  readonly unknownAssets: readonly string[];
  readonly accounts: readonly string[];
  /** The price per unit, from `… at $150`. */
  readonly price: Money | null;
  /** The quantity in `sell 5 AAPL`. The number of units for half or all depends on the books. */
  readonly quantity: Quantity | 'half' | null;
  /** The price in `for $500`, which may be per unit or for the whole sale. */
  readonly unsurePrice: string | null;
  /** The question without assets, accounts, years and other numbers. It is matched with the templates. */
  readonly words: string;
  /** The day, month or quarter in the question, which no answer is limited to. Null if there is none. */
  readonly partOfYear: string | null;
}

export interface BooksOutline {
  readonly thisYear: number;
  readonly years: readonly number[];
  readonly assets: readonly string[];
  readonly accounts: readonly string[];
}

/** Reads years, assets, accounts and the numbers of a planned sale from a question. */
export function readQuestion(original: string, books: BooksOutline): Question {
  const text = original.normalize('NFKC').replaceAll('’', "'");
  const { accounts, rest: withoutAccounts } = findAccounts(text, books.accounts);
  const { assets, unknown, rest } = findMentions(withoutAccounts, books.assets);
  const years = parseYears(rest, books.thisYear, books.years);
  return {
    years,
    assets,
    unknownAssets: unknown,
    accounts,
    ...parsePlannedSale(rest.toLowerCase(), text.toLowerCase()),
    words: toWords(rest, years.length > 0),
    partOfYear: partOfYear.exec(rest)?.[0] ?? null,
  };
}

/** Removes numbers and, if the question names a year, the words around it: `last year`, `since`, `box C` of a year. */
function toWords(rest: string, namesYear: boolean): string {
  const words = (namesYear ? rest.replaceAll(beforeYear, ' ') : rest)
    .toLowerCase()
    .replaceAll(numberInText, (found) => (named.test(found) ? found : ' '));
  return namesYear ? words.replaceAll(aroundYear, ' ').replaceAll(/\bbox(?:es)? [a-l]\b/g, 'box') : words;
}

const beforeYear = /\b(?:since|before|after|until|through|thru|prior to|up to|between)\s+(?=(?:19|20)\d\d\b)/gi;
const aroundYear = new RegExp(
  [
    String.raw`\b(?:one|two|three|four|five|six|seven|eight|nine|ten|a)?\s*years? ago\b`,
    String.raw`\b(?:this|last|next|past|previous|prior|current|each|every|all|by|per)\s+(?:[a-z]+\s+)?(?:of\s+)?(?:my\s+)?(?:tax\s+)?years?\b`,
    // The word is the subject of "Which years are in my books?".
    String.raw`(?<!\b(?:which|what|many) )\b(?:tax )?years?(?: to date| before last)?\b`,
    String.raw`\b(?:in total|total|overall|all[- ]time|lifetime|so far|ytd|onwards?|ty|fy)\b`,
  ].join('|'),
  'g',
);

const numberInText = /\$?(?<![\p{L}\d-])\d[\d,.]*\d(?![\p{L}\d%-])|\$?(?<![\p{L}\d-])\d(?![\p{L}\d%-])/gu;
/** Numbers that name a form, a section of law or the limit of losses. */
const named = /^(?:8949|8997|8283|6781|1040|1099|1256|1244|1202|2000|\$?3,?000)$/;
const months = 'january|february|march|april|may|june|july|august|september|october|november|december';
const partOfYear = new RegExp(
  [
    String.raw`\b\d{4}-\d\d-\d\d\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b`,
    String.raw`\bq[1-4]\b|\b(?:first|second|third|fourth|last|this|past|next) (?:quarter|month|week)\b`,
    String.raw`\byesterday\b|\bin (?:${months})\b`,
  ].join('|'),
  'i',
);

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
    /\b(?:sell(?:ing)?|sold|sale of)\s+(?:(?:another|about|my|the)\s+)*(\d[\d,]*(?:\.\d+)?)/.exec(rest)?.[1] ??
    /(?<![$\d.,])(\d[\d,]*(?:\.\d+)?)\s+(?:shares?|units?|coins?|contracts?)\b/.exec(rest)?.[1];
  const quantity = units === undefined ? undefined : parseQuantity(units.replaceAll(',', ''));
  return {
    price: price === undefined || price <= 0n ? null : price,
    quantity: quantity !== undefined && quantity > 0n ? quantity : /\bhalf\b/.test(rest) ? 'half' : null,
    unsurePrice: unsure ?? null,
  };
}
