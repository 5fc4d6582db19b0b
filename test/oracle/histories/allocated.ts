import fc from 'fast-check';
import type { Instant } from '../../../src/base/day.ts';
import type { Money, Quantity } from '../../../src/base/decimal.ts';
import type { Rules, Transaction } from '../../../src/engine/model.ts';
import { type Exact, newYear2025, portion, units } from '../numbers.ts';
import { recompute } from '../oracle.ts';
import { basisLeft, type OracleLot, remaining, universal } from '../state.ts';
import type { Drawn } from './generate.ts';
import { blank, type History, oneUnit } from './history.ts';
import { coinHistories } from './narrow.ts';
import { pricedForOracle } from './prices.ts';

/**
 * Generates histories whose universal pool was allocated at the start of 2025. In some of them, a row from before 2025
 * has since been removed.
 */
export function allocatedHistories(stepsMax: number): fc.Arbitrary<Drawn> {
  const gone = fc.oneof({ arbitrary: fc.constant(null), weight: 2 }, fc.nat(stepsMax));
  return fc
    .record({ drawn: coinHistories(stepsMax), dice: fc.array(fc.nat(11), { minLength: 1 }), gone })
    .map((all) => {
      const { drawn, dice } = all;
      const rules: Rules = { ...drawn.rules, digitalAssetScopeBefore2025: 'universal' };
      const rows = allocationOf(drawn.history, rules, dice);
      return { history: [...drawn.history.filter((_, at) => at !== all.gone), ...rows], rules };
    });
}

function allocationOf(history: History, rules: Rules, dice: readonly number[]): Transaction[] {
  const until = history.filter((row) => row.on < newYear2025);
  const pool = recompute(pricedForOracle(until), rules).lots.filter((lot) => lot.account === universal);
  return pool.flatMap((lot, index) => sharesOf(lot, dice[index % dice.length] ?? 0)).map(rowOf);
}

interface Share {
  readonly lot: OracleLot;
  readonly name: string;
  readonly wallet: string;
  readonly quantity: bigint;
  readonly basis: Exact;
}

/**
 * Allocates the whole lot, or parts to two wallets. The lot is named by its row, by itself, or by an unrelated name.
 */
function sharesOf(lot: OracleLot, dice: number): Share[] {
  const whole = BigInt(remaining(lot).times(oneUnit.toString()).toFixed(0));
  const name = [lot.id, lot.label || lot.id, 'elsewhere'][dice % 3] ?? lot.id;
  const first = dice < 6 ? whole : whole / 3n + 1n;
  const parts = first >= whole ? [whole] : [first, whole - first];
  let before = 0n;
  return parts.map((quantity, at) => {
    const basis = portion(basisLeft(lot), units(before), units(quantity), units(whole));
    before += quantity;
    return { lot, name, wallet: at === 0 ? 'A1' : 'A2', quantity, basis };
  });
}

function rowOf({ lot, name, wallet, quantity, basis }: Share, index: number): Transaction {
  return {
    ...blank,
    id: `x${String(index).padStart(6, '0')}`,
    externalId: '',
    line: index,
    type: 'transfer',
    on: newYear2025,
    at: (newYear2025 * 86_400_000_000) as Instant,
    account: universal,
    toAccount: wallet,
    asset: lot.asset,
    assetClass: lot.assetClass,
    quantity: quantity as Quantity,
    lots: [{ label: name, quantity: quantity as Quantity }],
    acquired: lot.acquired,
    basis: lot.basisUnknown ? null : (BigInt(basis.times('1e8').toFixed(0)) as Money),
  };
}
