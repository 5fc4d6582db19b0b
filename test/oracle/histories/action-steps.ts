import type { Ratio } from '../../../src/engine/model.ts';
import type { Step } from './generate.ts';
import {
  accountOf,
  accounts,
  add,
  addRow,
  heldIn,
  money,
  quantity,
  type Scenario,
  securityOf,
  unitsOf,
} from './history.ts';

const ratios: readonly Ratio[] = [
  { numerator: 2n, denominator: 1n },
  { numerator: 3n, denominator: 2n },
  { numerator: 1n, denominator: 4n },
  { numerator: 3n, denominator: 1n },
];

export function split(
  scenario: Scenario,
  step: Step,
  how: 'everywhere' | 'one account' | 'with cash' | 'shares',
): void {
  const of = securityOf(scenario, step);
  const account = how === 'everywhere' ? '' : accountOf(step.account);
  const ratio = ratios[step.other % 4];
  const held = heldIn(scenario, account, of.asset);
  if (ratio === undefined || (how === 'with cash' && held < 8n * 10n ** 18n)) return;
  if (how === 'shares') {
    addShares(scenario, step, ratio);
    return;
  }
  const cash = how === 'with cash' ? { quantity: quantity(5n * 10n ** 17n), amount: money(step.price) } : {};
  addRow(scenario, { type: 'split', account, ...of, ratio, ...cash });
  for (const one of accounts) {
    if (account !== '' && one !== account) continue;
    const now = heldIn(scenario, one, of.asset);
    add(scenario, one, of.asset, (now * ratio.numerator) / ratio.denominator - now);
    const short = scenario.shorted.get(`${one} ${of.asset}`);
    if (short !== undefined) scenario.shorted.set(`${one} ${of.asset}`, (short * ratio.numerator) / ratio.denominator);
  }
  if (how === 'with cash') add(scenario, account, of.asset, -5n * 10n ** 17n);
}

/**
 * Adds a row for each broker with the units received in its account, some days apart. One broker may state the ratio.
 */
function addShares(scenario: Scenario, step: Step, ratio: Ratio): void {
  const of = securityOf(scenario, step);
  for (const [index, account] of accounts.entries()) {
    const held = heldIn(scenario, account, of.asset);
    const short = scenario.shorted.get(`${account} ${of.asset}`) ?? 0n;
    const before = held > 0n ? held : short;
    const added = (before * ratio.numerator) / ratio.denominator - before;
    if (index === step.dice) addRow(scenario, { type: 'split', account: step.fee > 50 ? '' : account, ...of, ratio });
    if (added === 0n && step.dice !== 11) continue;
    addRow(scenario, { type: 'split', account, ...of, quantity: quantity(added === 0n ? 5n : added) });
    add(scenario, account, of.asset, held > 0n ? added : 0n);
    if (short > 0n) scenario.shorted.set(`${account} ${of.asset}`, (short * ratio.numerator) / ratio.denominator);
  }
}

/** Renames an asset to its one new symbol: AAA becomes AAAX, and so on. */
export function rename(scenario: Scenario, step: Step): void {
  const of = securityOf(scenario, step);
  if (of.asset === 'AAA' || of.asset.endsWith('X')) return;
  const receivedAsset = `${of.asset}X`;
  if (step.dice < 3) {
    // One broker starts to use the new name late or early.
    addRow(scenario, { type: 'rename', account: accountOf(step.account), ...of, receivedAsset });
    return;
  }
  addRow(scenario, { type: 'rename', ...of, receivedAsset });
  become(scenario, of.asset, receivedAsset, { numerator: 1n, denominator: 1n });
}

