import { addDays, type Day, dayOf, formatDay } from '../../../src/base/day.ts';
import type { Step } from './generate.ts';
import { accountOf, add, addRow, heldIn, money, oneUnit, partOf, quantity, type Scenario } from './history.ts';

const endOf2026 = dayOf(2026, 12, 31) ?? (0 as Day);

/**
 * Invests a gain in an opportunity fund, sells or gives away a part of it, or states its value on the day of the
 * inclusion.
 */
export function opportunityFund(scenario: Scenario, step: Step): void {
  const account = accountOf(step.account);
  const of = { asset: 'QOF', assetClass: 'stock' } as const;
  const held = heldIn(scenario, account, of.asset);
  if (held <= 0n || step.dice % 4 === 0) {
    invest(scenario, step, account);
    return;
  }
  const fmv = step.dice === 11 ? null : money(step.price * 8, step.subCents);
  if (step.dice % 4 === 1) {
    const on = dueDay(scenario, step);
    addRow(scenario, { type: 'mark', account: step.part === 9 ? '' : account, ...of, on, at: null, fmv });
    return;
  }
  const units = partOf(held, step);
  if (units <= 0n) return;
  if (step.dice % 4 === 2) addRow(scenario, { type: 'sell', account, ...of, quantity: quantity(units), amount: fmv });
  else addRow(scenario, { type: 'gift_out', account, ...of, quantity: quantity(units), fmv });
  add(scenario, account, of.asset, -units);
}

/** Returns the end of 2026, or five years after one of the later investments. */
function dueDay({ rows }: Scenario, step: Step): Day {
  const days = rows.flatMap(({ type, on }) => {
    if (type !== 'defer_gain') return [];
    const [year, month, day] = formatDay(on).split('-').map(Number) as [number, number, number];
    return [on <= endOf2026 ? endOf2026 : (dayOf(year + 5, month, day) ?? (dayOf(year + 5, 3, 1) as Day))];
  });
  return days[step.quantity % days.length] ?? endOf2026;
}

function invest(scenario: Scenario, step: Step, account: string): void {
  const units = BigInt(step.quantity) * oneUnit;
  addRow(scenario, {
    type: 'defer_gain',
    account,
    asset: 'QOF',
    assetClass: 'stock',
    quantity: quantity(units),
    amount: money(step.price * 10, step.subCents),
    // Sometimes this is outside the 180 days.
    acquired: addDays(scenario.on, -step.other * 40),
    term: step.part % 2 === 0 ? 'long' : 'short',
    box: step.part === 9 ? 'I' : null,
  });
  add(scenario, account, 'QOF', units);
}
