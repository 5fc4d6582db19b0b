import { addDays, type Instant } from '../../src/base/day.ts';
import type { AssetClass, Transaction, TransactionType } from '../../src/engine/model.ts';
import { merge, rename, returnCapital, spinOff, split } from './action-steps.ts';
import type { Step, StepKind } from './generate.ts';
import {
  accountOf,
  add,
  chooseLots,
  coinOf,
  costOf,
  heldIn,
  money,
  partOf,
  quantity,
  remember,
  securityOf,
  type Telling,
  tell,
  unitsOf,
} from './history.ts';
import { closeOption, contract, exerciseOrAssign, expire, mark, openOption } from './option-steps.ts';

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
  trade: (telling, step) => exchange(telling, step, securityOf(telling, step), { asset: 'EXC', assetClass: 'stock' }),
  swap_coins: (telling, step) => exchange(telling, step, coinOf(step.asset), coinOf(step.other)),
  spend: (telling, step) => letGo(telling, step, step.dice % 3 === 0 ? 'fee' : 'spend'),
  contract,
  mark,
  reversal,
};

/** Securities three times in four, else a coin. */
function assetOf(telling: Telling, step: Step): { asset: string; assetClass: AssetClass } {
  return step.dice % 4 === 3 ? coinOf(step.asset) : securityOf(telling, step);
}

function buy(telling: Telling, step: Step, type: TransactionType): void {
  acquire(telling, step, type, assetOf(telling, step));
}

/** Now and then a file does not say what was paid. */
function isUntold(step: Step): boolean {
  return step.subCents > 700;
}

function acquire(
  telling: Telling,
  step: Step,
  type: TransactionType,
  of: { asset: string; assetClass: AssetClass },
): void {
  const units = unitsOf(step, of.assetClass);
  const account = accountOf(step.account);
  const inKind = type === 'buy' && of.assetClass === 'crypto' && step.fee > 0 && step.other === 5;
  const fee = step.fee === 0 ? null : money(step.fee);
  const row = tell(telling, {
    type,
    account,
    ...of,
    quantity: quantity(units),
    amount: isUntold(step) ? null : costOf(units, step),
    fee,
    ...(inKind ? { feeAsset: 'SOL', feeQuantity: quantity(10n ** 16n), feeOwn: step.dice > 6 ? money(1) : null } : {}),
  });
  remember(telling, of.asset, row);
  add(telling, account, of.asset, units);
}

function sell(telling: Telling, step: Step, named: boolean): void {
  const of = assetOf(telling, step);
  const account = accountOf(step.account);
  const units = partOf(heldIn(telling, account, of.asset), step);
  if (units <= 0n) return;
  const late = named && step.dice === 10;
  tell(telling, {
    type: 'sell',
    account,
    ...of,
    quantity: quantity(units),
    amount: isUntold(step) ? null : costOf(units, { ...step, price: step.price + 100 }),
    fee: step.fee === 0 ? null : money(step.fee),
    lots: named ? chooseLots(telling, of.asset, units, step) : [],
    identifiedAt: late ? ((addDays(telling.on, 40) * 86_400_000_000) as Instant) : null,
  });
  add(telling, account, of.asset, -units);
}

function shortSell(telling: Telling, step: Step): void {
  const of = securityOf(telling, step);
  const account = accountOf(step.account % 3);
  const units = unitsOf(step, of.assetClass);
  const fee = step.fee === 0 ? null : money(step.fee);
  const amount = costOf(units, { ...step, price: step.price + 100 });
  const row = tell(telling, { type: 'short_sell', account, ...of, quantity: quantity(units), amount, fee });
  const key = `${account} ${of.asset}`;
  telling.shorted.set(key, (telling.shorted.get(key) ?? 0n) + units);
  remember(telling, `short ${key}`, row);
}

/** Closes what is open: bought for it, or delivered from a named lot of the same account. */
function cover(telling: Telling, step: Step, deliver: boolean): void {
  const of = securityOf(telling, step);
  const account = accountOf(step.account % 3);
  const key = `${account} ${of.asset}`;
  const open = telling.shorted.get(key) ?? 0n;
  const units = partOf(open, step);
  if (units <= 0n) return;
  const short = telling.labels.get(`short ${key}`)?.[0];
  const owned = telling.labels.get(of.asset)?.[step.other];
  const held = heldIn(telling, account, of.asset);
  const delivers = deliver && short !== undefined && owned !== undefined && held >= units && units <= open;
  const lots = delivers
    ? [
        { label: short, quantity: quantity(units) },
        { label: owned, quantity: quantity(units) },
      ]
    : [];
  const amount = delivers ? money(0) : costOf(units, step);
  tell(telling, { type: 'cover', account, ...of, quantity: quantity(units), amount, lots });
  telling.shorted.set(key, open > units ? open - units : 0n);
  if (delivers) add(telling, account, of.asset, -units);
}

function transfer(telling: Telling, step: Step): void {
  const of = assetOf(telling, step);
  const account = accountOf(step.account % 3);
  const toAccount = accountOf(step.other % 3);
  const units = partOf(heldIn(telling, account, of.asset), step);
  if (units <= 1000n || account === toAccount) return;
  const network = of.assetClass === 'crypto' && step.fee > 0 ? units / 100n : 0n;
  tell(telling, {
    type: 'transfer',
    account,
    toAccount,
    ...of,
    quantity: quantity(units - network),
    lots: step.dice === 7 ? chooseLots(telling, of.asset, units - network, step) : [],
    ...(network > 0n ? { feeAsset: of.asset, feeQuantity: quantity(network), fee: money(step.fee) } : {}),
  });
  add(telling, account, of.asset, -units);
  add(telling, toAccount, of.asset, units - network);
}

