import { t } from 'elysia';
import { closed, day, money, nullable, whole } from '../../../../http/schemas.ts';
import { changedYears } from '../../books/books.schemas.ts';
import { Transaction } from '../../transactions/transactions.schemas.ts';

export const Preview = closed(
  {
    transactions: t.Array(Transaction, {
      description: 'The first rows as they would be imported, including duplicates.',
    }),
    rejects: t.Array(closed({ line: whole(), column: nullable(t.String()), reason: t.String() }), {
      description: 'The first rows that cannot be read.',
    }),
    issues: t.Array(
      closed({
        kind: t.String(),
        on: day,
        asset: t.String(),
        account: t.String(),
        dollars: nullable(money),
        detail: t.String(),
        line: whole(),
      }),
      { description: 'Issues that its rows would leave open: unknown amounts first, then the largest.' },
    ),
    years: changedYears,
    planLimit: nullable(t.String({ description: 'Why the plan would refuse the import. Null if it would not.' })),
    warnings: t.Array(t.String(), { description: 'Messages to show before importing.' }),
  },
  { title: 'Preview', description: 'The preview of a dry run.' },
);
