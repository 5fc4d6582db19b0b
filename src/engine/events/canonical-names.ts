/**
 * Returns one spelling for all names of one security. It unifies letter case, share classes (`BRK.B`, `BRK B`,
 * `BRK/B`), preferred shares (`BAC-PL`, `BAC PR L`), the CUSIP in a US ISIN, and coin names and symbols. Two keys with
 * equal results are names of one asset.
 */
export function canonicalName(key: string): string {
  const end = key.indexOf(':');
  const name = key
    .slice(end + 1)
    .toUpperCase()
    .trim()
    .replace(/\s+/g, ' ');
  const coin = coinsByName.get(name);
  if (coin !== undefined) return `coin:${coin}`;
  const family = key.slice(0, end);
  const preferred = /^([A-Z]{1,5})[ ./-](?:PFD|PRS?|P)[ ./-]?([A-Z])$/.exec(name);
  if (preferred !== null) return `${family}:${preferred[1]}.P${preferred[2]}`;
  const share = /^([A-Z]{1,5})[ ./-]([A-Z])$/.exec(name);
  if (share !== null) return `${family}:${share[1]}.${share[2]}`;
  const isin = /^US([\dA-Z]{9})\d$/.exec(name);
  return `${family}:${isin === null ? name : isin[1]}`;
}

/** Coin names used on Forms 1099-DA, and the symbols of the coins. */
const coinNames: readonly (readonly [symbol: string, name: string])[] = [
  ['BTC', 'BITCOIN'],
  ['BTC', 'XBT'],
  ['BTC', 'BITCOIN (BTC)'],
  ['ETH', 'ETHEREUM'],
  ['ETH', 'ETHER'],
  ['ETH', 'ETHEREUM (ETH)'],
  ['BCH', 'BITCOIN CASH'],
  ['BSV', 'BITCOIN SV'],
  ['ETC', 'ETHEREUM CLASSIC'],
  ['LTC', 'LITECOIN'],
  ['DOGE', 'DOGECOIN'],
  ['SOL', 'SOLANA'],
  ['ADA', 'CARDANO'],
  ['DOT', 'POLKADOT'],
  ['AVAX', 'AVALANCHE'],
  ['LINK', 'CHAINLINK'],
  ['UNI', 'UNISWAP'],
  ['XLM', 'STELLAR LUMENS'],
  ['XLM', 'STELLAR'],
  ['XRP', 'RIPPLE'],
  ['SHIB', 'SHIBA INU'],
  ['USDC', 'USD COIN'],
  ['USDT', 'TETHER'],
  ['XTZ', 'TEZOS'],
  ['ALGO', 'ALGORAND'],
  ['XMR', 'MONERO'],
  ['ZEC', 'ZCASH'],
  ['FIL', 'FILECOIN'],
  ['TRX', 'TRON'],
  ['MATIC', 'POLYGON'],
];
const coinsByName: ReadonlyMap<string, string> = new Map(coinNames.map(([symbol, name]) => [name, symbol]));
