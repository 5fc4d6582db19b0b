import { t } from 'elysia';
import { closed, day, money, nullable, whole } from '../../../http/schemas.ts';
import { YearChange } from '../../books/schemas.ts';
import { Transaction } from '../../transactions/schemas.ts';

export const Preview = closed(
  {
    transactions: t.Array(Transaction, { description: 'The first rows as they would be read, duplicates included.' }),
    rejects: t.Array(closed({ line: whole(), column: nullable(t.String()), reason: t.String() }), {
      description: 'The first lines that cannot be read.',
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
      { description: 'What its rows would leave open, the most at stake first.' },
    ),
    years: t.Array(YearChange, { description: 'The tax years that would change.' }),
    warnings: t.Array(t.String(), { description: 'What a person should know before importing.' }),
  },
  { title: 'Preview', description: 'Of a dry run.' },
);
