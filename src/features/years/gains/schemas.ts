import { t } from 'elysia';
import { assetClasses } from '../../../engine/model.ts';
import { closed, listOf, money, nullable, oneOf, whole } from '../../../http/schemas.ts';
import { Totals } from '../../books/schemas.ts';
import { groupings } from './queries.ts';

const sums = {
  shortTerm: Totals,
  longTerm: Totals,
  total: Totals,
  washSaleDisallowed: money,
  contracts1256: closed(
    { gain: money, count: whole() },
    { description: 'Section 1256: Form 6781, not in the totals above.' },
  ),
  income: closed({ amount: money, count: whole() }, { description: 'Income of every kind.' }),
};

const GainGroup = closed(
  {
    key: t.String({
      description:
        '`YYYY-MM-DD`, `YYYY-MM` or `YYYY` by days, months or years, else the asset, the account or the type of the transaction; empty where no stored transaction is the cause.',
    }),
    assetClass: nullable(oneOf(assetClasses, 'By assets: a coin and a stock may share the name.')),
    ...sums,
  },
  { title: 'GainGroup' },
);

export const Gains = closed(
  {
    by: oneOf(groupings),
    from: nullable(t.String({ description: 'The first day; null is no bound.' })),
    to: nullable(t.String({ description: 'The day after the last one; null is no bound.' })),
    sum: closed(sums, { title: 'GainSums', description: 'Of all groups, on this page or not.' }),
    ...listOf(GainGroup).properties,
  },
  { title: 'Gains' },
);
