import fc from 'fast-check';
import { findFormNames } from '../../../src/engine/events/form-names.ts';
import type { AccountRules } from '../../../src/engine/model.ts';
import { type Drawn, rules, type Step, step } from './generate.ts';
import { call, historyOf } from './history.ts';
import type { StepKind } from './step-kinds.ts';

/** Random histories of only a few kinds of rows, so that interactions between them are common. */

/** Short sales of one stock: losses on shorts, with sales, purchases and gifts near them. */
export function shortHistories(stepsMax: number): fc.Arbitrary<Drawn> {
  const steps = fc.array(shortStep(shortKinds, 0), { minLength: 1, maxLength: stepsMax, size: 'max' });
  return fc
    .record({ steps, rules })
    .map(({ steps, rules: elected }) => ({ history: historyOf(330, steps), rules: elected }));
}

/** Generates histories of a stock that merges for shares, cash or both, while some of it is sold short. */
export function mergedShortHistories(stepsMax: number): fc.Arbitrary<Drawn> {
  const kinds = [...shortKinds, 'merger', 'merger_with_boot', 'merger_with_boot'] as const;
  const steps = fc.array(shortStep(kinds, 2), { minLength: 1, maxLength: stepsMax, size: 'max' });
  return fc
    .record({ steps, rules })
    .map(({ steps, rules: elected }) => ({ history: historyOf(330, steps), rules: elected }));
}

/** Generates histories of a fund that is sold short while other shares of it have an averaged basis. */
export function fundShortHistories(stepsMax: number): fc.Arbitrary<Drawn> {
  const steps = fc.array(shortStep(fundShortKinds, 3), { minLength: 1, maxLength: stepsMax, size: 'max' });
  return fc.record({ steps, rules, averaged: fc.subarray(['A1', 'A2']) }).map(({ steps, rules: elected, averaged }) => {
    const methods = Object.fromEntries(averaged.map((account) => [account, 'AVERAGE' as const]));
    const rules = { ...elected, methodByAccount: { ...elected.methodByAccount, ...methods } };
    return { history: historyOf(330, steps), rules };
  });
}

/**
 * Generates histories of gains that are invested in an opportunity fund before and after the end of 2026, over many
 * years.
 */
export function investedHistories(stepsMax: number): fc.Arbitrary<Drawn> {
  const drawn = fc.tuple(step, fc.constantFrom(...investedKinds), fc.constantFrom(1, 30, 200, 400));
  const steps = drawn.map(
    ([one, kind, gap]): Step => ({ ...one, kind, gap: one.gap === 0 ? 0 : gap, currency: 'USD' }),
  );
  const fund = fc.record({ basisAtSale: fc.boolean(), ruralFund: fc.boolean() }, { requiredKeys: [] });
  return fc
    .record({
      start: fc.constantFrom(700, 1050, 1126),
      steps: fc.array(steps, { minLength: 1, maxLength: stepsMax, size: 'max' }),
      rules,
      fund,
    })
    .map(({ start, steps: taken, rules: elected, fund: QOF }) => ({
      history: historyOf(start, taken),
      rules: { ...elected, assets: { ...elected.assets, QOF } },
    }));
}

const investedKinds: readonly StepKind[] = [
  ...(['opportunity_fund', 'opportunity_fund', 'opportunity_fund', 'opportunity_fund', 'opportunity_fund'] as const),
  ...(['buy', 'transfer', 'split'] as const),
];

function shortStep(kinds: readonly StepKind[], asset: number): fc.Arbitrary<Step> {
  return fc.tuple(step, fc.constantFrom(...kinds)).map(([drawn, kind]): Step => {
    const account = drawn.dice % 4 === 0 ? drawn.account : drawn.account % 2 === 0 ? 0 : 3;
    return { ...drawn, kind, asset, account, gap: Math.min(drawn.gap, 9), currency: 'USD' };
  });
}

const shortKinds: readonly StepKind[] = [
  ...(['buy', 'buy', 'sell', 'sell', 'short_sell', 'short_sell', 'cover', 'cover', 'deliver_to_short'] as const),
  ...(['split', 'transfer', 'gift_in', 'open_put', 'rename', 'reported_sale'] as const),
  ...(['write_call', 'open_call', 'exercise_or_assign', 'merger', 'spinoff', 'worthless', 'cash_income'] as const),
];

const fundShortKinds: readonly StepKind[] = [
  ...shortKinds,
  ...([
    'deliver_to_short',
    'spinoff',
    'return_of_capital',
    'bond_amortization',
    'fund_distribution',
    'sell_named',
  ] as const),
];

/**
 * Generates histories of a stock and its options near two year-ends. They test which positions offset each other, and
 * to which year an hour belongs.
 */
