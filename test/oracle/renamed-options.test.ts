import { describe, expect, test } from 'bun:test';
import { formatDay } from '../../src/base/day.ts';
import type { Transaction } from '../../src/engine/model.ts';
import { defaultRules, readTransactions } from '../support/golden.ts';
import { recompute } from './oracle.ts';
import { replayAll, viewOfEngine, viewOfOracle } from './views.ts';

const columns = 'date,type,account,asset,quantity,amount,fee,asset_class,shares,underlying,received_asset';

/**
 * Returns rows in which two accounts open contracts on a stock before its symbol changes and end them under the new
 * symbol. The same rows with the new symbol throughout must have the same result.
 */
function rowsOf(right: 'C' | 'P', opens: string, end: string, isRenamed: boolean): readonly Transaction[] {
  const stock = isRenamed ? 'OLD' : 'NEWS';
  const terms = `2024-08-16 ${right} 40`;
  const ending = (on: string, account: string, contracts: number): string => {
    const isDelivery = end === 'exercise' || end === 'assign';
    const amount = end === 'expire' ? '' : isDelivery ? 4000 * contracts : 170 * contracts;
    const delivered = isDelivery ? `${100 * contracts},NEWS` : ',';
    return `${on},${end},${account},NEWS ${terms},${contracts},${amount},,option,${delivered},`;
  };
  return readTransactions(
    [
      columns,
      `2023-05-01,buy,A,${stock},400,9000,0,stock,,,`,
      `2024-01-08,${opens},A,${stock} ${terms},2,401,1,option,,,`,
      `2024-01-09,${opens},A,${stock} ${terms},1,250,0,option,,,`,
      `2024-01-10,${opens},B,${stock} ${terms},2,380,0,option,,,`,
      isRenamed ? '2024-04-02,rename,,OLD,,,,stock,,,NEWS' : '2024-04-02,rename,,OTHER,,,,stock,,,ANOTHER',
      `2024-05-06,${opens},A,NEWS ${terms},1,300,0,option,,,`,
      ending('2024-06-03', 'A', 1),
      ending('2024-06-04', 'B', 2),
      ending('2024-06-05', 'A', 2),
      '2024-09-03,buy,A,ZZZ,1,1,0,stock,,,',
    ].join('\n'),
  );
}

const directions = [
  ['buy_to_open', ['sell_to_close', 'expire', 'exercise']],
  ['sell_to_open', ['buy_to_close', 'expire', 'assign']],
] as const;

describe('an option follows the new symbol of its stock', () => {
  for (const [opens, ends] of directions) {
    for (const end of ends) {
      for (const right of ['C', 'P'] as const) {
        test(`when it is opened by ${opens} with the right ${right} and ended by ${end}`, () => {
          const renamed = rowsOf(right, opens, end, true);
          const expected = viewOfEngine(rowsOf(right, opens, end, false), defaultRules);
          expect(viewOfEngine(renamed, defaultRules)).toEqual(expected);
          expect(viewOfOracle(recompute(renamed, defaultRules), defaultRules)).toEqual(expected);
          const full = replayAll(renamed, defaultRules, []);
          for (const { on } of renamed) {
            const resumed = replayAll(renamed, defaultRules, [on]);
            expect([formatDay(on), resumed.lots, factsOf(resumed)]).toEqual([formatDay(on), full.lots, factsOf(full)]);
          }
        });
      }
    }
  }
});

function factsOf({ facts }: ReturnType<typeof replayAll>): string[] {
  return facts
    .map((fact) => JSON.stringify(fact, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))
    .sort();
}
