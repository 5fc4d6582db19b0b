import { merge, rename, returnCapital, spinOff, split } from './action-steps.ts';
import type { Step, StepKind } from './generate.ts';
import { accountOf, coinOf, money, securityOf, type Telling, tell } from './history.ts';
import { closeOption, contract, exerciseOrAssign, expire, mark, openOption, shortContract } from './option-steps.ts';
import { acquire, buy, cover, exchange, reversal, sell, shortSell } from './trade-steps.ts';
import { depositAndWithdrawal, give, letGo, reportedSale, transfer } from './transfer-steps.ts';

/** The rows of one step. A step that makes no sense where it stands (nothing held) tells nothing. */
export function rowsOf(telling: Telling, step: Step): void {
  teller[step.kind](telling, step);
}

type Teller = (telling: Telling, step: Step) => void;

const teller: Record<StepKind, Teller> = {
  buy: (telling, step) => buy(telling, step, 'buy'),
  sell: (telling, step) => sell(telling, step, false),
  sell_named: (telling, step) => sell(telling, step, true),
  round_trip: (telling, step) => {
    buy(telling, step, 'buy');
    sell(telling, { ...step, price: step.price - Math.min(step.price - 1, 100) }, false);
  },
  reinvest: (telling, step) => buy(telling, step, 'reinvest'),
  cash_income: (telling, step) => {
    const type = (['dividend', 'interest', 'withholding', 'capital_gain_distribution', 'other_income'] as const)[
      step.other % 5
    ];
    tell(telling, {
      type: type ?? 'dividend',
      account: accountOf(step.account),
      amount: money(step.price * 3, step.subCents),
    });
  },
  fund_distribution: (telling, step) => {
    const asset = telling.names.get('FND') ?? 'FND';
    const amount = money(step.price * 3, step.subCents);
    tell(telling, {
      type: 'capital_gain_distribution',
      account: accountOf(step.account),
      asset,
      assetClass: 'fund',
      amount,
    });
  },
  income_in_kind: (telling, step) => {
    const types = ['staking', 'mining', 'airdrop', 'reward', 'wages', 'interest'] as const;
    acquire(
      telling,
      step,
      types[step.other] ?? 'staking',
      step.other === 4 ? securityOf(telling, step) : coinOf(step.asset),
    );
  },
  short_sell: shortSell,
  cover: (telling, step) => cover(telling, step, false),
  deliver_to_short: (telling, step) => cover(telling, step, true),
  split: (telling, step) => split(telling, step, 'everywhere'),
  split_one_account: (telling, step) => split(telling, step, 'one account'),
  split_in_shares: (telling, step) => split(telling, step, 'shares'),
  reverse_split_with_cash: (telling, step) => split(telling, step, 'with cash'),
  transfer,
  deposit_and_withdrawal: depositAndWithdrawal,
  gift_in: (telling, step) => give(telling, step, 'gift_in'),
  gift_out: (telling, step) => letGo(telling, step, 'gift_out'),
  donate_or_lose: (telling, step) => letGo(telling, step, step.dice % 2 === 0 ? 'donate' : 'lost'),
  inherit: (telling, step) => give(telling, step, 'inherit'),
  opening_lot: (telling, step) => give(telling, step, 'opening_lot'),
  return_of_capital: returnCapital,
  spinoff: spinOff,
  rename,
  merger: (telling, step) => merge(telling, step, false),
  merger_with_boot: (telling, step) => merge(telling, step, true),
  worthless: (telling, step) => letGo(telling, step, 'worthless'),
  reported_sale: reportedSale,
  open_call: (telling, step) => openOption(telling, step, 'buy_to_open', 'call'),
  open_put: (telling, step) => openOption(telling, step, 'buy_to_open', 'put'),
  write_call: (telling, step) => openOption(telling, step, 'sell_to_open', 'call'),
  write_put: (telling, step) => openOption(telling, step, 'sell_to_open', 'put'),
  close_option: closeOption,
  expire,
  exercise_or_assign: exerciseOrAssign,
  trade: (telling, step) => exchange(telling, step, ...exchangedOf(telling, step)),
  swap_coins: (telling, step) => exchange(telling, step, coinOf(step.asset), coinOf(step.other)),
  spend: (telling, step) => letGo(telling, step, step.dice % 3 === 0 ? 'fee' : 'spend'),
  contract,
  short_contract: shortContract,
  mark,
  reversal,
};

/** A security for another of its class; a tokenized one for a coin, either way. */
function exchangedOf(telling: Telling, step: Step): [Asset, Asset] {
  const given = securityOf(telling, step);
  if (given.assetClass !== 'tokenized_security') return [given, { asset: 'EXC', assetClass: given.assetClass }];
  const coin: Asset = { asset: 'ETH', assetClass: 'crypto' };
  return step.dice % 2 === 0 ? [given, coin] : [coin, given];
}

type Asset = ReturnType<typeof securityOf>;