export function optionHistories(stepsMax: number): fc.Arbitrary<Drawn> {
  const ofStock = fc.tuple(step, fc.constantFrom(...optionKinds)).map(([drawn, kind]): Step => {
    const dice = drawn.dice % 4 === 3 && !kind.startsWith('open') ? drawn.dice - 1 : drawn.dice;
    return {
      ...drawn,
      kind,
      dice,
      asset: 0,
      account: drawn.account % 3,
      gap: Math.min(drawn.gap, 31),
      currency: 'USD',
    };
  });
  return fc
    .record({
      start: fc.constantFrom(30, 396),
      steps: fc.array(ofStock, { minLength: 1, maxLength: stepsMax, size: 'max' }),
      rules,
      isNewYear: fc.boolean(),
      // In and out of the money, with terms of half a year to several years.
      callName: fc.constantFrom(call, 'AAA 2025-01-17 C 5', 'AAA 2025-06-20 C 10', 'AAA 2026-01-16 C 7.5'),
    })
    .map(({ start, steps: drawn, rules: elected, isNewYear, callName }) => {
      const steps = isNewYear ? drawn.map((one) => ({ ...one, gap: one.gap > 12 ? 1 : 0 })) : drawn;
      // An export may state the time zone of its times.
      const history = historyOf(start, steps)
        .map((row, at) => (at % 7 === 3 ? { ...row, zoned: true as const } : row))
        .map((row) => (row.asset === call ? { ...row, asset: callName } : row));
      return { history, rules: elected };
    });
}

const optionKinds: readonly StepKind[] = [
  ...(['buy', 'buy', 'sell', 'sell', 'short_sell', 'cover', 'split', 'gift_in', 'cash_income'] as const),
  ...(['open_call', 'open_put', 'write_call', 'write_call', 'write_put', 'write_put'] as const),
  ...(['close_option', 'close_option', 'close_option', 'expire', 'exercise_or_assign', 'transfer'] as const),
];

/**
 * Generates histories of a stock and calls written on it over years. They test which days count toward the holding
 * period of the stock.
 */
export function coveredCallHistories(stepsMax: number): fc.Arbitrary<Drawn> {
  const ofCalls = fc.tuple(step, fc.constantFrom(...coveredKinds)).map(([drawn, kind]): Step => {
    const gap = drawn.gap % 3 === 0 ? 0 : drawn.gap * 4;
    return { ...drawn, kind, dice: 2 * (drawn.dice % 4), asset: 0, account: 0, gap, currency: 'USD' };
  });
  return fc
    .record({
      steps: fc.array(ofCalls, { minLength: 1, maxLength: stepsMax, size: 'max' }),
      rules,
      callName: fc.constantFrom(
        'AAA 2024-11-15 C 5',
        'AAA 2025-01-17 C 7.5',
        'AAA 2025-01-17 C 20',
        'AAA 2024-06-21 C 5',
      ),
    })
    .map(({ steps, rules: elected, callName }) => {
      const history = historyOf(0, steps).map((row) => (row.asset === call ? { ...row, asset: callName } : row));
      return { history, rules: elected };
    });
}

const coveredKinds: readonly StepKind[] = [
  ...([
    'buy',
    'buy',
    'write_call',
    'write_call',
    'close_option',
    'sell',
    'sell',
    'expire',
    'rename',
    'transfer',
  ] as const),
];

/** Generates histories of two coins from fall 2024 on, first in the universal pool and then in separate wallets. */
export function coinHistories(stepsMax: number): fc.Arbitrary<Drawn> {
  const ofCoins = fc.tuple(step, fc.constantFrom(...coinKinds)).map(([drawn, kind]): Step => {
    const dice = kind === 'deposit_and_withdrawal' ? drawn.dice : 3 + 4 * (drawn.dice % 3);
    return { ...drawn, kind, asset: drawn.asset % 2, gap: Math.min(drawn.gap, 12), dice, currency: 'USD' };
  });
  return fc
    .record({ steps: fc.array(ofCoins, { minLength: 1, maxLength: stepsMax, size: 'max' }), rules })
    .map(({ steps, rules: elected }) => ({ history: historyOf(300, steps), rules: elected }));
}

const coinKinds: readonly StepKind[] = [
  ...(['buy', 'buy', 'buy', 'sell', 'sell', 'sell_named', 'swap_coins', 'transfer', 'deposit_and_withdrawal'] as const),
  ...(['income_in_kind', 'gift_in', 'gift_out', 'inherit', 'opening_lot', 'spend', 'split', 'donate_or_lose'] as const),
];

/**
 * Generates histories of a stock and a fund at two brokers that report basis, with losses at one that purchases at the
 * other replace.
 */
