import { t } from 'elysia';
import { assetClasses } from '../../../../engine/model.ts';
import { closed, listOf, money, nullable, oneOf, whole } from '../../../../http/schemas.ts';
import { Totals } from '../../../ledger/books/books.schemas.ts';
import { groupings } from './gains.queries.ts';

const sums = {
  shortTerm: Totals,
  longTerm: Totals,
  total: Totals,
  washSaleDisallowed: money,
  contracts1256: closed(
    { gain: money, count: whole() },
    { description: 'Section 1256 contracts (Form 6781), not included in the totals above.' },
  ),
  income: closed({ amount: money, count: whole() }, { description: 'Income of all types.' }),
};

const GainGroup = closed(
  {
    key: t.String({
      description:
        '`YYYY-MM-DD`, `YYYY-MM` or `YYYY` for days, months or years; else the asset, the account or the type of the transaction. Empty if no stored transaction is the cause.',
    }),
    assetClass: nullable(
      oneOf(assetClasses, 'Set when grouped by asset, because a coin and a stock may share a name.'),
    ),
    ...sums,
  },
  { title: 'GainGroup' },
);

export const GainList = closed(
  {
    by: oneOf(groupings),
    from: nullable(t.String({ description: 'The first day, or null if unbounded.' })),
    to: nullable(t.String({ description: 'The day after the last one, or null if unbounded.' })),
    sum: closed(sums, { title: 'GainSums', description: 'Totals of all groups, not only those on this page.' }),
    ...listOf(GainGroup).properties,
  },
  { title: 'GainList' },
);
