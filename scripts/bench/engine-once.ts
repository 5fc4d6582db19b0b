import { listAssetKeys } from '../../src/engine/events/keys.ts';
import { Ledger } from '../../src/engine/events/ledger.ts';
import type { Fact, Rules } from '../../src/engine/model.ts';
import { emptyBook, replay } from '../../src/engine/replay.ts';
import { defaultRules } from '../../test/support/golden.ts';
import { type Trading, trades } from './trades.ts';

/**
 * Replays one ledger several times in a separate process and prints JSON: the median seconds and the peak memory. Facts
 * are counted as they are produced. With `reads` it also adds up their gains because a line computes its amounts only
 * when they are read.
 */
const [trading, method, runs, reads] = JSON.parse(process.argv[2] ?? '') as [Trading, Rules['method'], number, boolean];
const rules: Rules = { ...defaultRules, method };
const { ledger, keys } = gathered();

/** Builds the ledger in a function of its own because the transactions themselves are no longer needed. */
function gathered(): { ledger: Ledger; keys: ReadonlySet<string> } {
  const transactions = trades(trading);
  return {
    ledger: Ledger.of(transactions),
    keys: new Set(transactions.slice(0, trading.assets).flatMap(listAssetKeys)),
  };
}

function once(): { seconds: number; result: string } {
  let [facts, gain] = [0, 0n];
  Bun.gc(true);
  const started = performance.now();
  const onDay = (ofDay: readonly Fact[]): void => {
    facts += ofDay.length;
    if (reads) gain += computeGain(ofDay);
  };
  replay(emptyBook(), ledger, rules, keys, { onDay });
  return { seconds: (performance.now() - started) / 1000, result: `${facts} ${gain}` };
}

function computeGain(facts: readonly Fact[]): bigint {
  let gain = 0n;
  for (const fact of facts) if (fact.kind === 'disposal') gain += fact.proceeds - fact.basis;
  return gain;
}

let peak = 0;
const measured = Array.from({ length: runs + 2 }, () => {
  const run = once();
  peak = Math.max(peak, process.memoryUsage().rss);
  return run;
});
if (new Set(measured.map(({ result }) => result)).size !== 1)
  throw new Error('Replays of one ledger produced different facts.');
// The first runs measure code that is still being compiled.
const seconds = measured
  .slice(2)
  .map((run) => run.seconds)
  .sort((a, b) => a - b);
console.log(JSON.stringify({ seconds: seconds[Math.floor(runs / 2)], peak }));