function depositAndWithdrawal(telling: Telling, step: Step): void {
  const of = coinOf(step.asset);
  const from = accountOf(step.account % 2);
  const to = accountOf(1 - (step.account % 2));
  const units = partOf(heldIn(telling, from, of.asset), step);
  if (units <= 0n || step.part === 9) return;
  tell(telling, { type: 'withdrawal', account: from, ...of, quantity: quantity(units) });
  add(telling, from, of.asset, -units);
  if (step.dice === 0) return;
  telling.file = step.dice;
  tell(telling, { type: 'deposit', account: to, ...of, quantity: quantity(units) });
  add(telling, to, of.asset, units);
}

/** Lots that come with dates of their own. */
function give(telling: Telling, step: Step, type: 'gift_in' | 'inherit' | 'opening_lot'): void {
  const of = assetOf(telling, step);
  const account = accountOf(step.account);
  const units = unitsOf(step, of.assetClass);
  const back = type === 'inherit' ? step.other * 20 : 100 + step.other * 80;
  const basis = type === 'inherit' ? null : costOf(units, step);
  const fmv =
    type === 'opening_lot'
      ? null
      : costOf(units, {
          ...step,
          price: step.price + 150 * (step.dice - 6) > 0 ? step.price + 150 * (step.dice - 6) : 1,
        });
  const row = tell(telling, {
    type,
    account,
    ...of,
    quantity: quantity(units),
    acquired: isUntold(step) ? null : addDays(telling.on, -back),
    basis,
    fmv,
  });
  remember(telling, of.asset, row);
  add(telling, account, of.asset, units);
}

function letGo(
  telling: Telling,
  step: Step,
  type: 'gift_out' | 'donate' | 'lost' | 'worthless' | 'spend' | 'fee',
): void {
  const of = type === 'spend' || type === 'fee' ? coinOf(step.asset) : assetOf(telling, step);
  const account = accountOf(step.account);
  const units = partOf(heldIn(telling, account, of.asset), step);
  if (units <= 0n) return;
  const amount = type === 'spend' || type === 'fee' ? costOf(units, step) : null;
  tell(telling, { type, account, ...of, quantity: quantity(units), amount });
  add(telling, account, of.asset, -units);
}

/** Takes back a trade told before, the latest ones first. */
function reversal(telling: Telling, step: Step): void {
  const told = telling.rows.filter((row) => ['buy', 'reinvest', 'sell', 'buy_to_open'].includes(row.type));
  const row = told.at(-1 - (step.other % 3));
  if (row === undefined || row.amount === null || row.quantity === null || row.amount < 0n) return;
  const { type, account, asset, assetClass, fee } = row;
  const amount = -row.amount as typeof row.amount;
  tell(telling, { type, account, asset, assetClass, quantity: row.quantity, amount, fee });
  if (type !== 'sell') add(telling, account, asset, -row.quantity);
}

function reportedSale(telling: Telling, step: Step): void {
  const row: Partial<Transaction> = {
    account: accountOf(step.account),
    asset: 'RPT',
    quantity: quantity(unitsOf(step, 'stock')),
    amount: money(step.price * 10),
    basis: money(step.price * 12),
    acquired: step.dice === 0 ? null : addDays(telling.on, -100 * step.other),
    wash: step.dice > 8 ? money(step.price) : null,
    term: step.dice === 1 ? 'long' : null,
  };
  tell(telling, { type: 'reported_sale', ...row });
}

/** A taxable exchange, its fee in cash, in a third coin, or withheld from either side. */
function exchange(
  telling: Telling,
  step: Step,
  given: { asset: string; assetClass: AssetClass },
  received: { asset: string; assetClass: AssetClass },
): void {
  const account = accountOf(step.account);
  const units = partOf(heldIn(telling, account, given.asset), step);
  if (units <= 1000n || given.asset === received.asset || given.assetClass !== received.assetClass) return;
  const receivedUnits = unitsOf(step, received.assetClass);
  const feeAssets = ['', given.asset, received.asset, 'SOL'];
  const feeAsset = given.assetClass === 'crypto' && step.fee > 0 ? (feeAssets[step.dice % 4] ?? '') : '';
  const withheld =
    feeAsset === received.asset ? receivedUnits / 50n : feeAsset === given.asset ? units / 50n : 10n ** 16n;
  const amount = costOf(units, { ...step, price: step.price + 100 });
  const row = tell(telling, {
    type: 'trade',
    account,
    ...given,
    quantity: quantity(units),
    receivedAsset: received.asset,
    receivedQuantity: quantity(receivedUnits),
    amount,
    fee: step.fee === 0 ? null : feeAsset === received.asset ? ((amount / 50n) as typeof amount) : money(step.fee),
    ...(feeAsset === '' ? {} : { feeAsset, feeQuantity: quantity(withheld) }),
  });
  remember(telling, received.asset, row);
  add(telling, account, given.asset, -units);
  add(telling, account, received.asset, feeAsset === received.asset ? receivedUnits - withheld : receivedUnits);
  if (feeAsset === 'SOL') add(telling, account, 'SOL', -withheld);
}
