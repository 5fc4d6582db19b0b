/** The groups of the document, in the order in which users need them. */
export const groups = [
  { name: 'Accounts', description: 'Sign up, sign in, sessions, the password, the account itself.' },
  { name: 'Imports', description: 'Import files, review their lines, and export transactions.' },
  { name: 'Issues', description: 'Open issues of the books, each with the dollars at stake and its possible answers.' },
  { name: 'Transactions', description: 'The transactions from all files, and those entered manually.' },
  { name: 'Prices', description: 'Prices of assets for rows that are not stated in dollars.' },
  { name: 'Balances', description: 'Stated balances of accounts, compared with the rows.' },
  { name: 'Tax', description: 'Years, lines of Form 8949, open lots, and the source of each number.' },
  { name: 'Planning', description: 'Hypothetical sales and potential losses. Nothing is stored.' },
  { name: 'Reports', description: 'Form 8949, Schedule D, TXF and CSV of a year.' },
  { name: 'Settings', description: 'Elections, accounts, classes of assets, and the allocation at the end of 2024.' },
  { name: 'AI messages', description: 'Questions in plain words.' },
  {
    name: 'AI programs',
    description: 'Access for AI programs by the Model Context Protocol, with a token.',
  },
  { name: 'Notifications', description: 'Events since your last visit.' },
  { name: 'Server', description: 'The features of this server, and the counts that a client shows on every page.' },
  { name: 'Clients', description: 'The clients of a CPA. Other operations act on their books with `?client=`.' },
  { name: 'Plans', description: 'Prices and limits of the plans.' },
  { name: 'Help', description: 'Terms, rules with their authority, deadlines and instructions.' },
  { name: 'Sign-in through a provider', description: 'Sign-in with Google and GitHub in a browser.' },
  { name: 'Health', description: 'For operators.' },
] as const satisfies readonly { readonly name: string; readonly description: string }[];

export type GroupName = (typeof groups)[number]['name'];
