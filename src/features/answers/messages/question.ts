import { type Money, parseMoney, parseQuantity, type Quantity } from '../../../base/decimal.ts';
import { lotMethods } from '../../../engine/model.ts';

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

interface Mentions {
  /** The known assets in the question, spelled as in the books, in the order of the question. */
  readonly assets: readonly string[];
  /** Words that look like symbols but are not in the books. */
  readonly unknown: readonly string[];
  /** The question without the names of assets. */
  readonly rest: string;
}

/** Finds the assets that a question mentions, by symbol (in any case) or by the common name of a coin or company. */
function findMentions(question: string, known: readonly string[]): Mentions {
  const { rest, whole } = takeWhole(question, known);
  const bySymbol = new Map(known.map((asset) => [plain(asset), asset]));
  const shouted = rest === rest.toUpperCase();
  const assets = new Set(whole);
  const unknown = new Set<string>();
  const others = rest.replace(/[\p{L}\p{N}$./_-]+/gu, (word) => {
    const bare = word.replace(/^[./_-]+|[./_-]+$/g, '');
    const marked = bare.startsWith('$');
    const symbol = marked ? bare.slice(1) : bare;
    if (symbol === '' || /^[\d.,]+$/.test(symbol)) return word;
    const asset = bySymbol.get(plain(symbol)) ?? bySymbol.get(plain(everydayNames[symbol.toLowerCase()] ?? ''));
    const capital = symbol === symbol.toUpperCase() && !shouted;
    const everyday = everydayNames[symbol.toLowerCase()];
    if (asset !== undefined && (marked || capital || !commonWords.has(symbol.toLowerCase()))) assets.add(asset);
    else if (asset === undefined && (marked || (capital && readsLikeSymbol(symbol)))) unknown.add(symbol.toUpperCase());
    else if (asset === undefined && everyday !== undefined) unknown.add(everyday);
    else return word;
    return ' ';
  });
  return { assets: [...assets], unknown: [...unknown], rest: others };
}

/** Finds the accounts that a question mentions by name, longest name first, and removes them from it. */
function findAccounts(question: string, known: readonly string[]): { accounts: string[]; rest: string } {
  const accounts: string[] = [];
  let rest = question;
  for (const account of known.toSorted((a, b) => b.length - a.length)) {
    const name = account.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    // A short name must be next to the word account, because it is also a common word.
    const pattern =
      account.length < shortName
        ? `\\baccount ${name}\\b|\\b${name} account\\b`
        : `(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`;
    const without = account === '' ? rest : rest.replace(new RegExp(pattern, 'iu'), ' account ');
    if (without === rest) continue;
    accounts.push(account);
    rest = without;
  }
  return { accounts, rest };
}

const shortName = 3;

/**
 * Finds names with several words, such as the option `AAPL 2025-01-17 C 150`, and removes them from the question,
 * longest first.
 */
function takeWhole(question: string, known: readonly string[]): { rest: string; whole: string[] } {
  const whole: string[] = [];
  let rest = question.normalize('NFKC');
  for (const asset of known.filter((each) => each.includes(' ')).sort((a, b) => b.length - a.length)) {
    const at = rest.toLowerCase().indexOf(asset.toLowerCase());
    if (at < 0) continue;
    whole.push(asset);
    rest = `${rest.slice(0, at)} ${rest.slice(at + asset.length)}`;
  }
  return { rest, whole };
}

/** Normalizes a symbol, so that `BRK.B`, `BRK/B` and `brk-b` are equal. */
function plain(symbol: string): string {
  return symbol.toUpperCase().replaceAll(/[./_-]/g, '');
}

function readsLikeSymbol(word: string): boolean {
  return /^[A-Z]{2,5}(?:[./-][A-Z])?$/.test(word) && !commonWords.has(word.toLowerCase()) && !acronyms.has(word);
}

const everydayNames: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  bitcoin: 'BTC',
  bitcoins: 'BTC',
  ether: 'ETH',
  ethereum: 'ETH',
  litecoin: 'LTC',
  dogecoin: 'DOGE',
  doge: 'DOGE',
  solana: 'SOL',
  cardano: 'ADA',
  ripple: 'XRP',
  polkadot: 'DOT',
  avalanche: 'AVAX',
  chainlink: 'LINK',
  monero: 'XMR',
  tether: 'USDT',
  apple: 'AAPL',
  tesla: 'TSLA',
  microsoft: 'MSFT',
  amazon: 'AMZN',
  google: 'GOOGL',
  nvidia: 'NVDA',
});

/** Common words that are also symbols. They count as symbols only if they are capitalized or have a dollar sign. */
const commonWords = new Set(
  `a about all an and any are as at be been best big box by can car cash cost day did do does ever fast for form from fun
  gain gains get go good had has have hold how i if in income is it its job key last long loss lot lots love low made
  make many may me more much my net new next no not now of off on one only open or our out own pay plan play real report
  same save see sell she short should so sold some sum tax term than that the them then there they this to top total
  turn two up us was wash we well what when which who why will wish with won worst year you your`.split(/\s+/),
);