export function brokerHistories(stepsMax: number): fc.Arbitrary<Drawn> {
  const atBrokers = fc.tuple(step, fc.constantFrom(...brokerKinds)).map(([drawn, kind]): Step => {
    const asset = drawn.dice % 3 === 0 ? 3 : 0;
    return { ...drawn, kind, asset, account: drawn.account % 2, gap: Math.min(drawn.gap, 20), currency: 'USD' };
  });
  const broker: AccountRules = { type: 'taxable', form: '1099-B', basisReported: true };
  return fc
    .record({ steps: fc.array(atBrokers, { minLength: 1, maxLength: stepsMax, size: 'max' }), rules })
    .map(({ steps, rules: elected }) => ({
      history: historyOf(330, steps),
      rules: { ...elected, accounts: { ...elected.accounts, A1: broker, A2: broker } },
    }));
}

const brokerKinds: readonly StepKind[] = [
  ...(['buy', 'buy', 'buy', 'buy', 'sell', 'sell', 'sell', 'sell_named', 'transfer', 'deliver_to_short'] as const),
  ...([
    'short_sell',
    'cover',
    'split',
    'spinoff',
    'rename',
    'merger',
    'merger_with_boot',
    'return_of_capital',
    'bond_amortization',
  ] as const),
  ...(['open_call', 'exercise_or_assign', 'close_option', 'fund_distribution', 'reported_sale'] as const),
];

/**
 * Generates histories of a stock and a coin at two brokers whose forms use other sale dates, name another account, or
 * report sales twice.
 */
export function formHistories(stepsMax: number): fc.Arbitrary<Drawn> {
  const onForms = fc.tuple(step, fc.constantFrom(...formKinds)).map(([drawn, kind]): Step => {
    const asset = drawn.quantity % 4 === 0 ? 1 : 0;
    // Either sales in the history, or sales that only the form reports.
    const dice = kind === 'reported_sale' && drawn.fee % 4 > 0 ? drawn.dice | 1 : drawn.dice;
    return { ...drawn, kind, asset, dice, account: drawn.account % 2, gap: Math.min(drawn.gap, 9), currency: 'USD' };
  });
  return fc
    .record({
      start: fc.constantFrom(20, 330),
      steps: fc.array(onForms, { minLength: 1, maxLength: stepsMax, size: 'max' }),
      rules,
    })
    .map(({ start, steps, rules: elected }) => ({ history: historyOf(start, steps), rules: elected }));
}

const formKinds: readonly StepKind[] = [
  ...(['buy', 'buy', 'buy', 'sell', 'sell', 'sell', 'reported_sale', 'reported_sale', 'reported_sale'] as const),
  ...([
    'reported_sale',
    'reported_sale',
    'short_sell',
    'cover',
    'worthless',
    'opening_lot',
    'split',
    'transfer',
  ] as const),
  ...([
    'write_call',
    'close_option',
    'expire',
    'exercise_or_assign',
    'open_put',
    'merger_with_boot',
    'reversal',
  ] as const),
];

/** Like `formHistories`, but some form rows name the asset by its company or in lowercase. */
export function namedFormHistories(stepsMax: number): fc.Arbitrary<Drawn> {
  const names = fc.record({ company: fc.nat(7), small: fc.nat(15) });
  return fc.tuple(formHistories(stepsMax), names).map(([drawn, { company, small }]) => {
    const history = drawn.history.map((row) => {
      if (row.type !== 'reported_sale') return row;
      const index = row.account.length + (row.asset.codePointAt(0) ?? 0) + (row.asset.codePointAt(1) ?? 0);
      if (index % 8 === company) return { ...row, asset: `${row.asset} CORP` };
      return index % 16 === small ? { ...row, asset: row.asset.toLowerCase() } : row;
    });
    const formNames = findFormNames(history, undefined);
    return { ...drawn, history, rules: formNames === undefined ? drawn.rules : { ...drawn.rules, formNames } };
  });
}

/** Generates histories of euros and two coins, with gifts, transfers and fees in any of them. */
export function euroHistories(stepsMax: number): fc.Arbitrary<Drawn> {
  const ofEuros = fc.tuple(step, fc.constantFrom(...euroKinds)).map(([drawn, kind]): Step => {
    const dice = kind === 'currency' ? drawn.dice : 3 + 4 * (drawn.dice % 3);
    return { ...drawn, kind, dice, asset: drawn.asset % 2, gap: Math.min(drawn.gap, 40) };
  });
  return fc
    .record({ steps: fc.array(ofEuros, { minLength: 1, maxLength: stepsMax, size: 'max' }), rules })
    .map(({ steps, rules: elected }) => ({ history: historyOf(330, steps), rules: elected }));
}

const euroKinds: readonly StepKind[] = ['currency', 'currency', 'currency', 'buy', 'sell', 'swap_coins', 'reversal'];
