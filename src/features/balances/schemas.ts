import { t } from 'elysia';
import { closed, day, id, oneOf, quantity, whole } from '../../http/schemas.ts';
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
      '`file`: a line of a file of positions. `import`: the balance after the last row of that day in a file of transactions; it is removed with its import, and one entered by hand or from a file of positions takes precedence.',
    ),
    books: t.String({
      description: 'The units calculated from the rows at the end of that day; below zero if sold short.',
    }),
    difference: t.String({
      description:
        'Stated less books; `0` if they agree. A statement with three or more decimals may be rounded at the last one.',
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
    rows: whole({ description: 'Lines after the header.' }),
    added: whole(),
    updated: whole({ description: 'Days whose stated balance was replaced.' }),
    unchanged: whole(),
    rejected: whole(),
    differing: whole({ description: 'Balances in this file that differ from the rows.' }),
    rejects: t.Array(closed({ line: whole(), column: t.Union([t.String(), t.Null()]), reason: t.String() }), {
      description: 'The first hundred lines without a valid balance.',
    }),
  },
  { title: 'BalanceImportResult' },
);
