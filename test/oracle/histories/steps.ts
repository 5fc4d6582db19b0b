import type { TransactionType } from '../../../src/engine/model.ts';
import { lowerBasis, merge, rename, spinOff, split } from './action-steps.ts';
import { currency } from './currency-steps.ts';
import { opportunityFund } from './fund-steps.ts';
import type { Step } from './generate.ts';
import { accountOf, addRow, coinOf, money, type Scenario, securityOf } from './history.ts';
import {
  closeOption,
  contract,
  exerciseOrAssign,
  expire,
  indexOption,
  mark,
  openOption,
  shortContract,
} from './option-steps.ts';
import { type StepKind, typesOf } from './step-kinds.ts';
import { acquire, buy, cover, exchange, planPurchase, reversal, sell, shortSell } from './trade-steps.ts';
import { depositAndWithdrawal, give, letGo, reportedSale, transfer } from './transfer-steps.ts';

/**
 * Returns the rows for one step. A step that makes no sense at that time, such as one without a holding, adds no row.
 */
export function rowsOf(scenario: Scenario, step: Step): void {
  rowsOfKind[step.kind](scenario, step);
}

type RowsOfKind = (scenario: Scenario, step: Step) => void;

const rowsOfKind: Record<StepKind, RowsOfKind> = {
  buy: (scenario, step) => buy(scenario, step, 'buy'),
  sell: (scenario, step) => sell(scenario, step, false),
  sell_named: (scenario, step) => sell(scenario, step, true),
  round_trip: (scenario, step) => {
    buy(scenario, step, 'buy');
    sell(scenario, { ...step, price: step.price - Math.min(step.price - 1, 100) }, false);
  },
  reinvest: (scenario, step) => buy(scenario, step, 'reinvest'),
  plan_purchase: planPurchase,
  cash_income: (scenario, step) => {
    // A short seller pays the dividend, and sometimes the payment is reversed.
    const of = securityOf(scenario, step);
    const account = accountOf(step.account % 3);
    if ((scenario.shorted.has(`${account} ${of.asset}`) || step.dice === 9) && step.dice > 4) {
      const paid = money(step.price * (step.part === 1 ? 20 : 1), step.subCents);
      const amount = (step.other === 0 ? paid : -paid) as typeof paid;
      const type = step.dice % 2 === 0 ? ('dividend' as const) : ('other_income' as const);
      addRow(scenario, { type, account, ...of, amount });
      return;
    }
    const type = typeOf('cash_income', step);
    const ofBond = { asset: scenario.names.get('BND') ?? 'BND', assetClass: 'bond' } as const;
    addRow(scenario, {
      type,
      account: accountOf(step.account),
      ...(type === 'interest' && step.dice % 2 === 0 ? ofBond : {}),
      amount: money(step.price * 3, step.subCents),
    });
  },
  currency,
  currency_gain: (scenario, step) => {
    const amount = money((step.price - 1500) * 3, step.subCents);
    addRow(scenario, { type: 'currency_gain', account: accountOf(step.account), amount });
  },
  fund_distribution: (scenario, step) => {
    // A REIT is stock.
    const assetClass = step.dice % 4 === 0 ? 'stock' : 'fund';
    const first = assetClass === 'fund' ? 'FND' : 'AAA';
    const asset = scenario.names.get(first) ?? first;
    const amount = money(step.price * 3, step.subCents);
    addRow(scenario, {
      type: 'capital_gain_distribution',
      account: accountOf(step.account),
      asset,
      assetClass,
      amount,
    });
  },
  income_in_kind: (scenario, step) => {
    const type = typeOf('income_in_kind', step);
    acquire(scenario, step, type, type === 'wages' ? securityOf(scenario, step) : coinOf(step.asset));
  },
  short_sell: shortSell,
  cover: (scenario, step) => cover(scenario, step, false),
  deliver_to_short: (scenario, step) => cover(scenario, step, true),
  split: (scenario, step) => split(scenario, step, 'everywhere'),
  split_one_account: (scenario, step) => split(scenario, step, 'one account'),
  split_in_shares: (scenario, step) => split(scenario, step, 'shares'),
  reverse_split_with_cash: (scenario, step) => split(scenario, step, 'with cash'),
  transfer,
  deposit_and_withdrawal: depositAndWithdrawal,
  gift_in: (scenario, step) => give(scenario, step, 'gift_in'),
  gift_out: (scenario, step) => letGo(scenario, step, 'gift_out'),
  donate_or_lose: (scenario, step) => letGo(scenario, step, step.dice % 2 === 0 ? 'donate' : 'lost'),
  inherit: (scenario, step) => give(scenario, step, 'inherit'),
  opening_lot: (scenario, step) => give(scenario, step, 'opening_lot'),
  return_of_capital: (scenario, step) => lowerBasis(scenario, step, 'return_of_capital'),
  bond_amortization: (scenario, step) =>
    lowerBasis(scenario, step, step.dice % 3 === 0 ? 'original_issue_discount' : 'bond_amortization'),
  spinoff: spinOff,
  rename,
  merger: (scenario, step) => merge(scenario, step, false),
  merger_with_boot: (scenario, step) => merge(scenario, step, true),
  worthless: (scenario, step) => letGo(scenario, step, 'worthless'),
  reported_sale: reportedSale,
  open_call: (scenario, step) => openOption(scenario, step, 'buy_to_open', 'call'),
  open_put: (scenario, step) => openOption(scenario, step, 'buy_to_open', 'put'),
  write_call: (scenario, step) => openOption(scenario, step, 'sell_to_open', 'call'),
  write_put: (scenario, step) => openOption(scenario, step, 'sell_to_open', 'put'),
  close_option: closeOption,
  expire,
  exercise_or_assign: exerciseOrAssign,
  trade: (scenario, step) => exchange(scenario, step, ...exchangedOf(scenario, step)),
  swap_coins: (scenario, step) => exchange(scenario, step, coinOf(step.asset), coinOf(step.other)),
  spend: (scenario, step) => letGo(scenario, step, step.dice % 3 === 0 ? 'fee' : 'spend'),
  contract,
  short_contract: shortContract,
  index_option: indexOption,
  mark,
  opportunity_fund: opportunityFund,
  reversal,
};

/** Returns one of the types that the kind writes. */
function typeOf(kind: StepKind, step: Step): TransactionType {
  const types = typesOf(kind);
  const type = types[step.other % types.length];
  if (type === undefined) throw new Error(`No type is written by ${kind}.`);
  return type;
}

/** Exchanges a security for another of its class, or a tokenized security and a coin in either direction. */
function exchangedOf(scenario: Scenario, step: Step): [Asset, Asset] {
  const given = securityOf(scenario, step);
  if (given.assetClass !== 'tokenized_security') return [given, { asset: 'EXC', assetClass: given.assetClass }];
  const coin: Asset = { asset: 'ETH', assetClass: 'crypto' };
  return step.dice % 2 === 0 ? [given, coin] : [coin, given];
}

type Asset = ReturnType<typeof securityOf>;
