import { t } from 'elysia';
import { assetClasses } from '../../../engine/model.ts';
import { closed, day, listOf, money, nullable, oneOf, quantity, whole } from '../../../http/schemas.ts';
import { UnitValue } from '../schemas.ts';

const Unrealized = closed(
  {
    total: money,
    short: money,
    long: money,
    contracts1256: t.String({ description: 'Of section 1256 contracts: 40 % short-term, 60 % long-term when closed.' }),
    ordinary: t.String({ description: 'Of foreign currency: no capital gain (IRC 988).' }),
    taxFree: t.String({ description: 'In accounts whose gains are not taxed, as an IRA.' }),
  },
  { title: 'Unrealized', description: 'The gain if all were sold at the value, without fees and wash sales.' },
);

const Holding = closed(
  {
    asset: t.String(),
    assetClass: oneOf(assetClasses),
    account: nullable(t.String({ description: 'Null by assets: of all accounts.' })),
    quantity,
    lots: whole({ description: 'Open lots.' }),
    basis: money,
    valuedBy: nullable(UnitValue),
    value: nullable(money),
    unrealized: nullable(Unrealized),
    longTermOn: nullable(
      t.String({ description: 'The first day on which more of it is long-term; null where no lot is short-term.' }),
    ),
    daysToLongTerm: nullable(whole({ description: 'Days until then.' })),
  },
  { title: 'Holding' },
);

export const Holdings = closed(
  {
    by: oneOf(['asset', 'account']),
    asOf: day,
    sum: closed(
      {
        basis: money,
        value: t.String({ description: 'Of what has a value.' }),
        unrealized: Unrealized,
        unvalued: closed({ holdings: whole(), basis: money }, { description: 'What has no value, and its basis.' }),
      },
      { title: 'HoldingsSum', description: 'Of all holdings, on this page or not.' },
    ),
    ...listOf(Holding).properties,
  },
  { title: 'Holdings' },
);
