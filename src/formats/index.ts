import { coinbase } from './coinbase.ts';
import { type Detection, detectAmong } from './detect.ts';
import { fidelity } from './fidelity.ts';
import type { Format, Row } from './format.ts';
import { ibkrActivity } from './ibkr.ts';
import { krakenLedgers } from './kraken.ts';
import { lotbook } from './lotbook.ts';
import { robinhood } from './robinhood.ts';
import { schwab } from './schwab.ts';

/** Every CSV layout we read. A new one is a file and a line here; test/formats/conformance holds them all to one standard. */
export const formats: readonly Format[] = [lotbook, coinbase, krakenLedgers, robinhood, fidelity, schwab, ibkrActivity];

export function formatById(id: string): Format | undefined {
  return formats.find((format) => format.id === id);
}

/** The format of the first rows; with `wanted`, only that one is tried. */
export function detect(rows: readonly Row[], wanted?: string): Detection {
  return detectAmong(wanted === undefined ? formats : formats.filter((format) => format.id === wanted), rows);
}
