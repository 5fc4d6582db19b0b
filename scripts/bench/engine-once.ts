import { assetKeysOf } from '../../src/engine/keys.ts';
import { Ledger } from '../../src/engine/ledger.ts';
import type { Fact, Rules } from '../../src/engine/model.ts';
import { emptyBook, replay } from '../../src/engine/replay.ts';
import { defaultRules } from '../../test/support/golden.ts';
import { type Trading, trades } from './trades.ts';

/**
 * Replays one ledger some times in a process of its own and tells of it as JSON: the seconds of the middle one, and the
 * memory at the peak. Facts are taken as they come and counted, as whoever stores or prints them would take them.
 */
const [trading, method, runs] = JSON.parse(process.argv[2] ?? '') as [Trading, Rules['method'], number];
const rules: Rules = { ...defaultRules, method };
const { ledger, keys } = gathered();

/** The transactions themselves are not needed any more. */
function gathered(): { ledger: Ledger; keys: ReadonlySet<string> } {
  const transactions = trades(trading);
  return { ledger: Ledger.of(transactions), keys: new Set(transactions.slice(0, trading.assets).flatMap(assetKeysOf)) };
}

function once(): { seconds: number; facts: number } {
  let facts = 0;
  Bun.gc(true);
  const started = performance.now();
  const onDay = (ofDay: readonly Fact[]): void => {
    facts += ofDay.length;
  };
  replay(emptyBook(), ledger, rules, keys, { onDay });
  return { seconds: (performance.now() - started) / 1000, facts };
}

let peak = 0;
const measured = Array.from({ length: runs + 2 }, () => {
  const run = once();
  peak = Math.max(peak, process.memoryUsage().rss);
  return run;
});
// The first ones are of a program that is still being compiled.
const seconds = measured
  .slice(2)
  .map((run) => run.seconds)
  .sort((a, b) => a - b);
console.log(JSON.stringify({ seconds: seconds[Math.floor(runs / 2)], facts: measured[0]?.facts, peak }));
