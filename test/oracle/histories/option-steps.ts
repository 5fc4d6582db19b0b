import { addDays, type Day, parseDay, toInstant } from '../../../src/base/day.ts';
import type { AssetClass, Transaction } from '../../../src/engine/model.ts';
import type { Step } from './generate.ts';
import {
  accountOf,
  add,
  addRow,
  call,
  heldIn,
  money,
  oneUnit,
  partOf,
  put,
  quantity,
  remember,
  type Scenario,
} from './history.ts';
import { isAmountMissing } from './trade-steps.ts';

const optionClass: AssetClass = 'option';

/** Calls and puts on AAA, one to three contracts of 100. */
export function openOption(
  scenario: Scenario,
  step: Step,
  type: 'buy_to_open' | 'sell_to_open',
  right: 'call' | 'put',
): void {
  const asset = right === 'call' ? call : put;
  const account = accountOf(step.account % 3);
  const units = BigInt(1 + (step.quantity % 3)) * oneUnit;
  const fee = step.fee === 0 ? null : money(step.fee);
  const amount = isAmountMissing(step) ? null : money(step.price * 10);
  // Minis and contracts adjusted by a split cover another number of shares than a hundred.
  const terms = step.dice === 5 ? { shares: quantity(10n * oneUnit) } : {};
  const row = addRow(scenario, {
    type,
    account,
    asset,
    assetClass: optionClass,
    quantity: quantity(units),
    amount,
    fee,
    ...terms,
  });
  if (type === 'buy_to_open') {
    remember(scenario, asset, row);
    add(scenario, account, asset, units);
  } else {
    const key = `${account} ${asset}`;
    scenario.shorted.set(key, (scenario.shorted.get(key) ?? 0n) + units);
  }
}

function position(scenario: Scenario, step: Step): { account: string; asset: string; held: bigint; written: bigint } {
  const account = accountOf(step.account % 3);
  const asset = step.dice % 2 === 0 ? call : put;
  const written = scenario.shorted.get(`${account} ${asset}`) ?? 0n;
  return { account, asset, held: heldIn(scenario, account, asset), written };
}

export function closeOption(scenario: Scenario, step: Step): void {
  const { account, asset, held, written } = position(scenario, step);
  const amount = isAmountMissing(step) ? null : money(step.price * 9);
  if (held > 0n) {
    const units = partOf(held, step);
    addRow(scenario, {
      type: 'sell_to_close',
      account,
      asset,
      assetClass: optionClass,
      quantity: quantity(units),
      amount,
    });
    add(scenario, account, asset, -units);
    return;
  }
  if (written <= 0n) return;
  const units = step.part === 9 ? written : partOf(written, step);
  addRow(scenario, {
    type: 'buy_to_close',
    account,
    asset,
    assetClass: optionClass,
    quantity: quantity(units),
    amount,
  });
  scenario.shorted.set(`${account} ${asset}`, written - units);
}

export function expire(scenario: Scenario, step: Step): void {
  const { account, asset, held, written } = position(scenario, step);
  const units = held > 0n ? held : written;
  if (units <= 0n) return;
  const amount = step.other === 5 ? money(step.price) : null;
  const row = { account, asset, assetClass: optionClass, quantity: quantity(units), amount };
  addRow(scenario, { type: 'expire', ...row, ...lateDay(step) });
  if (held > 0n) scenario.held.delete(`${account} ${asset}`);
  else scenario.shorted.delete(`${account} ${asset}`);
}

/** Adds the shares of an option as a separate row, possibly only some of them, and up to some days before or after. */
function tradeAtStrike(
  scenario: Scenario,
  step: Step,
  trade: { readonly account: string; readonly type: 'buy' | 'sell' },
): void {
  const shares = step.part % 2 === 0 ? 100n : 50n;
  const fee = step.part % 3 === 0 ? 1 : 0;
  const amount = money(Number(shares) * 2000 + (trade.type === 'buy' ? fee : -fee));
  const on = addDays(scenario.on, (step.price % 7) - 3);
  addRow(scenario, {
    ...trade,
    asset: 'AAA',
    assetClass: 'stock',
    quantity: quantity(shares * oneUnit),
    amount,
    on,
    at: null,
  });
  add(scenario, trade.account, 'AAA', trade.type === 'buy' ? shares * oneUnit : -shares * oneUnit);
}

/** Sometimes the end is recorded some days after the expiration, up to two days later than the engine accepts. */
function lateDay({ price, time }: Step): Partial<Transaction> {
  if (price % 5 !== 1) return {};
  const on = addDays(parseDay(call.split(' ')[1] ?? '') as Day, 1 + (price % 9));
  return { on, at: time === null ? null : toInstant(on, time * 1_000_000, 'UTC') };
}

