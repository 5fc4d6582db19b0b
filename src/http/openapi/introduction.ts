import { refusalCodes } from '../../base/refusal.ts';
import { problemTable } from '../problems.ts';

/** The introduction of the document. */

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