const acronyms: ReadonlySet<string> = new Set([
  ...lotMethods,
  ...'ABP ADR AGI DRAFT AI AMT API CD CPA CSV CUSIP DA DEFI DRIP EIN ESPP ETF FILO FMV FORM FREE HSA IRA IRS ISIN JSON LT MFJ MFS NFT NIIT OID OK OTC PDF PNL PRO QOF QSBS REIT ROTH RSU SEC SSN ST TIN TXF UK US USA USD UTC YTD'.split(
    ' ',
  ),
]);

/** Returns the tax years that a question mentions, in ascending order. Empty if it mentions none. */
function parseYears(question: string, thisYear: number, active: readonly number[]): readonly number[] {
  const text = question
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[‐‑–—]/g, '-');
  const years = ranges(text, thisYear, active) ?? new Set([...relative(text, thisYear), ...findNamedYears(text)]);
  return [...years].sort((a, b) => a - b).slice(-yearsMax);
}

const yearsMax = 20;
const year = String.raw`((?:19|20)\d\d)`;
const allYears =
  /\b(all|each|every|any|per|by|across|over the|which|what|how many)\s+(?:of\s+)?(?:my\s+|the\s+)?(?:tax\s+)?years?\b|\b(all[- ]time|lifetime|ever|overall|in total)\b/;
const range = new RegExp(String.raw`\b${year}\s*(?:-|to|through|thru|until|and)\s*${year}\b`);
const since = new RegExp(
  String.raw`\b(?:since|starting(?: in| from)?)\s+${year}\b|\bfrom\s+${year}\s+(?:on|onwards?|forward|till now|to now|until now)\b`,
);
const before = new RegExp(String.raw`\b(?:before|until|up to|prior to)\s+${year}\b`);
const after = new RegExp(String.raw`\bafter\s+${year}\b`);
const lastSome =
  /\b(?:last|past|previous)\s+(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\s+(?:tax\s+)?years\b/;
const someAgo = /\b(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|a)\s+years?\s+ago\b/;
const smallNumbers = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/**
 * Returns the years of a phrase for several years. If the question contains one, single years in the question do not
 * count.
 */
function ranges(text: string, thisYear: number, active: readonly number[]): Set<number> | undefined {
  const between = range.exec(text);
  // "2021 and 2023" means two years. "between 2021 and 2023" means three.
  if (between !== null && (!between[0].includes('and') || text.includes('between')))
    return run(Number(between[1]), Number(between[2]));
  const from = since.exec(text);
  if (from !== null) return run(Number(from[1] ?? from[2]), Math.max(thisYear, Number(from[1] ?? from[2])));
  const later = after.exec(text);
  if (later !== null) return run(Number(later[1]) + 1, Math.max(thisYear, Number(later[1]) + 1));
  const earlier = before.exec(text);
  if (earlier !== null) return new Set(active.filter((each) => each < Number(earlier[1])));
  const last = lastSome.exec(text);
  if (last !== null) return run(thisYear - smallNumber(last[1]) + 1, thisYear);
  return allYears.test(text) && findNamedYears(text).length === 0 ? new Set(active) : undefined;
}

function relative(text: string, thisYear: number): number[] {
  const years: number[] = [];
  const ago = someAgo.exec(text);
  if (ago !== null) years.push(thisYear - smallNumber(ago[1]));
  if (/\byear before last\b/.test(text)) years.push(thisYear - 2);
  else if (/\b(last|previous|prior|past)\s+(?:calendar\s+|tax\s+)?year\b/.test(text)) years.push(thisYear - 1);
  if (/\b(this|current|present)\s+(?:calendar\s+|tax\s+)?year\b|\bytd\b|\byear[- ]to[- ]date\b|\bso far\b/.test(text))
    years.push(thisYear);
  if (/\bnext\s+(?:tax\s+)?year\b/.test(text)) years.push(thisYear + 1);
  return years;
}

/**
 * Returns single years such as `2025`, `'25`, `TY25`, and the years in `2025-03-01` and `03/01/2025`. Ignores `$2025`,
 * `2000 shares` and `20250`.
 */
function findNamedYears(text: string): number[] {
  const full = [
    ...text.matchAll(
      /(?<![\d$.,])((?:19|20)\d\d)(?!\d|[.,]\d|\s*(?:shares?|units?|coins?|lots?|dollars?|usd|contracts?)\b)/g,
    ),
  ].map((match) => Number(match[1]));
  const short = [...text.matchAll(/(?:'|\b[tf]y\s?)(\d\d)\b/g)].map((match) => 2000 + Number(match[1]));
  return [...full, ...short];
}

function run(first: number, last: number): Set<number> {
  const [low, high] = first <= last ? [first, last] : [last, first];
  return new Set(Array.from({ length: Math.min(high - low + 1, yearsMax) }, (_, index) => high - index));
}

function smallNumber(text: string | undefined): number {
  const number = text === 'a' ? 1 : smallNumbers.indexOf(text ?? '');
  return number > 0 ? number : Math.min(Number(text) || 1, yearsMax);
}
