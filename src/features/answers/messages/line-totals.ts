import type { Cents } from '../../../base/decimal.ts';
import type { Line, Totals } from '../../../engine/model.ts';

export function totalsOfLines(lines: readonly Line[]): Totals {
  const sum = (read: (line: Line) => Cents) => lines.reduce((all, line) => all + read(line), 0n) as Cents;
  return {
    proceeds: sum((line) => line.disposal.proceeds),
    basis: sum((line) => line.disposal.basis),
    adjustment: sum((line) => line.adjustment),
    gain: sum((line) => line.gain),
    count: lines.length,
  };
}
