import { t } from 'elysia';
import { closed, day, id, oneOf, quantity, rejectsSchema, whole } from '../../../http/schemas.ts';
import { nameLengthMax } from './read-balances.ts';

const name = t.String({ minLength: 1, maxLength: nameLengthMax });

export const Balance = closed(
  {
    id,
    account: t.String(),
    asset: t.String(),
    on: day,
    quantity,
    source: oneOf(
      ['hand', 'file', 'import'],
      '`hand`: entered manually. `file`: from a file of positions. `import`: the balance after the last row of that day in a file of transactions. It is removed with its import. A balance from `hand` or `file` takes precedence over it.',
    ),
    books: t.String({
      description: 'The units calculated from the rows at the end of that day. Negative if sold short.',
    }),
    difference: t.String({
      description:
        'The stated balance less the books; `0` if they agree. A statement with three or more decimals may be rounded at the last one.',
    }),
  },
  { title: 'Balance' },
);

export const NewBalance = closed(
  { account: name, asset: name, on: day, quantity: t.String({ minLength: 1, maxLength: 64 }) },
  {
    title: 'NewBalance',
    examples: [{ account: 'Schwab', asset: 'AAPL', on: '2024-12-31', quantity: '10' }],
  },
);

export const BalanceImportResult = closed(
  {
    rows: whole({ description: 'The number of lines after the header.' }),
    added: whole(),
    updated: whole({ description: 'The number of stated balances that were replaced.' }),
    unchanged: whole(),
    rejected: whole(),
    differing: whole({ description: 'The number of balances in this file that differ from the rows.' }),
    rejects: rejectsSchema('balance'),
  },
  { title: 'BalanceImportResult' },
);
