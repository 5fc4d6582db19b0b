import { t } from 'elysia';
import { closed, id, instant, nullable, oneOf, whole } from '../../../http/schemas.ts';
import { filterMembers } from '../list/filter.ts';
import { TransactionPatch } from '../schemas.ts';
import { editActions } from './queries.ts';

/** One edit changes at most so many rows. */
export const bulkRowsMax = 1_000;

/** Which rows, and what becomes of them. */
export const BulkEdit = closed(
  {
    ids: t.Optional(
      t.Array(t.String({ maxLength: 64 }), { minItems: 1, maxItems: bulkRowsMax, description: 'Or a filter.' }),
    ),
    filter: t.Optional(
      closed(filterMembers, {
        title: 'TransactionFilter',
        description: 'As the parameters of GET /transactions. At least one of them.',
      }),
    ),
    set: t.Optional(TransactionPatch),
    delete: t.Optional(t.Literal(true, { description: 'Instead of `set`.' })),
  },
  {
    title: 'BulkEdit',
    examples: [{ filter: { account: 'Ledger', year: 2024 }, set: { account: 'Ledger Nano' } }],
  },
);

export const BulkEdited = closed(
  {
    editId: nullable(t.String({ description: 'Names what can be undone; null where nothing was changed.' })),
    rows: whole({ description: 'How many rows it changed or deleted.' }),
  },
  { title: 'BulkEdited' },
);

export const Edit = closed(
  {
    id,
    action: oneOf(editActions),
    rows: whole(),
    createdAt: instant,
    undoneAt: nullable(instant),
  },
  { title: 'Edit' },
);
