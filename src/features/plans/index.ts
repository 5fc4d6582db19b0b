import { Elysia, t } from 'elysia';
import { closed, money, nullable, oneOf, whole } from '../../http/schemas.ts';
import { type Plan, planLimits, plans as planNames } from '../auth/plan.ts';
import { type PlanPrice, planPrices } from './prices.ts';

const PlanOffer = closed(
  {
    plan: oneOf(planNames),
    price: nullable(
      closed({ amount: money, currency: oneOf(['USD']), interval: oneOf(['month', 'year']) }, { title: 'Price' }),
    ),
    transactionLimit: nullable(whole({ description: 'Transactions stored at a time; null is no limit.' })),
    aiMessagesPerDay: nullable(whole({ description: 'In a UTC day; null is no limit.' })),
    clientLimit: whole({ description: 'Client accounts.' }),
    importBytesLimit: whole({ description: 'Bytes of the files that the imports of one taxpayer keep.' }),
    importLimit: whole({ description: 'Imports that one taxpayer keeps.' }),
  },
  { title: 'Plan' },
);

/** The plans, their prices and limits. */
export const plans = () =>
  new Elysia({ prefix: '/plans' }).get('', () => ({ data: planNames.map(describe) }), {
    response: { 200: closed({ data: t.Array(PlanOffer) }) },
    detail: { summary: 'The plans, their prices and limits', operationId: 'listPlans', tags: ['Plans'] },
  });

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
