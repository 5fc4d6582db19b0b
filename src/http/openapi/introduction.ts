import { refusalCodes } from '../../base/refusal.ts';
import { problemTable } from '../problems.ts';

/** The introduction of the document, and the order of its groups. */

export const introduction = `Capital gains for US investors, traders and their CPAs: from any CSV to Form 8949.

### First steps

1. [Make an account](#/Accounts/register), or [sign in](#/Accounts/login). The answer sets a session cookie, which this
   page sends with each later request.
2. [Import a file](#/Imports/importTransactions): the export of your broker or exchange, or the made-up file that stands
   there as \`text/csv\`. The same file twice adds nothing.
3. [See what is missing](#/Issues/listIssues), by the dollars at stake, and [answer it](#/Issues/resolveIssue).
4. [Read the year](#/Tax/readSummary), [its lines](#/Tax/listDisposals), and
   [where each number comes from](#/Tax/explainDisposal).
5. [Make the report](#/Reports/createReport) and [download it](#/Reports/downloadReport) as Form 8949, TXF or CSV.

In this order, the bodies that stand here work as they are: they speak of that made-up file.

### Conventions

Money and quantities are decimal strings, calendar days \`YYYY-MM-DD\`, instants RFC 3339 in UTC. Every refusal is
\`application/problem+json\` with a stable \`code\`. Lists are walked by \`cursor\`. A creating POST takes
\`Idempotency-Key\` and gives its stored answer again for 24 hours. \`?client=\` acts on a client's books (CPA plan).
A browser sends the session cookie, a program a [token](#/Accounts/createToken) of its own: \`Authorization: Bearer lot_…\`.

Generated clients upload a file as \`multipart/form-data\`. Orval writes such an upload where it is told to leave the
other media type out: \`override: { contentType: { exclude: ['text/csv'] } }\`.

The codes and their statuses: ${refusalCodes.map((code) => `\`${code}\` ${problemTable[code][0]}`).join(', ')}.`;

/** In the order in which users work with them. */
export const groups: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'Accounts', description: 'Sign up, sign in, sessions, the password, the account itself.' },
  { name: 'Imports', description: 'Files in, what became of their lines, and out again.' },
  { name: 'Issues', description: 'What the files do not say: each with the dollars at stake, and its answers.' },
  { name: 'Transactions', description: 'The rows of all files, and those entered by hand.' },
  { name: 'Prices', description: 'What assets were worth, where a row is not stated in dollars.' },
  { name: 'Balances', description: 'What accounts state, compared with the rows.' },
  { name: 'Tax', description: 'Years, lines of Form 8949, open lots, and where each number comes from.' },
  { name: 'Planning', description: 'Sales that are not made yet, and losses that could be. Nothing is stored.' },
  { name: 'Reports', description: 'Form 8949, Schedule D, TXF and CSV of a year.' },
  { name: 'Settings', description: 'Elections, accounts, what assets are, and the allocation at the end of 2024.' },
  { name: 'AI messages', description: 'Questions in plain words.' },
  {
    name: 'AI programs',
    description: 'A program of yours asks the books by the Model Context Protocol, with a token.',
  },
  { name: 'Notifications', description: 'What happened meanwhile.' },
  { name: 'Server', description: 'What this server offers, and the counts that a client shows on every page.' },
  { name: 'Clients', description: 'The clients of a CPA. Other operations act on their books by `?client=`.' },
  { name: 'Plans', description: 'What each plan costs and allows.' },
  { name: 'Sign-in through a provider', description: 'For a browser: Google and GitHub.' },
  { name: 'Server', description: 'What needs attention, and what this server offers.' },
  { name: 'Health', description: 'For operators.' },
];