export function merge(scenario: Scenario, step: Step, withBoot: boolean): void {
  const of = securityOf(scenario, step);
  if (!of.asset.startsWith('BBB')) return;
  const ratio = ratios[step.other % 4];
  if (ratio === undefined) return;
  if (withBoot && step.dice > 8) {
    addRow(scenario, { type: 'merger', ...of, amount: money(step.price * step.quantity, step.subCents) });
    for (const positions of [scenario.held, scenario.shorted])
      for (const account of accounts) positions.delete(`${account} ${of.asset}`);
    return;
  }
  // Sometimes the exchange has a cost, which may exceed the cash.
  const fee = step.fee > 0 && step.other % 2 === 0 ? { fee: money(step.dice === 1 ? step.price * 2 : step.fee) } : {};
  const boot = withBoot ? { amount: money(step.price), fmv: money(step.price * step.quantity), ...fee } : fee;
  const total = accounts.reduce((sum, account) => sum + heldIn(scenario, account, of.asset), 0n);
  // Either the issuer states a ratio, or a statement lists the units received.
  const units = step.dice % 3 === 0 && total > 0n ? quantity((total * ratio.numerator) / ratio.denominator) : null;
  const terms = units === null ? { ratio } : { receivedQuantity: units };
  addRow(scenario, { type: 'merger', ...of, receivedAsset: 'NEW', ...terms, ...boot });
  become(scenario, of.asset, 'NEW', ratio);
}

function become(scenario: Scenario, from: string, to: string, ratio: Ratio): void {
  for (const account of accounts) {
    const units = (heldIn(scenario, account, from) * ratio.numerator) / ratio.denominator;
    scenario.held.delete(`${account} ${from}`);
    add(scenario, account, to, units);
    const short = scenario.shorted.get(`${account} ${from}`);
    scenario.shorted.delete(`${account} ${from}`);
    if (short !== undefined) scenario.shorted.set(`${account} ${to}`, (short * ratio.numerator) / ratio.denominator);
    const shortLabels = scenario.labels.get(`short ${account} ${from}`);
    if (shortLabels !== undefined) scenario.labels.set(`short ${account} ${to}`, shortLabels);
  }
  scenario.labels.set(to, [...(scenario.labels.get(from) ?? []), ...(scenario.labels.get(to) ?? [])]);
  for (const [first, now] of scenario.names) if (now === from) scenario.names.set(first, to);
  if (!scenario.names.has(from)) scenario.names.set(from, to);
}

export function spinOff(scenario: Scenario, step: Step): void {
  const of = securityOf(scenario, step);
  const isOpen = accounts.some(
    (account) => heldIn(scenario, account, of.asset) > 0n || shortIn(scenario, account, of.asset) > 0n,
  );
  if (!isOpen) return;
  const account = step.dice % 3 === 0 ? accountOf(step.account) : '';
  const units = unitsOf(step, 'stock');
  // Some of them are rights without basis.
  const ratio = { numerator: step.dice === 5 ? 0n : BigInt(1 + step.quantity), denominator: 130n };
  addRow(scenario, {
    type: 'spinoff',
    account,
    ...of,
    receivedAsset: `${of.asset}S`,
    receivedQuantity: quantity(units),
    ratio,
  });
  const reached = accounts.filter((one) => account === '' || one === account);
  const [held, owed] = [heldIn, shortIn].map((unitsIn) =>
    reached.reduce((sum, one) => sum + unitsIn(scenario, one, of.asset), 0n),
  );
  for (const one of reached) {
    const short = shortIn(scenario, one, of.asset);
    const total = held !== undefined && held > 0n ? held : owed;
    const key = `${one} ${of.asset}S`;
    // Shorts of a fund stay open: their averages after two spin-offs on one day differ by a cent, which is an open
    // question.
    if (short > 0n && total !== undefined && of.assetClass !== 'fund')
      scenario.shorted.set(key, (scenario.shorted.get(key) ?? 0n) + (short * units) / total);
  }
}

function shortIn(scenario: Scenario, account: string, asset: string): bigint {
  return scenario.shorted.get(`${account} ${asset}`) ?? 0n;
}

/** Applies to any asset, because a file may call anything a bond. */
export function lowerBasis(
  scenario: Scenario,
  step: Step,
  type: 'return_of_capital' | 'bond_amortization' | 'original_issue_discount',
): void {
  const of = securityOf(scenario, step);
  const account = accountOf(step.account);
  const held = heldIn(scenario, account, of.asset);
  if (held <= 0n) return;
  addRow(scenario, {
    type,
    account,
    ...of,
    amount: money(step.price * (1 + step.dice), step.subCents),
  });
}
