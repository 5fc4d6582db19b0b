import { type Detection, detectAmong } from './detect.ts';
import type { Format, Row } from './format.ts';
import { lotbook } from './lotbook.ts';

/** Every CSV layout we read. A new one is a file and a line here; test/formats/conformance holds them all to one standard. */
export const formats: readonly Format[] = [lotbook];

export function formatById(id: string): Format | undefined {
  return formats.find((format) => format.id === id);
}

/** The format of the first rows; with `wanted`, only that one is tried. */
export function detect(rows: readonly Row[], wanted?: string): Detection {
  return detectAmong(wanted === undefined ? formats : formats.filter((format) => format.id === wanted), rows);
}
