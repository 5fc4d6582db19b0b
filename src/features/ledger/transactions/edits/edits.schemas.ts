import { t } from 'elysia';
import { closed, id, instant, nullable, oneOf, whole } from '../../../../http/schemas.ts';
import { filterMembers } from '../list-filter.ts';
import { TransactionUpdate } from '../transactions.schemas.ts';
import { editActions } from './edits.queries.ts';

/** The maximum number of transactions per edit, by their ids or by a filter without their number. */
export const bulkRowsMax = 1_000;
/** The maximum number of transactions per edit by a filter with their number. */
export const filteredRowsMax = 100_000;

export const BulkEditRequest = closed(
  {
    ids: t.Optional(
      t.Array(t.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: bulkRowsMax,
        description: 'Use this or `filter`.',
      }),
    ),
    filter: t.Optional(
      closed(filterMembers, {
        title: 'TransactionFilter',
        description: 'The same as the parameters of GET /transactions. Set at least one, or `count`.',
      }),
    ),
    count: t.Optional(
      whole({
        minimum: 1,
        maximum: filteredRowsMax,
        description: `The number of transactions that \`filter\` matches. If it matches another number, nothing is changed. Required for more than ${bulkRowsMax}.`,
      }),
    ),
    set: t.Optional(TransactionUpdate),
    delete: t.Optional(t.Literal(true, { description: 'Use this or `set`.' })),
  },
  {
    title: 'BulkEditRequest',
    examples: [{ filter: { account: 'Ledger', year: 2024 }, set: { account: 'Ledger Nano' } }],
  },
);

export const BulkEditResult = closed(
  {
    editId: nullable(t.String({ description: 'The id for undoing the edit; null if nothing was changed.' })),
    rows: whole({ description: 'Number of transactions changed or deleted.' }),
  },
  { title: 'BulkEditResult' },
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
