import { lotMethods } from '../../../engine/model.ts';

export interface Mentions {
  /** The known assets in the question, spelled as in the books, in the order of the question. */
  readonly assets: readonly string[];
  /** Words that look like symbols but are not in the books. */
  readonly unknown: readonly string[];
  /** The question without the names of assets. */
  readonly rest: string;
}

/** Finds the assets that a question mentions, by symbol (in any case) or by the common name of a coin or company. */
export function findMentions(question: string, known: readonly string[]): Mentions {
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
export function findAccounts(question: string, known: readonly string[]): { accounts: string[]; rest: string } {
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
