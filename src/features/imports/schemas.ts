import { t } from 'elysia';
import { comparedResults } from '../../formats/stated-results.ts';
import { closed, day, id, instant, nullable, oneOf, whole } from '../../http/schemas.ts';
import { AccountOffer, ImportedAccount } from './accounts/schemas.ts';
import { Preview } from './preview/schemas.ts';

export const Import = closed(
  {
    id,
    status: oneOf(['running', 'completed', 'failed']),
    format: nullable(t.String({ description: 'One of GET /formats, or `mapping`.' })),
    fileName: nullable(t.String()),
    bytes: whole(),
    rows: whole({ description: 'Lines under the header that are not empty.' }),
    imported: whole({ description: 'Lines with something new.' }),
    duplicates: whole({
      description: 'Lines with what was there already, and those that state a stored row otherwise (`proposedRows`).',
    }),
    skipped: whole({ description: 'Lines with nothing taxable, as sums and deposits of cash.' }),
    rejected: whole({ description: 'Lines that could not be read: see /imports/:id/rejects.' }),
    firstDate: nullable(day),
    lastDate: nullable(day),
    years: t.Array(whole(), { description: 'The years in which its rows fall.' }),
    skips: t.Array(closed({ reason: t.String(), lines: whole() }), { description: 'Why lines were skipped.' }),
    warnings: closed(
      {
        count: whole(),
        lines: t.Array(closed({ line: whole(), detail: t.String() })),
        results: t.Array(
          closed({
            result: oneOf([...comparedResults]),
            compared: whole(),
            differing: nullable(
              whole({
                description: 'Null for balances and gains of sales: each that differs from the books is an open issue.',
              }),
            ),
          }),
          {
            description:
              'How many results that the file states (prices, gains, totals, gains of closed positions, balances) were compared with those that its rows make, and how many differ. Each that differs is a warning or an open issue with both numbers.',
          },
        ),
      },
      {
        description:
          'Lines that state money which does not agree, as an amount that is not price times units and that no fee explains: how many, and the first 100. They are read as stated, and the note of the row says so too.',
      },
    ),
    issues: whole({ description: 'Open issues raised by its rows.' }),
    possibleDuplicates: whole({
      description: 'Rows of it that another kind of file, or an entry by hand, may have too: both stand.',
    }),
    proposedRows: whole({
      description:
        'Rows of it that state a row of an earlier file otherwise: none is stored, and each is an issue of kind `row_differs` until one of the two is chosen, or both.',
    }),
    accounts: t.Array(ImportedAccount, {
      description: 'The accounts of its rows, and how the file names each. Empty for imports of older versions.',
    }),
    accountOffers: t.Array(AccountOffer, {
      description:
        'Rows of earlier files that this file has too, and whose account is known now: POST /imports/:id/assign-accounts assigns them.',
    }),
    accountQuestions: whole({
      description:
        'Open questions whether its rows and those of another file are of two accounts: GET /imports/account-questions.',
    }),
    createdAt: instant,
    completedAt: nullable(instant),
    preview: t.Optional(Preview),
    problem: t.Optional(closed({ code: t.String(), detail: t.String() }, { description: 'Why it failed.' })),
  },
  { title: 'Import' },
);

export const Format = closed(
  {
    id: t.String(),
    name: t.String(),
    source: t.String({ description: 'The account of rows that name none.' }),
    assetClass: nullable(t.String({ description: 'What its assets are where neither row nor account says.' })),
    layouts: t.Array(
      closed({
        id: t.String(),
        headers: t.Array(t.String(), { description: 'Names that must all be there, in any order and case.' }),
        onlyWhenNamed: t.Boolean({ description: 'They are too common to identify the source: say `format`.' }),
        asks: t.Array(oneOf(['dateOrder', 'side']), {
          description: 'Parameters of an import that its files may need.',
        }),
      }),
    ),
  },
  { title: 'Format' },
);
