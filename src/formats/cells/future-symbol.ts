import { limits } from '../../base/limits.ts';

/** A futures contract. The books use symbols like `/ESZ6`. */
export interface FutureSymbol {
  readonly root: string;
  /** The month letter and the last digit of the year. '' for a symbol without a month, like `/ES`. */
  readonly month: string;
  /** Dollars per point of the price, as a decimal. Null if the root is not in the table. */
  readonly multiplier: string | null;
  /** True if a share also uses this ticker and nothing marks the text as a future. */
  readonly isUnsure: boolean;
}

export function formatFuture({ root, month }: FutureSymbol): string {
  return `/${root}${month}`;
}

/**
 * Parses `ESZ6`, `ESZ26`, `/ESZ6`, `@ESZ26`, `ESZ6.CME`, `/ESZ26:XCME`, `CON.F.US.MNQ.Z25`, `ES 12-26`, `ES DEC26`,
 * `/ES` and `ES1!`. A symbol without a futures mark counts only if its root is in the table. Returns undefined for any
 * other text.
 */
export function readFuture(text: string): FutureSymbol | undefined {
  if (text.length > limits.valueCharacters) return undefined;
  const trimmed = text.trim().replace(/\s+/g, ' ');
  for (const shape of shapes) {
    const groups = shape.exec(trimmed)?.groups;
    if (groups === undefined) continue;
    const { root = '', code, number, name, year = '', exchange, mark } = groups;
    if (exchange !== undefined && !exchanges.has(exchange)) return undefined;
    const isMarked = mark !== undefined || exchange !== undefined;
    if (!isMarked && !multipliers.has(root)) return undefined;
    const letter =
      code ?? letterOf(number === undefined ? months.indexOf((name ?? '').toUpperCase()) : Number(number) - 1);
    if (letter === undefined) return undefined;
    const multiplier = multipliers.get(root) ?? null;
    return { root, month: `${letter}${year.slice(-1)}`, multiplier, isUnsure: !isMarked && tickers.has(trimmed) };
  }
  return undefined;
}

const rootShape = '(?<root>[A-Z0-9]{1,4}?)';
const monthShape = '(?<code>[FGHJKMNQUVXZ])(?<year>\\d{1,2}|20\\d{2})';
const exchangeShape = '(?:[.:](?<exchange>[A-Z]{2,6}))?';
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const shapes: readonly RegExp[] = [
  new RegExp(`^(?<mark>[/@])?${rootShape}${monthShape}${exchangeShape}$`),
  new RegExp(`^(?<mark>(?:CON\\.)?F\\.US\\.)(?<root>[A-Z0-9]{1,4}?)\\.?${monthShape}$`),
  new RegExp(`^${rootShape} (?<number>0[1-9]|1[0-2])-(?<year>\\d{2})$`),
  new RegExp(`^${rootShape} ?(?<name>${months.join('|')})[ '-]?(?<year>\\d{2}|20\\d{2})$`, 'i'),
  new RegExp(`^(?<mark>[/@])(?<root>[A-Z0-9]{1,4})(?<code>)${exchangeShape}$`),
  /^(?<root>[A-Z0-9]{1,4})(?<code>)(?<mark>1!)$/,
];

function letterOf(month: number): string | undefined {
  return 'FGHJKMNQUVXZ'[month];
}

/** Exchange codes that follow a symbol. */
const exchanges: ReadonlySet<string> = new Set(
  'CME CBOT CBT XCBT NYMEX NYM XNYM COMEX CMX XCEC XCME GLOBEX CFE XCBF ICE NYB IFUS EUREX EUX DTB XEUR'.split(' '),
);

/** German shares, Henkel and Sixt, whose tickers look like futures with known roots. */
const tickers: ReadonlySet<string> = new Set(['HEN3', 'SIX2', 'SIX3']);

/**
 * Dollars per point of the price, as published by the exchange that lists the contract. These are regulated futures
 * contracts, because their boards of trade are designated by the CFTC (IRC 1256(g)(1), (g)(7)(B)). Foreign exchanges
 * qualify only if the Secretary determines so ((g)(7)(C)). For foreign and newly listed roots, the taxpayer sets the
 * multiplier in the mapping.
 */
const table: readonly { readonly source: string; readonly roots: string }[] = [
  {
    source: 'CME Group, contract specifications: equity indexes',
    roots: 'ES 50|MES 5|NQ 20|MNQ 2|YM 5|MYM 0.5|RTY 50|M2K 5|EMD 100|NKD 5',
  },
  {
    source: 'CME Group, contract specifications: interest rates',
    roots: 'ZB 1000|UB 1000|ZN 1000|TN 1000|ZF 1000|ZT 2000|SR3 2500|GE 2500',
  },
  {
    source: 'CME Group, contract specifications: currencies and digital assets',
    roots:
      '6E 125000|6B 62500|6J 12500000|6A 100000|6C 100000|6S 125000|6N 100000|6M 500000|M6E 12500|M6B 6250|M6A 10000|BTC 5|MBT 0.1|ETH 50|MET 0.1',
  },
  {
    source: 'CME Group, contract specifications: energy and metals',
    roots:
      'CL 1000|MCL 100|QM 500|NG 10000|MNG 1000|QG 2500|RB 42000|HO 42000|BZ 1000|GC 100|MGC 10|SI 5000|SIL 1000|HG 25000|MHG 2500|PL 50|PA 100|QO 50|QI 2500',
  },
  {
    source: 'CME Group, contract specifications: grains in cents, livestock in cents',
    roots: 'ZC 50|ZS 50|ZW 50|KE 50|ZO 50|ZM 100|ZL 600|XC 10|XK 10|XW 10|LE 400|HE 400|GF 500',
  },
  { source: 'ICE Futures U.S., product specifications', roots: 'SB 1120|KC 375|CC 10|CT 500|OJ 150|DX 1000' },
  { source: 'Cboe Futures Exchange, product specifications', roots: 'VX 1000|VXM 100' },
];

/**
 * Eurex roots, whose points are in euros or francs. Lotbook asks the user for the contract's value in the books'
 * currency.
 */
const abroad = 'FDAX FDXM FDXS FESX FSXE FGBL FGBM FGBS FGBX FBTP FOAT FSMI FVS';

const multipliers: ReadonlyMap<string, string | null> = new Map([
  ...abroad.split(' ').map((root): [string, null] => [root, null]),
  ...table.flatMap(({ roots }) => roots.split('|').map((text) => text.split(' ') as [string, string])),
]);
