import type { api, DataOf } from '../../api/api.ts';

type ServiceKind = DataOf<typeof api.config.get>['exchanges'][number];

interface ConnectionGuide {
  readonly name: string;
  /** How to create a key that can only view. */
  readonly steps: readonly string[];
  readonly keyLabel: string;
  readonly secretLabel: string;
  readonly secretHint: string;
  /** Set if each row names its account. */
  readonly namesAccounts?: true;
}

/** The steps of each service, as its pages name them. */
export const exchangeGuides: Readonly<Record<ServiceKind, ConnectionGuide>> = {
  coinbase: {
    name: 'Coinbase',
    steps: [
      'Sign in at portal.cdp.coinbase.com with your Coinbase account.',
      'Open API keys, then Secret API keys, and click Create API key.',
      'Under API restrictions, select only View. Leave Trade and Transfer off.',
      'Under Advanced settings, choose the signature algorithm ECDSA.',
      'Create the key, and copy its name and its private key here. Coinbase shows the private key once.',
    ],
    keyLabel: 'API key name',
    secretLabel: 'Private key',
    secretHint: 'All of it, including the lines with BEGIN and END.',
  },
  kraken: {
    name: 'Kraken',
    steps: [
      'Sign in at kraken.com, and open Settings, then API.',
      'Click Create API key, and name it Lotbook.',
      'Select only "Query" under Funds permissions and "Query ledger entries" under Data. Leave everything else off.',
      'Generate the key, and copy both keys here. Kraken shows the private key once.',
    ],
    keyLabel: 'API key',
    secretLabel: 'Private key',
    secretHint: 'The longer of the two keys.',
  },
  ibkr_flex: {
    name: 'Interactive Brokers',
    steps: [
      'Sign in to the Client Portal, and open Performance & Reports, then Flex Queries.',
      'Create an Activity Flex Query with the sections Trades, Cash Transactions, Corporate Actions and Transfers, all columns, the format XML, and the period Last 365 Calendar Days.',
      'Click the info icon of the query, and copy its Query ID here.',
      'Under Flex Web Service Configuration, turn the service on, generate a token for one year, and copy it here.',
    ],
    keyLabel: 'Query ID',
    secretLabel: 'Token',
    secretHint: 'Digits only. A token reads reports and nothing else.',
    namesAccounts: true,
  },
};
