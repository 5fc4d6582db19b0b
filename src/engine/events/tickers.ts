/**
 * Symbols shared by a coin and a security on a US exchange, now or in years whose returns are still open. The list
 * cannot be complete. A shared symbol never determines the asset class on its own: the other assets of the account do,
 * or the taxpayer is asked. BTC and ETH are omitted, because the trusts with these symbols are rare compared with the
 * coins.
 */
interface SharedSymbols {
  readonly security: string;
  readonly symbols: string;
}

const table: readonly SharedSymbols[] = [
  {
    security: 'NYSE and Nasdaq stocks, A to F',
    symbols:
      'ACH ADX AMP APE APT ATOM AXL AXS BAND BCH BLZ BNT CAKE CELR COMP CORE COS CVC CVX DASH DENT DIA DYM ELF FLOW FLR',
  },
  {
    security: 'NYSE and Nasdaq stocks, G to M',
    symbols: 'GAS GFI GLM GRT HFT HNT HOT ICP ID IQ KEY LINK LTC LUNA MASK MDT MET MOVE',
  },
  {
    security: 'NYSE and Nasdaq stocks, N to R',
    symbols: 'NANO NEO NMR NU OGN ONE ORN PHA POL POLY PRO PRIME QI RAD RARE REN REQ ROSE',
  },
  {
    security: 'NYSE and Nasdaq stocks, S to Z',
    symbols: 'SAND SD SEI SOL STRK STX SUI SUN SUPER SYN T TRU TRX UMA VET WIN XYO ZEN ZETA ZK',
  },
  { security: 'exchange-traded funds and notes', symbols: 'ALPHA BAL BSV EOS FXS LIT NEAR UST' },
];

export const tickersOfCoins: ReadonlySet<string> = new Set(table.flatMap(({ symbols }) => symbols.split(' ')));
