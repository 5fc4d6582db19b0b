import { assetClasses } from '../../../engine/model.ts';
import { closed, listOf, money, nullable, oneOf, whole } from '../../../http/schemas.ts';
import { Lot, Summary, Totals } from '../../ledger/books/books.schemas.ts';
import { lineSchema } from '../../ledger/books/line-members.ts';
import { assetName } from '../../ledger/transactions/transactions.schemas.ts';
import { GainTaxEstimate, taxNeeds, UnitValue } from '../planning/planning.schemas.ts';

export const DisposalList = closed(
  {
    ...listOf(lineSchema).properties,
    totals: nullable(
      closed(Totals.properties, {
        title: 'LineTotals',
        description: 'Totals of all matching lines, not only those on this page. Null on the pages after the first.',
      }),
    ),
  },
  { title: 'DisposalList' },
);

export const ValuedLot = closed(
  {
    ...Lot.properties,
    assetClass: oneOf(assetClasses),
    assetName,
    valuedBy: nullable(UnitValue),
    value: nullable(money),
    unrealized: nullable(money),
  },
  { title: 'ValuedLot', description: 'Null if no value of a unit is known.' },
);

export const YearSummary = closed(
  {
    ...Summary.properties,
    atStake: closed(
      { dollars: money, unknown: whole({ description: 'The number of transactions whose amount is unlimited.' }) },
      { description: 'The largest possible change of the year by its open issues. Each transaction counts once.' },
    ),
    taxEstimate: nullable(GainTaxEstimate),
    taxEstimateNeeds: taxNeeds,
  },
  { title: 'YearSummary' },
);
