import { t } from 'elysia';
import { assetClasses } from '../../../engine/model.ts';
import { closed, day, listOf, money, nullable, oneOf, quantity, whole } from '../../../http/schemas.ts';
import { assetName } from '../../ledger/transactions/transactions.schemas.ts';
import { UnitValue } from './planning.schemas.ts';

const Unrealized = closed(
  {
    total: money,
    short: money,
    long: money,
    contracts1256: t.String({ description: 'Section 1256 contracts: 40% short-term, 60% long-term when closed.' }),
    ordinary: t.String({ description: 'Foreign currency: no capital gain (IRC 988).' }),
    taxFree: t.String({ description: 'In accounts whose gains are not taxed, such as an IRA.' }),
  },
  { title: 'Unrealized', description: 'The gain if everything were sold at the value, before fees and wash sales.' },
);

const Holding = closed(
  {
    asset: t.String(),
    assetClass: oneOf(assetClasses),
    assetName,
    account: nullable(t.String({ description: 'Null if grouped by asset, for all accounts.' })),
    quantity,
    lots: whole({ description: 'Open lots.' }),
    basis: money,
    valuedBy: nullable(UnitValue),
    value: nullable(money),
    unrealized: nullable(Unrealized),
    longTermOn: nullable(
      t.String({ description: 'When the next units become long-term, or null if no lot is short-term.' }),
    ),
    daysToLongTerm: nullable(whole({ description: 'The days until then.' })),
  },
  { title: 'Holding' },
);

export const HoldingList = closed(
  {
    by: oneOf(['asset', 'account']),
    asOf: day,
    sum: closed(
      {
        basis: money,
        value: t.String({ description: 'Totals of holdings that have a value.' }),
        unrealized: Unrealized,
        valuedBasis: t.String({ description: 'The basis of holdings that have a value: the value minus the gain.' }),
        unvalued: closed(
          { holdings: whole(), basis: money },
          { description: 'Holdings without a value, and their basis.' },
        ),
      },
      { title: 'HoldingTotals', description: 'Totals of all holdings, not only those on this page.' },
    ),
    ...listOf(Holding).properties,
  },
  { title: 'HoldingList' },
);

export const HoldingHistory = closed(
  {
    data: t.Array(
      closed({
        date: day,
        basis: money,
        value: nullable(
          t.String({ description: 'The value of the holdings with a price. Null if no holding has one.' }),
        ),
        valuedBasis: t.String({ description: 'The basis of the holdings with a price.' }),
        unrealized: nullable(t.String({ description: '`value` less `valuedBasis`.' })),
        unvalued: closed({
          holdings: whole(),
          basis: money,
          assets: t.Array(t.String(), { description: 'Holdings without a price, up to 10.' }),
        }),
      }),
      { description: 'Oldest first.' },
    ),
  },
  { title: 'HoldingHistory' },
);
