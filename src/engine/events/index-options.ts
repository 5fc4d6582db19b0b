/**
 * An index whose options are section 1256 contracts, by their root. A "nonequity option" is listed and is not an option
 * on stock or on a narrow-based index (IRC 1256(b)(1)(C), (g)(3), (g)(5), (g)(6); Pub. 550, "Nonequity option"). All of
 * these settle in cash. The law does not list roots, so this table is based on the lists of the exchanges that trade
 * them. Options on funds (SPY, QQQ, IWM) are equity options. If an exchange lists a new root, the taxpayer can add it
 * with PATCH /tax/assets.
 */
interface IndexRoot {
  readonly roots: string;
  readonly index: string;
  /** The exchange and its list of broad-based index options. */
  readonly source: string;
}

const table: readonly IndexRoot[] = [
  { roots: 'SPX SPXW SPXPM SPXQ', index: 'S&P 500', source: 'Cboe, S&P 500 Index Options' },
  { roots: 'XSP XSPW NANOS', index: 'S&P 500, mini and nano', source: 'Cboe, Mini-SPX and Nanos' },
  { roots: 'SPEQX SPEQW', index: 'S&P 500 Equal Weight', source: 'Cboe, S&P 500 Equal Weight Index Options' },
  { roots: 'VIX VIXW', index: 'Cboe Volatility', source: 'Cboe, VIX Options' },
  { roots: 'RUT RUTW', index: 'Russell 2000', source: 'Cboe, Russell 2000 Index Options' },
  { roots: 'MRUT MRUTW', index: 'Russell 2000, mini', source: 'Cboe, Mini-Russell 2000 Index Options' },
  { roots: 'RLG RLV RUI', index: 'Russell 1000', source: 'Cboe, Russell 1000 Index Options' },
  { roots: 'DJX', index: 'Dow Jones Industrial Average', source: 'Cboe, DJX Options' },
  { roots: 'OEX XEO', index: 'S&P 100', source: 'Cboe, S&P 100 Index Options' },
  { roots: 'MXEA MXEF MXACW MXWLD MXUSA', index: 'MSCI', source: 'Cboe, MSCI Index Options' },
  {
    roots: 'SIXM SIXRE SIXB SIXV SIXU SIXT SIXY SIXI SIXR SIXC',
    index: 'S&P Select Sectors',
    source: 'Cboe, S&P Select Sector Index Options',
  },
  { roots: 'NDX NDXP', index: 'Nasdaq-100', source: 'Nasdaq PHLX, Nasdaq-100 Index Options' },
  { roots: 'XND NQX', index: 'Nasdaq-100, micro and reduced', source: 'Nasdaq PHLX, Nasdaq-100 Index Options' },
  { roots: 'VOLQ', index: 'Nasdaq-100 Volatility', source: 'Nasdaq PHLX, VOLQ Options' },
];

const sources: ReadonlyMap<string, IndexRoot> = new Map(
  table.flatMap((row) => row.roots.split(' ').map((root) => [root, row] as const)),
);

/**
 * Returns the index of an option's root and the exchange that lists it. Returns undefined if the root is not in the
 * table.
 */
export function indexOfRoot(root: string): Pick<IndexRoot, 'index' | 'source'> | undefined {
  return sources.get(bareRoot(root));
}

/** Removes the mark that brokers put before an index: `$SPX`, `^SPX` and `.SPX` are all SPX. */
export function bareRoot(root: string): string {
  return root.replace(/^[$^.]/, '').toUpperCase();
}