export function exerciseOrAssign(scenario: Scenario, step: Step): void {
  const { account, asset, held, written } = position(scenario, step);
  const contracts = held > 0n ? oneUnit : written > 0n ? oneUnit : 0n;
  if (contracts <= 0n) return;
  const type = held > 0n ? 'exercise' : 'assign';
  const shares = contracts * 100n;
  const terms = { amount: isAmountMissing(step) ? null : money(200_000), shares: quantity(shares), underlying: 'AAA' };
  const row = { account, asset, assetClass: optionClass, quantity: quantity(contracts) };
  addRow(scenario, { type, ...row, ...terms, ...lateDay(step) });
  if (held > 0n) add(scenario, account, asset, -contracts);
  else scenario.shorted.set(`${account} ${asset}`, written - contracts);
  const buys = (type === 'exercise') === (asset === call);
  if (step.quantity % 3 === 0) tradeAtStrike(scenario, step, { account, type: buys ? 'buy' : 'sell' });
  const short = `${account} AAA`;
  const open = scenario.shorted.get(short) ?? 0n;
  // Delivered stock that is not held becomes a short, and stock that was short is delivered.
  const owed = open + shares * (buys ? -1n : 1n) - (buys ? 0n : heldIn(scenario, account, 'AAA'));
  scenario.shorted.set(short, owed > 0n ? owed : 0n);
  add(scenario, account, 'AAA', buys ? shares : -shares);
}

/**
 * Opens a long or written option on an index, then exercises, assigns or expires it for cash, or reports it on a form.
 * Sometimes more contracts end than are open, and the cash is not stated.
 */
export function indexOption(scenario: Scenario, step: Step): void {
  const account = accountOf(step.account % 4);
  const of = step.other < 4 ? indexPut : indexCall;
  const key = `${account} ${of.asset}`;
  const held = heldIn(scenario, account, of.asset);
  const written = scenario.shorted.get(key) ?? 0n;
  const units = BigInt(1 + (step.quantity % 3)) * oneUnit;
  const fee = step.fee === 0 ? null : money(step.fee);
  const row = { account, ...of, quantity: quantity(units), fee };
  const cash = isAmountMissing(step) ? null : money(step.price * 70);
  if (step.part === 3) {
    const basis = step.dice === 7 ? null : money(step.price * 60);
    addRow(scenario, { ...row, type: 'reported_sale', amount: money(step.price * 65), basis });
    return;
  }
  if (held + written <= 0n || step.dice % 3 === 0) {
    const type = written > 0n || (held <= 0n && step.dice % 2 === 0) ? 'sell_to_open' : 'buy_to_open';
    addRow(scenario, { ...row, type, amount: money(step.price * 50) });
    if (type === 'buy_to_open') add(scenario, account, of.asset, units);
    else scenario.shorted.set(key, written + units);
    return;
  }
  const type = step.dice % 3 === 1 ? 'expire' : held > 0n ? 'exercise' : 'assign';
  addRow(scenario, { ...row, type, amount: cash });
  if (held > 0n) add(scenario, account, of.asset, -units);
  else scenario.shorted.set(key, written - units);
}

const indexPut = { asset: 'SPXW 2027-01-15 P 5000', assetClass: 'section_1256' } as const;
const indexCall = { asset: 'NDX 2024-09-20 C 20000', assetClass: 'section_1256' } as const;

/** Buys or sells section 1256 contracts and futures, including in an IRA. */
export function contract(scenario: Scenario, step: Step): void {
  const { account, of, held } = contractOf(scenario, step);
  const buying = held === 0n || step.dice % 2 === 0;
  const units = buying ? BigInt(1 + (step.quantity % 5)) * oneUnit : partOf(held, { ...step, part: step.part % 9 });
  const amount = money(step.price * 50);
  const fee = step.fee === 0 ? null : money(step.fee);
  addRow(scenario, { type: buying ? 'buy' : 'sell', account, ...of, quantity: quantity(units), amount, fee });
  add(scenario, account, of.asset, buying ? units : -units);
}

/** Sells a contract first, or buys it to close. */
export function shortContract(scenario: Scenario, step: Step): void {
  const { account, of } = contractOf(scenario, step);
  const key = `${account} ${of.asset}`;
  const open = scenario.shorted.get(key) ?? 0n;
  const opening = open === 0n || step.dice % 3 === 0;
  const units = opening ? BigInt(1 + (step.quantity % 5)) * oneUnit : partOf(open, { ...step, part: step.part % 9 });
  const type = opening ? 'short_sell' : 'cover';
  addRow(scenario, { type, account, ...of, quantity: quantity(units), amount: money(step.price * 55) });
  scenario.shorted.set(key, opening ? open + units : open - units);
}

export function mark(scenario: Scenario, step: Step): void {
  const { account, of, held } = contractOf(scenario, step);
  if (held <= 0n && (scenario.shorted.get(`${account} ${of.asset}`) ?? 0n) <= 0n) return;
  const fmv = isAmountMissing(step) ? null : money(step.price * 60);
  const units = held > 0n ? quantity(held) : null;
  addRow(scenario, { type: 'mark', account: step.part === 9 ? '' : account, ...of, quantity: units, fmv });
}

function contractOf(
  scenario: Scenario,
  step: Step,
): { account: string; of: { asset: string; assetClass: AssetClass }; held: bigint } {
  const account = accountOf(step.account === 2 ? 3 : step.account % 2);
  // Options on an index are marked to market, too.
  const ofIndex = step.kind === 'mark' && step.other % 2 === 1 ? indexPut : contractOnIndex;
  const of = step.asset === 3 ? ({ asset: 'CL', assetClass: 'future' } as const) : ofIndex;
  return { account, of, held: heldIn(scenario, account, of.asset) };
}

const contractOnIndex = { asset: 'ES', assetClass: 'section_1256' } as const;
