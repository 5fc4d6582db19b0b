import { t } from 'elysia';
import { transactionTypes } from '../../engine/model.ts';
import { closed, day, money, nullable, oneOf, quantity, whole } from '../../http/schemas.ts';
import { lineSchema } from '../books/line-members.ts';
import { sourceRoles } from './source-roles.ts';

export const Explanation = closed(
  {
    disposal: lineSchema,
    sources: t.Array(
      closed({
        role: oneOf(
          sourceRoles,
          'What it is to the line: `disposal` sold, `lot` opened the lot, `change` made another lot of it (a split, a transfer), `option` was exercised or assigned, `short` was closed, `denied` is the sale whose denied loss is in the basis, `replacement` denies the loss of this one.',
        ),
        transactionId: t.String(),
        type: oneOf(transactionTypes),
        date: t.String(),
        account: t.String(),
        asset: t.String(),
        quantity: nullable(quantity),
        amount: nullable(money),
        fee: nullable(money),
        file: nullable(t.String({ description: 'Null for a row entered by hand.' })),
        line: nullable(whole()),
        raw: nullable(t.String({ description: 'The lines that made the row, as the file has them.' })),
        currency: t.String({ description: 'Of the amounts above.' }),
        prices: t.Array(
          closed({
            figure: t.String({
              description: 'What it values: the `currency` of the amounts, the `basis`, or a number not stated.',
            }),
            asset: t.String(),
            date: day,
            usd: t.String({ description: 'US dollars of one unit.' }),
            source: t.String({ description: '`own`, or the provider.' }),
          }),
          { description: 'The prices by which the row was told in dollars.' },
        ),
        corrected: t.Boolean({ description: 'Corrected by hand: it says something else than `raw`, and that counts.' }),
        answers: t.Array(
          closed({
            action: oneOf(['basis', 'pair', 'value']),
            basis: nullable(t.String()),
            acquired: nullable(day),
            amount: nullable(t.String()),
            with: nullable(t.String({ description: 'The transaction that is the other end.' })),
            note: t.String(),
          }),
          { description: 'What was said of it when an issue was resolved, as it was given.' },
        ),
      }),
    ),
    washSales: t.Array(
      closed({
        replacementLotId: t.String(),
        replacementTransactionId: t.String(),
        quantity,
        disallowed: money,
        permanent: t.Boolean(),
      }),
    ),
    steps: t.Array(
      closed({
        column: t.String({ description: 'The column of Form 8949, as (d).' }),
        value: t.String(),
        text: t.String(),
        citations: t.Array(t.String()),
        parts: t.Array(closed({ text: t.String(), amount: money }), {
          description: 'What the amount is made of: these add up to it. Empty where the column is no sum.',
        }),
      }),
    ),
  },
  { title: 'Explanation' },
);
