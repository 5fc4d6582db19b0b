import type { InformationReturn } from '../engine/model.ts';
import { exchangesOfUs } from '../engine/rules/questions/account-names.ts';

/**
 * The form that each source's exports correspond to, by format id. Lists the sources that must report sales by their US
 * customers (IRC 6045(a), (g)). Securities brokers send Form 1099-B, and report sales of digital assets from 2025 on
 * Form 1099-DA. Exchanges that hold customers' coins in custody send Form 1099-DA. Excludes wallets, software and
 * foreign sources, and sources that use one file for US and other customers of several firms (eToro, OKX, Revolut).
 */
const senders: Readonly<Record<InformationReturn, string>> = {
  '1099-B':
    'robinhood fidelity schwab ibkr-activity ibkr-flex vanguard etrade webull merrill chase firstrade tdameritrade tastytrade ' +
    'm1 ofx morgan-stanley schwab-awards schwab-lots schwab-realized schwab-1099 robinhood-1099 etrade-gains fidelity-realized',
  '1099-DA':
    'coinbase coinbase-transactions coinbase-transfers coinbase-gain-loss coinbase-pro-fills coinbase-pro-account ' +
    'coinbase-prime kraken-ledgers kraken-trades gemini cryptocom binance-us strike river uphold bitstamp robinhood-crypto ' +
    'cashapp paypal coinlist circle sfox bittrex blockfi voyager',
};

export const formsByFormat: ReadonlyMap<string, InformationReturn> = new Map(
  (['1099-B', '1099-DA'] as const).flatMap((form) => senders[form].split(' ').map((id) => [id, form] as const)),
);

/**
 * Names of US brokers and custodial US exchanges, as people use them in account names. Excludes firms that serve US and
 * other customers through different companies. Names are matched as whole words.
 */
const senderNames: Readonly<Record<InformationReturn, string>> = {
  '1099-B':
    'schwab|fidelity|vanguard|etrade|e trade|merrill|robinhood|webull|interactive brokers|ibkr|chase|jpmorgan|j p morgan|firstrade|' +
    'td ameritrade|ameritrade|tastytrade|tastyworks|m1 finance|morgan stanley|ally invest|wells fargo|wellstrade|sofi|public com|' +
    'edward jones|ubs financial|raymond james|stockplan connect|computershare|tradestation|ameriprise|lpl|stifel|wealthfront|' +
    'betterment|acorns|stash|t rowe price|tiaa',
  '1099-DA': `${exchangesOfUs.join('|').replace('.', ' ')}|binance us|cash app|cashapp|paypal|venmo|strike|river|uphold|swan bitcoin`,
};

/** Ordinary words that name a sender only at the beginning of an account name. */
const ordinaryWords = 'chase|stash|public com|strike|river|gemini|acorns';

/** Words that indicate the taxpayer's own wallet or a foreign firm. Such accounts receive no form. */
const otherHolders =
  /(?:^| )(?:wallet|defi|onchain|self custody|cold storage|uk|eu|europe|canada|ireland|germany|australia|japan|hong kong|singapore|india|international)(?: |$)/;

const patternsByForm = (['1099-B', '1099-DA'] as const).map((form) => {
  const names = senderNames[form].split('|');
  const [anywhere, atStart] = [names, names].map((all, at) =>
    all.filter((name) => ordinaryWords.split('|').includes(name) === (at === 1)).join('|'),
  );
  return [form, new RegExp(`(?:(?:^| )(?:${anywhere})|^(?:${atStart}))(?: |$)`)] as const;
});

/**
 * Returns the form that a US broker or exchange with this name usually sends. Null if the account name contains no such
 * name.
 */
export function formByName(account: string): InformationReturn | null {
  const words = account
    .toLowerCase()
    .replace(/e\*trade/g, 'etrade')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (otherHolders.test(words)) return null;
  return patternsByForm.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}

/**
 * Returns whether the account is named after a US securities broker. This suggests that it contains securities, but
 * does not prove it.
 */
export function looksLikeBroker(account: string): boolean {
  return formByName(account) === '1099-B';
}

/**
 * Formats whose rows are lines of a form or of a broker's list of matched lots. A transaction history contains the same
 * sales.
 */
export const formsOfLines: ReadonlySet<string> = new Set(
  'schwab-1099 robinhood-1099 schwab-realized fidelity-realized etrade-gains coinbase-gain-loss'.split(' '),
);
