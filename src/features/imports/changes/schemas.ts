import { t } from 'elysia';
import { transactionTypes } from '../../../engine/model.ts';
import { closed, id, money, nullable, oneOf, quantity, whole } from '../../../http/schemas.ts';

const row = {
  transactionId: t.String(),
  line: whole({ description: 'In the file of the import that tells it.' }),
  date: t.String(),
  type: oneOf(transactionTypes),
  account: t.String(),
  asset: t.String(),
  quantity: nullable(quantity),
  amount: nullable(money),
  externalId: nullable(t.String()),
};

export const Changes = closed(
  {
    importId: id,
    against: nullable(
      t.String({ description: 'The import before of the same kind of file and account over the same days; or none.' }),
    ),
    added: t.Array(closed(row), { description: 'Told by this import and not by that one.' }),
    changed: t.Array(
      closed({
        before: closed(row),
        after: closed(row),
        members: t.Array(t.String(), { description: 'In which the two differ.' }),
      }),
      { description: 'One id, or one day, kind and asset, in other words. Both are in the books.' },
    ),
    gone: t.Array(closed(row), {
      description:
        'Told by that import on days that this one covers, and not by this one. They are still in the books.',
    }),
    truncated: t.Boolean({ description: 'There are more than are shown.' }),
  },
  { title: 'ImportChanges' },
);
