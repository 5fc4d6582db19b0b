/** Where a source has the export that is imported here. */
export interface ExportGuide {
  readonly name: string;
  /** Where to find it, in words that hold when menus move a little. */
  readonly steps: string;
}

/** The sources used most, in the order of the alphabet. */
export const exportGuides: readonly ExportGuide[] = [
  {
    name: 'Binance',
    steps:
      'On the website, under Orders or Wallet, open the transaction history and generate the statements of all time.',
  },
  {
    name: 'Binance.US',
    steps: 'On the website, open Tax Statements or Transaction History and export everything as CSV.',
  },
  {
    name: 'Bitfinex',
    steps: 'On the website, open Reports, choose Ledgers with all currencies and dates, and export it as CSV.',
  },
  {
    name: 'Bitstamp',
    steps: 'On the website, open Transactions, choose all types and dates, and export them as CSV.',
  },
  {
    name: 'Bybit',
    steps: 'On the website, open the data export of your account and ask for the transaction logs of each year.',
  },
  {
    name: 'Cash App',
    steps:
      'On cash.app in a browser, sign in, open the activity or documents, and export the CSV of Bitcoin and of stocks.',
  },
  {
    name: 'Coinbase',
    steps: 'On the website, open Taxes or Statements, and generate the transaction history of all time as CSV.',
  },
  {
    name: 'Crypto.com App',
    steps: 'In the app, open the transaction history, choose export, and take each of the wallets for all years.',
  },
  {
    name: 'DEGIRO',
    steps: 'On the website, open Activity, then Transactions, set the dates, and export them as CSV.',
  },
  {
    name: 'Electrum',
    steps: 'In the program, open the History tab of the wallet and export the history as CSV.',
  },
  {
    name: 'eToro',
    steps:
      'On the website, open the account statement under Portfolio and History, take it as a workbook, and save its table of closed positions as CSV.',
  },
  {
    name: 'E*TRADE',
    steps:
      'On the website, open the transactions of the account, choose the longest span of dates, and download them as CSV. Gains and losses stand under their own heading.',
  },
  {
    name: 'Etherscan',
    steps: 'Open the page of your address, and download each list (transactions, internal, tokens) as CSV at its foot.',
  },
  {
    name: 'Fidelity',
    steps:
      'On the website, open Activity & Orders, choose the account and the dates (a year at a time), and download the history as CSV.',
  },
  {
    name: 'Gemini',
    steps:
      'On the website, open the statements or tax section of the account and export the transaction history; save its sheet as CSV.',
  },
  {
    name: 'Interactive Brokers',
    steps:
      'In the Client Portal, under Performance & Reports, run the activity statement of each year as CSV, or a Flex query with trades.',
  },
  {
    name: 'Koinly',
    steps: 'On the Transactions page, export all of them as CSV.',
  },
  {
    name: 'Kraken',
    steps:
      'On the website, open Documents or History, then Export, and make one of Ledgers with all fields and all dates. It comes in a ZIP: take the CSV out.',
  },
  {
    name: 'KuCoin',
    steps:
      'On the website, open the download center of your account or the order history, and export the bills of each year.',
  },
  {
    name: 'Ledger Live',
    steps: 'In the program, open the settings or an account, and save the operations history of all accounts as CSV.',
  },
  {
    name: 'Merrill Edge',
    steps:
      'On the website, open Activity, choose the account and the dates, and download it as CSV. Realized gains stand under their own heading.',
  },
  {
    name: 'Morgan Stanley',
    steps: 'On the website, open the activity of the account, choose all types and dates, and download it as CSV.',
  },
  {
    name: 'OKX',
    steps:
      'On the website, open the order center or the report center, and download the trading history and the account bills as CSV.',
  },
  {
    name: 'Revolut',
    steps:
      'In the app, open the stocks or crypto account, choose statements, and take the account statement of all time as a sheet for spreadsheets.',
  },
  {
    name: 'Robinhood',
    steps:
      'In the app or on the website, open Account, then Reports and statements, and generate an account activity report of all dates.',
  },
  {
    name: 'Schwab',
    steps:
      'On the website, open Accounts, then History, choose the account and the dates, and export it as CSV. Realized gains stand under their own tab.',
  },
  {
    name: 'tastytrade',
    steps: 'On the website, open History, then Transactions, set the dates, and download the CSV.',
  },
  {
    name: 'Trading 212',
    steps: 'In the app, open History, choose export, and take orders, dividends and interest, a year at a time.',
  },
  {
    name: 'Uphold',
    steps: 'On the website, open Activity or Reports, and ask for the transaction report as CSV. It is sent by mail.',
  },
  {
    name: 'Vanguard',
    steps:
      'On the website, open the download center under transaction history, choose a spreadsheet-compatible CSV, the accounts and the dates.',
  },
  {
    name: 'Webull',
    steps: 'On the website or in the app, open the account’s documents or orders, and export the order records as CSV.',
  },
];
