import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Day, formatDay } from '../../src/base/day.ts';
import { seedFor } from '../support/seed.ts';
import { allocatedHistories } from './allocated.ts';
import { type Drawn, histories } from './generate.ts';
import { brokerHistories, fundShortHistories, shortHistories } from './narrow.ts';
import { notationOf } from './notation.ts';
import { recompute } from './oracle.ts';
import { pricedForEngine, pricedForOracle, pricesTold } from './prices.ts';
import { losingHistories, tradeHistories } from './trades.ts';
import { replayAll, type View, viewOfEngine, viewOfOracle } from './views.ts';

const runs = Number(process.env.LOTBOOK_AGREEMENT_RUNS ?? 10_000);
const seed = seedFor(`fast engine against oracle, LOTBOOK_AGREEMENT_RUNS=${runs}`);

test(`the fast engine equals the oracle on ${runs} random histories`, () => {
  const agree = fc.property(histories(40), (drawn) => differences(drawn).length === 0);
  const { counterexample } = fc.check(agree, { seed, numRuns: runs });
  const told = counterexample === null ? [] : disagreement(counterexample[0]);
  expect(told.join('\n')).toBe('');
}, 600_000);

const traded = Math.ceil(runs / 4);
test(`the fast engine equals the oracle on ${traded} random histories of trades of any size`, () => {
  const agree = fc.property(tradeHistories(60), (drawn) => differences(drawn).length === 0);
  const { counterexample } = fc.check(agree, { seed, numRuns: traded });
  const told = counterexample === null ? [] : disagreement(counterexample[0]);
  expect(told.join('\n')).toBe('');
}, 600_000);

const shorted = Math.ceil(runs / 10);
test(`the fast engine equals the oracle on ${shorted} random histories of shorts`, () => {
  const agree = fc.property(shortHistories(40), (drawn) => differences(drawn).length === 0);
  const { counterexample } = fc.check(agree, { seed, numRuns: shorted });
  const told = counterexample === null ? [] : disagreement(counterexample[0]);
  expect(told.join('\n')).toBe('');
}, 600_000);

test(`the fast engine equals the oracle on ${shorted} random histories of shorts of a fund`, () => {
  const agree = fc.property(fundShortHistories(40), (drawn) => differences(drawn).length === 0);
  const { counterexample } = fc.check(agree, { seed, numRuns: shorted });
  const told = counterexample === null ? [] : disagreement(counterexample[0]);
  expect(told.join('\n')).toBe('');
}, 600_000);

const allocated = Math.ceil(runs / 10);
test(`the fast engine equals the oracle on ${allocated} random histories whose universal pool was allocated`, () => {
  const agree = fc.property(allocatedHistories(40), (drawn) => differences(drawn).length === 0);
  const { counterexample } = fc.check(agree, { seed, numRuns: allocated });
  const told = counterexample === null ? [] : disagreement(counterexample[0]);
  expect(told.join('\n')).toBe('');
}, 600_000);

const atBrokers = Math.ceil(runs / 10);
test(`the fast engine equals the oracle on ${atBrokers} random histories at brokers that report the basis`, () => {
  const agree = fc.property(brokerHistories(40), (drawn) => differences(drawn).length === 0);
  const { counterexample } = fc.check(agree, { seed, numRuns: atBrokers });
  const told = counterexample === null ? [] : disagreement(counterexample[0]);
  expect(told.join('\n')).toBe('');
}, 600_000);

const losing = Math.ceil(runs / 20);
test(`the fast engine equals the oracle on ${losing} random histories of fractions, mostly sold at a loss`, () => {
  const agree = fc.property(losingHistories(80), (drawn) => differences(drawn).length === 0);
  const { counterexample } = fc.check(agree, { seed, numRuns: losing });
  const told = counterexample === null ? [] : disagreement(counterexample[0]);
  expect(told.join('\n')).toBe('');
}, 600_000);

const stopped = Math.ceil(runs / 4);
test(`stopping on any days, storing the books and going on changes nothing, on ${stopped} random histories`, () => {
  const stopsOf = ({ history }: Drawn, at: readonly number[]): Day[] =>
    [...new Set(at.map((index) => history[index % Math.max(1, history.length)]?.on ?? (0 as Day)))].sort(
      (a, b) => a - b,
    );
  const any = fc.oneof(
    { arbitrary: histories(40), weight: 4 },
    { arbitrary: losingHistories(60), weight: 1 },
    { arbitrary: shortHistories(40), weight: 1 },
    { arbitrary: fundShortHistories(40), weight: 1 },
    { arbitrary: allocatedHistories(40), weight: 1 },
    { arbitrary: brokerHistories(40), weight: 1 },
  );
  const same = fc.property(any, fc.array(fc.nat(40), { maxLength: 3 }), (drawn, at) => {
    const full = replayAll(drawn.history, drawn.rules, []);
    const resumed = replayAll(drawn.history, drawn.rules, stopsOf(drawn, at));
    return textOf(full) === textOf(resumed);
  });
  const { counterexample } = fc.check(same, { seed, numRuns: stopped });
  const told =
    counterexample === null
      ? []
      : [
          '',
          `stops after ${stopsOf(counterexample[0], counterexample[1]).map(formatDay).join(', ')}`,
          ...notationOf(counterexample[0].history, counterexample[0].rules),
        ];
  expect(told.join('\n')).toBe('');
}, 600_000);

function textOf({ facts, lots }: ReturnType<typeof replayAll>): string {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? `${member}` : member));
  return [...facts.map(text), ...lots.map(text)].sort().join('\n');
}

/** The smallest history that the two engines read differently, and what each makes of it. */
function disagreement(drawn: Drawn): string[] {
  return ['', ...notationOf(drawn.history, drawn.rules), ...pricesTold(drawn.history), ...differences(drawn)];
}

function differences({ history, rules }: Drawn): string[] {
  const engine = viewOfEngine(pricedForEngine(history), rules);
  const oracle = viewOfOracle(recompute(pricedForOracle(history), rules), rules);
  const parts: readonly (keyof View)[] = ['lines', 'lots', 'years', 'issues'];
  return parts.flatMap((part) => [
    ...engine[part].filter((line) => !oracle[part].includes(line)).map((line) => `engine ${part}: ${line}`),
    ...oracle[part].filter((line) => !engine[part].includes(line)).map((line) => `oracle ${part}: ${line}`),
  ]);
}
