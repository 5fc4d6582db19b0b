import { type TransactionType, transactionTypes } from '../../../src/engine/model.ts';

/**
 * The kinds of steps that write rows of each type, for every type in the engine's table. A new type does not compile
 * until a step writes it, and `histories.test.ts` fails until that step is drawn.
 */
const stepKindsOfType = {
  buy: ['buy', 'round_trip', 'contract', 'reversal', 'currency', 'exercise_or_assign'],
  sell: [
    'sell',
    'sell_named',
    'round_trip',
    'contract',
    'reversal',
    'currency',
    'opportunity_fund',
    'exercise_or_assign',
  ],
  trade: ['trade', 'swap_coins', 'currency'],
  transfer: ['transfer', 'currency'],
  deposit: ['deposit_and_withdrawal', 'currency'],
  withdrawal: ['deposit_and_withdrawal', 'currency'],
  short_sell: ['short_sell', 'short_contract'],
  cover: ['cover', 'deliver_to_short', 'short_contract'],
  buy_to_open: ['open_call', 'open_put', 'reversal', 'index_option'],
  sell_to_open: ['write_call', 'write_put', 'index_option'],
  buy_to_close: ['close_option'],
  sell_to_close: ['close_option'],
  expire: ['expire', 'index_option'],
  exercise: ['exercise_or_assign', 'index_option'],
  assign: ['exercise_or_assign', 'index_option'],
  dividend: ['cash_income'],
  interest: ['cash_income', 'income_in_kind', 'currency', 'reversal'],
  staking: ['income_in_kind', 'reversal'],
  mining: ['income_in_kind', 'reversal'],
  airdrop: ['income_in_kind', 'reversal'],
  reward: ['income_in_kind', 'reversal'],
  wages: ['income_in_kind', 'reversal'],
  other_income: ['cash_income'],
  reinvest: ['reinvest', 'reversal'],
  espp_purchase: ['plan_purchase', 'reversal'],
  withholding: ['cash_income'],
  split: ['split', 'split_one_account', 'split_in_shares', 'reverse_split_with_cash'],
  rename: ['rename'],
  spinoff: ['spinoff'],
  merger: ['merger', 'merger_with_boot'],
  return_of_capital: ['return_of_capital'],
  bond_amortization: ['bond_amortization'],
  original_issue_discount: ['bond_amortization'],
  capital_gain_distribution: ['cash_income', 'fund_distribution'],
  currency_gain: ['currency_gain'],
  mark: ['mark', 'opportunity_fund'],
  reported_sale: ['reported_sale', 'index_option'],
  reported_total: ['cash_income'],
  gift_in: ['gift_in'],
  gift_out: ['gift_out', 'currency', 'opportunity_fund'],
  donate: ['donate_or_lose'],
  lost: ['donate_or_lose'],
  inherit: ['inherit'],
  spend: ['spend', 'currency'],
  fee: ['spend'],
  opening_lot: ['opening_lot', 'currency'],
  defer_gain: ['opportunity_fund'],
  worthless: ['worthless'],
} as const satisfies Readonly<Record<TransactionType, readonly string[]>>;

export type StepKind = (typeof stepKindsOfType)[TransactionType][number];
export const stepKinds: readonly StepKind[] = [...new Set(Object.values(stepKindsOfType).flat())];

/** Returns the types that a step of a kind may write, in the order of the engine's table. */
export function typesOf(kind: StepKind): readonly TransactionType[] {
  return transactionTypes.filter((type) => stepKindsOfType[type].some((one) => one === kind));
}
