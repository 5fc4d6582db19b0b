import fc from 'fast-check';
import {
  type AccountEvidence,
  type AccountRules,
  informationReturns,
  lotMethods,
  orderMethods,
  type Rules,
  type StandingOrder,
} from '../../../src/engine/model.ts';
import { type History, historyOf } from './history.ts';
import { type StepKind, stepKinds } from './step-kinds.ts';
import type { Unstated } from './unstated.ts';

/**
 * Random, plausible histories. A history is a list of steps, each with a few small numbers that are interpreted against
 * the current holdings. A failing history therefore shrinks by dropping steps and still makes sense.
 */
export interface Step {
  readonly kind: StepKind;
  /** Days since the previous step. */
  readonly gap: number;
  /** Second of the day. Null for a row that has only a date. */
  readonly time: number | null;
  readonly asset: number;
  readonly account: number;
  readonly other: number;
  readonly quantity: number;
  /** Cents per unit. */
  readonly price: number;
  /** Additional hundred-thousandths of a dollar, for totals that are not whole cents. */
  readonly subCents: number;
  readonly fee: number;
  /** The part of the holding: 0 is all of it, n is 1/n of it, and 9 is more than is held. */
  readonly part: number;
  readonly dice: number;
  /** The currency of the step's amounts. */
  readonly currency: 'USD' | 'EUR';
}

export interface Drawn {
  readonly history: History;
  readonly rules: Rules;
  /** True if some rows do not state the class of their asset. */
  readonly unstated?: Unstated;
}

export function histories(stepsMax: number): fc.Arbitrary<Drawn> {
  return fc
    .record({
      start: fc.constantFrom(0, 30, 300, 330, 345, 396, 700),
      steps: fc.array(step, { minLength: 1, maxLength: stepsMax, size: 'max' }),
      rules,
    })
    .map(({ start, steps, rules: elections }) => ({ history: historyOf(start, steps), rules: elections }));
}

const weights: Partial<Record<StepKind, number>> = {
  buy: 30,
  sell: 24,
  sell_named: 8,
  round_trip: 4,
  reinvest: 3,
  fund_distribution: 3,
  swap_coins: 6,
  contract: 2,
  index_option: 3,
  mark: 2,
  currency: 4,
  transfer: 5,
  short_sell: 3,
  cover: 3,
  split: 2,
  open_call: 3,
  open_put: 3,
  opportunity_fund: 2,
};

export const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(...stepKinds.map((kind) => ({ arbitrary: fc.constant(kind), weight: weights[kind] ?? 1 }))),
  gap: fc.oneof(
    { arbitrary: fc.constant(0), weight: 4 },
    { arbitrary: fc.integer({ min: 0, max: 12 }), weight: 6 },
    { arbitrary: fc.constantFrom(29, 30, 31, 61), weight: 2 },
    { arbitrary: fc.constantFrom(183, 335, 365, 366), weight: 1 },
  ),
  time: fc.oneof(
    { arbitrary: fc.constant(null), weight: 3 },
    { arbitrary: fc.constantFrom(0, 34_200, 43_200, 86_399), weight: 2 },
  ),
  asset: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: fc.integer({ min: 0, max: 5 }), weight: 2 }),
  account: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: fc.integer({ min: 0, max: 3 }), weight: 2 }),
  other: fc.integer({ min: 0, max: 5 }),
  quantity: fc.oneof({ arbitrary: fc.constantFrom(10, 30, 100), weight: 2 }, fc.integer({ min: 1, max: 120 })),
  price: fc.oneof({ arbitrary: fc.constantFrom(1000, 1200, 800), weight: 1 }, fc.integer({ min: 1, max: 3000 })),
  subCents: fc.oneof({ arbitrary: fc.constant(0), weight: 9 }, fc.integer({ min: 1, max: 999 })),
  fee: fc.oneof({ arbitrary: fc.constant(0), weight: 2 }, fc.integer({ min: 0, max: 99 })),
  part: fc.constantFrom(0, 0, 1, 2, 2, 3, 4, 7, 9),
  dice: fc.integer({ min: 0, max: 11 }),
  currency: fc.oneof({ arbitrary: fc.constant('USD' as const), weight: 30 }, fc.constant('EUR' as const)),
});

const method = fc.constantFrom<Rules['method']>('FIFO', 'FIFO', ...lotMethods);

