/** How to export a file from a source. */
export interface ExportGuide {
  readonly name: string;
  /** The source of its file formats, if it has another name. */
  readonly source?: string;
  /** The steps, worded so that small menu changes do not matter. */
  readonly steps: string;
}

/** The most frequently used sources, most used first. */
export const exportGuides: readonly ExportGuide[] = [
  {
    name: 'Robinhood',
    steps:
      'In the app or on the website, open Account, then Reports and statements, and generate an account activity report for all dates.',
  },
  {
    name: 'Fidelity',
    steps:
      'On the website, open Activity & Orders, choose the account and the dates (a year at a time), and download the history as CSV.',
  },
  {
    name: 'Schwab',
    steps:
      'On the website, open Accounts, then History, choose the account and the dates, and export it as CSV. Realized gains have their own tab.',
  },
  {
    name: 'Coinbase',
    steps: 'On the website, open Taxes or Statements, and generate the transaction history for all time as CSV.',
  },
  {
    name: 'Vanguard',
    steps:
      'On the website, open the download center under transaction history, and choose a spreadsheet-compatible CSV, the accounts and the dates.',
  },
  {
    name: 'E*TRADE',
    steps:
      "On the website, open the account's transactions, choose the longest date range, and download them as CSV. Gains and losses have their own section.",
  },
  {
    name: 'Interactive Brokers',
    steps:
      'In the Client Portal, under Performance & Reports, run the activity statement for each year as CSV, or a Flex query with trades.',
  },
  {
    name: 'Kraken',
    steps:
      'On the website, open Documents or History, then Export, and create a Ledgers export with all fields and all dates. It comes as a ZIP; extract the CSV.',
  },
  {
    name: 'Webull',
    steps:
      "On the website or in the app, open your account's documents or orders, and export the order records as CSV.",
  },
  {
    name: 'Cash App',
    steps:
      'Sign in at cash.app in a browser, open Activity or Documents, and export the CSV files for Bitcoin and for stocks.',
  },
  {
    name: 'Merrill Edge',
    source: 'Merrill',
    steps:
      'On the website, open Activity, choose the account and the dates, and download it as CSV. Realized gains have their own section.',
  },
  {
    name: 'Gemini',
    steps:
      'On the website, open the statements or tax section of the account and export the transaction history, then save its sheet as CSV.',
  },
  {
    name: 'Crypto.com App',
    source: 'Crypto.com',
    steps: 'In the app, open the transaction history, choose Export, and export each wallet for all years.',
  },
  {
    name: 'Morgan Stanley',
    steps: "On the website, open the account's activity, choose all types and dates, and download it as CSV.",
  },
  {
    name: 'Binance.US',
    steps: 'On the website, open Tax Statements or Transaction History and export everything as CSV.',
  },
  {
    name: 'tastytrade',
    steps: 'On the website, open History, then Transactions, set the dates, and download the CSV.',
  },
  {
    name: 'Binance',
    steps: 'On the website, under Orders or Wallet, open the transaction history and generate statements for all time.',
  },
  {
    name: 'Koinly',
    steps: 'On the Transactions page, export everything as CSV.',
  },
  {
    name: 'Ledger Live',
    steps: 'In the app, open Settings or an account, and save the operations history of all accounts as CSV.',
  },
  {
    name: 'Etherscan',
    source: 'Ethereum',
    steps: 'Open the page of your address, and download each list (transactions, internal, tokens) as CSV at its foot.',
  },
  {
    name: 'KuCoin',
    steps:
      "On the website, open your account's download center or the order history, and export the bills for each year.",
  },
  {
    name: 'eToro',
    steps:
      'On the website, open the account statement under Portfolio and History, download it as a workbook, and save its sheet of closed positions as CSV.',
  },
  {
    name: 'Trading 212',
    steps: 'In the app, open History, choose Export, and include orders, dividends and interest, one year at a time.',
  },
  {
    name: 'Revolut',
    steps:
      'In the app, open the stocks or crypto account, choose Statements, and download the account statement for all time as a spreadsheet.',
  },
  {
    name: 'Uphold',
    steps: 'On the website, open Activity or Reports, and request the transaction report as CSV. It arrives by email.',
  },
  {
    name: 'OKX',
    steps:
      'On the website, open the order center or the report center, and download the trading history and the account bills as CSV.',
  },
  {
    name: 'Bybit',
    steps: "On the website, open your account's data export and request the transaction logs for each year.",
  },
  {
    name: 'Bitstamp',
    steps: 'On the website, open Transactions, choose all types and dates, and export them as CSV.',
  },
  {
    name: 'Bitfinex',
    steps: 'On the website, open Reports, choose Ledgers with all currencies and dates, and export it as CSV.',
  },
  {
    name: 'Electrum',
    steps: "In the app, open the wallet's History tab and export the history as CSV.",
  },
  {
    name: 'DEGIRO',
    steps: 'On the website, open Activity, then Transactions, set the dates, and export them as CSV.',
  },
];
