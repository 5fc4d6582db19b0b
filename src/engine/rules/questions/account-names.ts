import type { AccountType } from '../../elections.ts';

/**
 * Returns whether the name of an account suggests that it may be tax-advantaged: an IRA, a Roth, an HSA or an employer
 * plan. It matches whole words only, so Mira, Piranha and Ira's do not match.
 */
export function looksTaxFree(account: string): boolean {
  return typeInName(account) !== null;
}

/** Returns the account type suggested by the name of an account, or null if it suggests none. */
export function typeInName(account: string): AccountType | null {
  return typesByName.find(([name]) => name.test(account))?.[1] ?? null;
}

/** The first match applies, because a Roth 401(k) is an employer plan and a Roth IRA is not a traditional IRA. */
const typesByName: readonly (readonly [RegExp, AccountType])[] = [
  [/(?<!\d)(?:401|403|457)\s?\(?[abkABK]\)?(?![A-Za-z])/, '401k'],
  [/(?<![A-Za-z])(?:ROTH|Roth|roth)(?![A-Za-z'’])/, 'roth_ira'],
  [/(?<![A-Za-z])(?:HSA|Hsa|hsa)(?![A-Za-z'’])/, 'hsa'],
  [/(?<![A-Za-z])(?:IRA|ira|Ira)(?![A-Za-z'’])/, 'ira'],
];

/**
 * Returns whether the name of an account suggests a wallet or a crypto exchange. Such a name suggests, but does not
 * prove, that the account holds coins.
 */
export function looksLikeWallet(account: string): boolean {
  return walletNames.test(account);
}

/**
 * Crypto exchanges that send Form 1099-DA to their US customers. `formats/information-returns.ts` also uses this list.
 */
export const exchangesOfUs = ['coinbase', 'kraken', 'gemini', 'crypto.com', 'bitstamp', 'coinlist'] as const;

const walletNames = new RegExp(
  `(?<![A-Za-z])(?:${[
    ...exchangesOfUs.map((name) => name.replace('.', '\\.?')),
    'binance|bitfinex|bittrex|poloniex|kucoin|okx|okex|bybit|huobi|htx|gate\\.?io|mexc|bitget',
    'bitmart|bitpanda|bitvavo|bithumb|upbit|coinex|blockfi|celsius|voyager|nexo|ftx|uniswap',
    'metamask|ledger (?:nano|live|wallet|x|s|stax|flex)|trezor|phantom|exodus|electrum|rabby|keplr|solflare|coinomi|trust wallet|rainbow wallet',
    'wallet|cold storage|crypto|coins?',
  ].join('|')})(?![A-Za-z])|^ledger$`,
  'i',
);
