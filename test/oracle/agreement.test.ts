import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Day, formatDay } from '../../src/base/day.ts';
import { findFormNames } from '../../src/engine/events/form-names.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';
import { allocatedHistories } from './histories/allocated.ts';
import { type Drawn, histories } from './histories/generate.ts';
import {
  brokerHistories,
  coveredCallHistories,
  euroHistories,
  formHistories,
  fundShortHistories,
  investedHistories,
  mergedShortHistories,
  namedFormHistories,
  optionHistories,
  shortHistories,
} from './histories/narrow.ts';
import { notationOf } from './histories/notation.ts';
import { pricedForEngine, pricedForOracle, priceTexts } from './histories/prices.ts';
import { losingHistories, tradeHistories } from './histories/trades.ts';
import { classedForEngine, classedForOracle, unstatedHistories } from './histories/unstated.ts';
import { recompute } from './oracle.ts';
import { replayAll, type View, viewOfEngine, viewOfOracle } from './views.ts';

const runs = Number(process.env.LOTBOOK_AGREEMENT_RUNS ?? draws(200, 10_000));
const seed = seedFor(`fast engine against oracle, LOTBOOK_AGREEMENT_RUNS=${runs}`);

/** The kinds of random histories, and how many of each to generate per history of the first kind. */
const kinds: readonly (readonly [string, fc.Arbitrary<Drawn>, number])[] = [
  ['histories', histories(40), 1],
  ['histories of trades of any size', tradeHistories(60), 1 / 4],
  ['histories of shorts', shortHistories(40), 1 / 10],
  ['histories of shorts of merged stock', mergedShortHistories(40), 1 / 10],
  ['histories of shorts of a fund', fundShortHistories(40), 1 / 10],
  ['histories of gains invested over many years', investedHistories(25), 1 / 10],
  ['histories whose universal pool was allocated', allocatedHistories(40), 1 / 10],
  ['histories at brokers that report the basis', brokerHistories(40), 1 / 10],
  ['histories of forms that state sales differently', formHistories(40), 1 / 4],
  ['histories of forms that name assets differently', namedFormHistories(40), 1 / 10],
  ['histories of euros and coins', euroHistories(40), 1 / 10],
  ['histories with rows that do not state their class', unstatedHistories(40), 1 / 4],
  ['histories of a stock and options on it', optionHistories(40), 1 / 10],
  ['histories of a stock and calls written on it', coveredCallHistories(20), 1 / 5],
  ['histories of fractions, mostly sold at a loss', losingHistories(80), 1 / 20],
];

for (const [kind, drawings, share] of kinds) {
  const numRuns = Math.ceil(runs * share);
  test(`the fast engine and the oracle agree on ${numRuns} random ${kind}`, () => {
    const agree = fc.property(drawings, (drawn) => differences(drawn).length === 0);
    const { counterexample } = fc.check(agree, { seed, numRuns });
    const report = counterexample === null ? [] : disagreement(counterexample[0]);
    expect(report.join('\n')).toBe('');
  });
}

const stopped = Math.ceil(runs / 4);
test(`stopping on random days and resuming from stored books changes nothing, on ${stopped} random histories`, () => {
  const stopsOf = ({ history }: Drawn, at: readonly number[]): Day[] =>
    [...new Set(at.map((index) => history[index % Math.max(1, history.length)]?.on ?? (0 as Day)))].sort(
      (a, b) => a - b,
    );
  const any = fc.oneof(
    { arbitrary: histories(40), weight: 4 },
    { arbitrary: losingHistories(60), weight: 1 },
    { arbitrary: shortHistories(40), weight: 1 },
    { arbitrary: mergedShortHistories(40), weight: 1 },
    { arbitrary: fundShortHistories(40), weight: 1 },
    { arbitrary: investedHistories(25), weight: 1 },
    { arbitrary: allocatedHistories(40), weight: 1 },
    { arbitrary: brokerHistories(40), weight: 1 },
    { arbitrary: euroHistories(40), weight: 1 },
    { arbitrary: formHistories(40), weight: 2 },
    { arbitrary: namedFormHistories(40), weight: 1 },
  );
  const same = fc.property(any, fc.array(fc.nat(40), { maxLength: 3 }), (drawn, at) => {
    const full = replayAll(drawn.history, drawn.rules, []);
    const resumed = replayAll(drawn.history, drawn.rules, stopsOf(drawn, at));
    return textOf(full) === textOf(resumed);
  });
  const { counterexample } = fc.check(same, { seed, numRuns: stopped });
  const report =
    counterexample === null
      ? []
      : [
          '',
          `stops after ${stopsOf(counterexample[0], counterexample[1]).map(formatDay).join(', ')}`,
          ...notationOf(counterexample[0].history, counterexample[0].rules),
        ];
  expect(report.join('\n')).toBe('');
});

function textOf({ facts, lots }: ReturnType<typeof replayAll>): string {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? `${member}` : member));
  return [...facts.map(text), ...lots.map(text)].sort().join('\n');
}

/** Shrinks to the smallest history that the two engines compute differently, and returns both results. */
function disagreement(drawn: Drawn): string[] {
  const { history, rules, unstated } = drawn;
  const silent = unstated === undefined ? [] : [`without a class: ${[...unstated.rows].join(' ')}`];
  const sources = Object.entries(unstated?.sources ?? {}).map(([account, deals]) => `${account} deals in ${deals}`);
  return ['', ...notationOf(history, rules), ...silent, ...sources, ...priceTexts(history), ...differences(drawn)];
}

function differences(drawn: Drawn): string[] {
  const { history, rules } = classedForEngine(drawn);
  const priced = pricedForEngine(history);
  const formNames = findFormNames(priced, rules.assets);
  const engine = viewOfEngine(priced, formNames === undefined ? rules : { ...rules, formNames });
  const { rows, unsaid } = classedForOracle(drawn);
  const oracle = viewOfOracle(recompute(pricedForOracle(rows), drawn.rules, unsaid), drawn.rules);
  const parts: readonly (keyof View)[] = ['lines', 'lots', 'years', 'gifts', 'issues'];
  return parts.flatMap((part) => [
    ...beyond(engine[part], oracle[part]).map((line) => `engine ${part}: ${line}`),
    ...beyond(oracle[part], engine[part]).map((line) => `oracle ${part}: ${line}`),
  ]);
}

/** Returns the lines that the first view has more often than the second, counting duplicates. */
function beyond(own: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return own.filter((line) => {
    const times = left.get(line) ?? 0;
    left.set(line, times - 1);
    return times <= 0;
  });
}
