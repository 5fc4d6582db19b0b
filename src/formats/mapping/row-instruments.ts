import type { Quantity } from '../../base/decimal.ts';
import { readOption } from '../cells/option-symbol.ts';
import { readDay } from '../cells/times.ts';
import type { FieldCandidate, SampledColumn } from './column-candidates.ts';
import { type Instrument, identifyInstrument, unitsPerContract } from './instruments.ts';
import type { MappedField } from './mapping.ts';
import { readMeasure } from './measures.ts';

/** The instrument in each sampled row and its units per contract, from the text columns. */
export interface RowInstruments {
  readonly instruments: readonly Instrument[];
  /** Null for a future whose symbol does not imply a multiplier. */
  readonly units: readonly (Quantity | null)[];
}

export function readRowInstruments(
  texts: readonly FieldCandidate[],
  columns: readonly SampledColumn[],
): RowInstruments {
  const of = (field: MappedField): readonly string[] =>
    texts.find((one) => one.field === field)?.column.values ?? noValues;
  const rows = columns[0]?.values.length ?? 0;
  const [assets, pairs, strikes, days] = [of('asset'), of('pair'), of('strike'), of('expiration')];
  const instruments = Array.from({ length: rows }, (_, row): Instrument => {
    const named = assets[row] || pairs[row] || '';
    // Tickers are converted to uppercase, as in `MappedValues`.
    const text = /^[a-z][a-z0-9]{1,9}$/.test(named) ? named.toUpperCase() : named;
    const strike = readMeasure(strikes[row] ?? '')?.number ?? '';
    const day = days[row] ?? '';
    const isOption = /[1-9]/.test(strike) && readDay(day) !== undefined;
    const option = isOption ? readOption(`${text.toUpperCase()} 2000-01-01 C ${strike}`) : undefined;
    return option === undefined ? identifyInstrument(text) : { kind: 'option', asset: text, option };
  });
  return { instruments, units: instruments.map((one) => unitsPerContract(one, null)) };
}

const noValues: readonly string[] = [];