/** The form that a broker sends, and whether the form states the reporting of the basis. */
const taxable = fc.constantFrom<AccountRules>(
  { type: 'taxable' },
  { type: 'taxable', wallet: 'W' },
  { type: 'taxable', form: '1099-B' },
  { type: 'taxable', form: '1099-DA' },
  { type: 'taxable', form: '1099-B', basisReported: false },
  { type: 'taxable', form: '1099-DA', basisReported: true },
);

const standingOrder: fc.Arbitrary<StandingOrder> = fc.record(
  {
    account: fc.constantFrom('A1', 'A2'),
    asset: fc.constantFrom('AAA', 'BTC', 'FND'),
    method: fc.constantFrom(...orderMethods),
    madeAt: fc.constantFrom('2023-01-01', '2024-01-15', '2024-06-01T09:30:00Z', '2025-02-03T23:59:59Z'),
    from: fc.constantFrom('2023-12-15', '2024-05-30', '2025-01-01'),
  },
  { requiredKeys: ['method', 'madeAt'] },
);

/** The file that an account has: form lines, or an export from a broker that sends forms. */
const accountEvidence: fc.Arbitrary<AccountEvidence> = fc.record(
  { lines: fc.constantFrom(...informationReturns), source: fc.constantFrom(...informationReturns) },
  { requiredKeys: [] },
);

/** Elections that the law leaves open: usually the default, sometimes another choice. */
const elections = fc.oneof(
  { arbitrary: fc.constant({}), weight: 2 },
  {
    arbitrary: fc.record(
      {
        washSalesFrom: fc.constantFrom([], [{ date: '2024-06-01', washSales: 'all_assets' as const }]),
        washAccounts: fc.subarray(['ira', 'roth_ira', 'spouse'] as const),
        washSoldBefore: fc.constantFrom('exclude' as const, 'include' as const),
        fragmentOrder: fc.constantFrom('wash_adjusted_first' as const, 'wash_adjusted_last' as const),
        giftBetweenBases: fc.constantFrom('basis_is_proceeds' as const, 'donor_basis' as const),
        transferFees: fc.constantFrom('disposal' as const, 'joins_basis' as const),
        lateIdentification: fc.constantFrom('method' as const, 'accepted' as const),
        mergerRows: fc.constantFrom('cash_less_gain' as const, 'all_received' as const),
        assets: fc.constantFrom(
          { FND: { collectible: true } },
          { AAA: { collectible: true }, PUNK: { collectible: true } },
        ),
        standingOrders: fc.array(standingOrder, { maxLength: 3 }),
        evidence: fc.record({ A1: accountEvidence, A2: accountEvidence }),
        separateReturns: fc.constantFrom(
          { otherwise: true, byYear: {} },
          { otherwise: false, byYear: { 2024: true } },
          { otherwise: true, byYear: { 2024: false } },
        ),
        timeZone: fc.constantFrom('America/New_York', 'Asia/Tokyo'),
      },
      { requiredKeys: [] },
    ),
    weight: 1,
  },
);

export const basicRules: fc.Arbitrary<Rules> = fc.record({
  method,
  methodByAccount: fc.oneof(
    fc.constant({}),
    method.map((chosen) => ({ A2: chosen })),
  ),
  methodFrom: fc.oneof(
    fc.constant([]),
    method.map((chosen) => [{ year: 2025, method: chosen }]),
  ),
  digitalAssetScopeBefore2025: fc.oneof(
    { arbitrary: fc.constant('per_wallet' as const), weight: 5 },
    { arbitrary: fc.constant('universal' as const), weight: 1 },
  ),
  washSales: fc.oneof(
    { arbitrary: fc.constant('securities_and_tokenized' as const), weight: 5 },
    { arbitrary: fc.constantFrom('securities_only' as const, 'all_assets' as const), weight: 1 },
  ),
  washPeriod: fc.constantFrom('tacking' as const, 'tacking' as const, 'replacement' as const),
  accounts: fc.record({
    A1: taxable,
    A2: taxable,
    SP: fc.constant({ type: 'spouse' as const }),
    IRA: fc.constantFrom(...(['ira', 'roth_ira', 'hsa', '401k'] as const).map((type) => ({ type }))),
  }),
});

/** The lot method used with the election. */
export const rules: fc.Arbitrary<Rules> = fc
  .tuple(basicRules, elections)
  .map(([basic, elected]) => ({ ...basic, ...elected }));
