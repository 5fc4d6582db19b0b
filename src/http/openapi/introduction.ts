import { refusalCodes } from '../../base/refusal.ts';
import { problemTable } from '../problems.ts';

/** The introduction of the document, and the order of its groups. */

export const introduction = `Capital gains for US investors, traders and their CPAs: from any CSV to Form 8949.

### First steps

1. [Create an account](#/Accounts/createAccount), or [sign in](#/Accounts/signIn). The response sets a session cookie, which
   this page sends with each later request.
2. [Import a file](#/Imports/importTransactions): the export of your broker or exchange, or the sample file shown there
   as \`text/csv\`. Importing the same file twice adds nothing.
3. [See what is missing](#/Issues/listIssues), by the dollars at stake, and [resolve it](#/Issues/resolveIssue).
4. [Read the year](#/Tax/getSummary), [its lines](#/Tax/listDisposals), and
   [the source of each number](#/Tax/getDisposalExplanation).
5. [Create the report](#/Reports/createReport) and [download it](#/Reports/downloadReport) as Form 8949, TXF or CSV.

In this order, the example bodies work unchanged: they refer to that sample file.

### Conventions

Money and quantities are decimal strings, calendar days \`YYYY-MM-DD\`, instants RFC 3339 in UTC. Every refusal is
\`application/problem+json\` with a stable \`code\`. Lists are paged with \`cursor\`. A creating POST accepts
\`Idempotency-Key\` and repeats its stored response for 24 hours. \`?client=\` acts on a client's books (CPA plan).
A browser sends the session cookie, a program its own [token](#/Accounts/createToken): \`Authorization: Bearer lot_…\`.

Generated clients upload a file as \`multipart/form-data\`. Orval generates such an upload if you exclude the other
media type: \`override: { contentType: { exclude: ['text/csv'] } }\`.

The codes and their statuses: ${refusalCodes.map((code) => `\`${code}\` ${problemTable[code][0]}`).join(', ')}.`;

/** In the order in which users need them. */
export const groups: readonly { readonly name: string; readonly description: string }[] = [
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
  { name: 'Server', description: 'Counts that need attention, and the features of this server.' },
  { name: 'Health', description: 'For operators.' },
];
