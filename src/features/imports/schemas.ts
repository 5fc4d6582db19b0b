import { t } from 'elysia';
import { closed, day, id, instant, nullable, oneOf } from '../../http/schemas.ts';

export const Import = closed(
  {
    id,
    status: oneOf(['running', 'completed', 'failed']),
    format: nullable(t.String({ description: 'One of GET /formats.' })),
    fileName: nullable(t.String()),
    bytes: t.Integer(),
    rows: t.Integer({ description: 'Lines under the header that say something.' }),
    imported: t.Integer({ description: 'New transactions.' }),
    duplicates: t.Integer({ description: 'Transactions that were there already.' }),
    skipped: t.Integer({ description: 'Lines that tell nothing taxable, as sums and deposits of cash.' }),
    rejected: t.Integer({ description: 'Lines that could not be read: see /imports/:id/rejects.' }),
    firstDate: nullable(day),
    lastDate: nullable(day),
    years: t.Array(t.Integer(), { description: 'The years in which its rows fall.' }),
    issues: t.Integer({ description: 'Open issues raised by its rows.' }),
    createdAt: instant,
    completedAt: nullable(instant),
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
      }),
    ),
  },
  { title: 'Format' },
);
