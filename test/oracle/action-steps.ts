import type { Ratio } from '../../src/engine/model.ts';
import type { Step } from './generate.ts';
import {
  accountOf,
  accounts,
  add,
  heldIn,
  money,
  quantity,
  securityOf,
  type Telling,
  tell,
  unitsOf,
} from './history.ts';

const ratios: readonly Ratio[] = [
  { numerator: 2n, denominator: 1n },
  { numerator: 3n, denominator: 2n },
  { numerator: 1n, denominator: 4n },
  { numerator: 3n, denominator: 1n },
];

export function split(telling: Telling, step: Step, how: 'everywhere' | 'one account' | 'with cash' | 'shares'): void {
  const of = securityOf(telling, step);
  const account = how === 'everywhere' ? '' : accountOf(step.account);
  const ratio = ratios[step.other % 4];
  const held = heldIn(telling, account, of.asset);
  if (ratio === undefined || (how === 'with cash' && held < 8n * 10n ** 18n)) return;
  if (how === 'shares') {
    addShares(telling, step, ratio);
    return;
  }
  const cash = how === 'with cash' ? { quantity: quantity(5n * 10n ** 17n), amount: money(step.price) } : {};
  tell(telling, { type: 'split', account, ...of, ratio, ...cash });
  for (const one of accounts) {
    if (account !== '' && one !== account) continue;
    const now = heldIn(telling, one, of.asset);
    add(telling, one, of.asset, (now * ratio.numerator) / ratio.denominator - now);
    const short = telling.shorted.get(`${one} ${of.asset}`);
    if (short !== undefined) telling.shorted.set(`${one} ${of.asset}`, (short * ratio.numerator) / ratio.denominator);
  }
  if (how === 'with cash') add(telling, account, of.asset, -5n * 10n ** 17n);
}

/** Each broker tells what came into its account; some days pass between them, and one may tell the ratio. */
function addShares(telling: Telling, step: Step, ratio: Ratio): void {
  const of = securityOf(telling, step);
  for (const [index, account] of accounts.entries()) {
    const held = heldIn(telling, account, of.asset);
    const short = telling.shorted.get(`${account} ${of.asset}`) ?? 0n;
    const before = held > 0n ? held : short;
    const added = (before * ratio.numerator) / ratio.denominator - before;
    if (index === step.dice) tell(telling, { type: 'split', account: step.fee > 50 ? '' : account, ...of, ratio });
    if (added === 0n && step.dice !== 11) continue;
    tell(telling, { type: 'split', account, ...of, quantity: quantity(added === 0n ? 5n : added) });
    add(telling, account, of.asset, held > 0n ? added : 0n);
    if (short > 0n) telling.shorted.set(`${account} ${of.asset}`, (short * ratio.numerator) / ratio.denominator);
  }
}

/** One new symbol an asset: AAA becomes AAAX, and so on. */
export function rename(telling: Telling, step: Step): void {
  const of = securityOf(telling, step);
  if (of.asset === 'AAA' || of.asset.endsWith('X')) return;
  const receivedAsset = `${of.asset}X`;
  if (step.dice < 3) {
    // One broker is late, or early, with the new name.
    tell(telling, { type: 'rename', account: accountOf(step.account), ...of, receivedAsset });
    return;
  }
  tell(telling, { type: 'rename', ...of, receivedAsset });
  become(telling, of.asset, receivedAsset, { numerator: 1n, denominator: 1n });
}

export function merge(telling: Telling, step: Step, withBoot: boolean): void {
  const of = securityOf(telling, step);
  if (!of.asset.startsWith('BBB')) return;
  const ratio = ratios[step.other % 4];
  if (ratio === undefined) return;
  if (withBoot && step.dice > 8) {
    tell(telling, { type: 'merger', ...of, amount: money(step.price * step.quantity, step.subCents) });
    for (const account of accounts) telling.held.delete(`${account} ${of.asset}`);
    return;
  }
  const boot = withBoot ? { amount: money(step.price), fmv: money(step.price * step.quantity) } : {};
  const total = accounts.reduce((sum, account) => sum + heldIn(telling, account, of.asset), 0n);
  // The issuer tells a ratio, or a statement the units that came of it.
  const units = step.dice % 3 === 0 && total > 0n ? quantity((total * ratio.numerator) / ratio.denominator) : null;
  const told = units === null ? { ratio } : { receivedQuantity: units };
  tell(telling, { type: 'merger', ...of, receivedAsset: 'NEW', ...told, ...boot });
  become(telling, of.asset, 'NEW', ratio);
}

function become(telling: Telling, from: string, to: string, ratio: Ratio): void {
  for (const account of accounts) {
    const units = (heldIn(telling, account, from) * ratio.numerator) / ratio.denominator;
    telling.held.delete(`${account} ${from}`);
    add(telling, account, to, units);
    const short = telling.shorted.get(`${account} ${from}`);
    telling.shorted.delete(`${account} ${from}`);
    if (short !== undefined) telling.shorted.set(`${account} ${to}`, (short * ratio.numerator) / ratio.denominator);
    const shortLabels = telling.labels.get(`short ${account} ${from}`);
    if (shortLabels !== undefined) telling.labels.set(`short ${account} ${to}`, shortLabels);
  }
  telling.labels.set(to, [...(telling.labels.get(from) ?? []), ...(telling.labels.get(to) ?? [])]);
  for (const [first, now] of telling.names) if (now === from) telling.names.set(first, to);
  if (!telling.names.has(from)) telling.names.set(from, to);
}

export function spinOff(telling: Telling, step: Step): void {
  const of = securityOf(telling, step);
  if (!accounts.some((account) => heldIn(telling, account, of.asset) > 0n)) return;
  const account = step.dice % 3 === 0 ? accountOf(step.account) : '';
  const units = unitsOf(step, 'stock');
  const ratio = { numerator: BigInt(1 + step.quantity), denominator: 130n };
  tell(telling, {
    type: 'spinoff',
    account,
    ...of,
    receivedAsset: `${of.asset}S`,
    receivedQuantity: quantity(units),
    ratio,
  });
}

export function returnCapital(telling: Telling, step: Step): void {
  const of = securityOf(telling, step);
  const account = accountOf(step.account);
  const held = heldIn(telling, account, of.asset);
  if (held <= 0n) return;
  tell(telling, {
    type: 'return_of_capital',
    account,
    ...of,
    amount: money(step.price * (1 + step.dice), step.subCents),
  });
}
