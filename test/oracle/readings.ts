import { expect, test } from 'bun:test';
import type { Rules, Transaction } from '../../src/engine/model.ts';
import { defaultRules, readTransactions } from '../support/golden.ts';
import { recompute } from './oracle.ts';
import { viewOfEngine, viewOfOracle } from './views.ts';

/**
 * Cases that the two engines once computed differently, with the correct result. A line lists quantity, (d), (e), (g),
 * the part of (g) that is permanently lost, and (h). A lot lists quantity and basis.
 */
export interface Case {
  readonly name: string;
  readonly rows: readonly string[];
  readonly rules?: Partial<Rules>;
  readonly lines?: readonly string[];
  readonly lots?: readonly string[];
  readonly issues?: readonly string[];
  readonly years?: readonly string[];
}

const engines = [
  ['oracle', (rows: readonly Transaction[], rules: Rules) => viewOfOracle(recompute(rows, rules), rules)],
  ['fast engine', viewOfEngine],
] as const;

const columns =
  'date,type,account,asset,quantity,amount,id,lots,,asset_class,ratio,acquired,basis,fmv,shares,underlying,fee,received_asset,received_quantity,fee_asset,fee_quantity,to_account';

/** Runs each case on both engines. Unstated columns may have any value. */
export function readAlike(cases: readonly Case[]): void {
  for (const { name, rows, rules, ...expected } of cases) {
    for (const [engine, viewOf] of engines) {
      test(`${name} (${engine})`, () => {
        const view = viewOf(readTransactions([columns, ...rows].join('\n')), { ...defaultRules, ...rules });
        for (const part of ['lines', 'lots', 'issues', 'years'] as const) {
          if (expected[part] !== undefined) expect(view[part]).toEqual(expected[part]);
        }
      });
    }
  }
}
