import { Elysia, t } from 'elysia';
import { group } from '../../http/operations.ts';
import { closed, money, nullable, oneOf, whole } from '../../http/schemas.ts';
import { type Plan, planLimits, plans as planNames } from './auth/plan.ts';
import { type PlanPrice, planPrices } from './plans.ts';

const { open } = group('Plans');

const PlanOffer = closed(
  {
    plan: oneOf(planNames),
    price: nullable(
      closed({ amount: money, currency: oneOf(['USD']), interval: oneOf(['month', 'year']) }, { title: 'Price' }),
    ),
    transactionLimit: nullable(whole({ description: 'The maximum number of stored transactions; null if unlimited.' })),
    aiMessagesPerDay: nullable(whole({ description: 'The maximum number per UTC day; null if unlimited.' })),
    clientLimit: whole({ description: 'Client accounts.' }),
    importBytesLimit: whole({ description: 'The maximum size in bytes of the stored import files of a taxpayer.' }),
    importLimit: whole({ description: 'The maximum number of imports per taxpayer.' }),
  },
  { title: 'Plan' },
);

/** Lists the plans with their prices and limits. */
export const plans = () =>
  new Elysia({ prefix: '/plans' }).get(
    '',
    () => ({ data: planNames.map(describe) }),
    open('listPlans', null, {
      summary: 'List plans with prices and limits',
      response: { 200: closed({ data: t.Array(PlanOffer) }) },
    }),
  );

function describe(plan: Plan) {
  const { transactionsMax, aiMessagesPerDay, clientsMax, importBytesMax, importsMax } = planLimits[plan];
  return {
    plan,
    price: plan === 'FREE' ? null : priceView(planPrices[plan]),
    transactionLimit: transactionsMax,
    aiMessagesPerDay,
    clientLimit: clientsMax,
    importBytesLimit: importBytesMax,
    importLimit: importsMax,
  };
}

function priceView({ cents, interval }: PlanPrice) {
  return { amount: `${cents / 100}.00`, currency: 'USD' as const, interval };
}
