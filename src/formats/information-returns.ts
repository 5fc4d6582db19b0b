import type { InformationReturn } from '../engine/model.ts';

/**
 * Whose exports stand for a form: the sources that must report sales of their US customers (IRC 6045(a), (g)). Brokers in
 * securities send Form 1099-B, and what they sell of digital assets from 2025 on is on Form 1099-DA. Exchanges with
 * customers' coins in custody send Form 1099-DA. Left out are wallets, programs, sources abroad, and those of which one file
 * serves US and other customers under several firms (eToro, OKX, Revolut). By the id of the format.
 */
const senders: Readonly<Record<InformationReturn, string>> = {
  '1099-B':
    'robinhood fidelity schwab ibkr-activity ibkr-flex vanguard etrade webull merrill chase firstrade tdameritrade tastytrade ' +
    'm1 morgan-stanley schwab-awards schwab-lots schwab-realized schwab-1099 robinhood-1099 etrade-gains fidelity-realized',
  '1099-DA':
    'coinbase coinbase-transactions coinbase-transfers coinbase-gain-loss coinbase-pro-fills coinbase-pro-account ' +
    'coinbase-prime kraken-ledgers kraken-trades gemini cryptocom binance-us strike river uphold bitstamp robinhood-crypto ' +
    'cashapp paypal coinlist circle sfox bittrex blockfi voyager',
};

export const formsByFormat: ReadonlyMap<string, InformationReturn> = new Map(
  (['1099-B', '1099-DA'] as const).flatMap((form) => senders[form].split(' ').map((id) => [id, form] as const)),
);

/** Formats whose rows are lines of a form, or of a list that its broker matched: sales that a history has too. */
export const formsOfLines: ReadonlySet<string> = new Set(
  'schwab-1099 robinhood-1099 schwab-realized fidelity-realized etrade-gains coinbase-gain-loss'.split(' '),
);
