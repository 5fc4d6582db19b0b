import { csvRecord } from '../../base/csv.ts';
import { RecordCutter, splitLoose } from '../../formats/rows/records.ts';

export interface CsvLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Splits text into lines of cells. */
export function csvLines(text: string, delimiter = ','): CsvLine[] {
  const records = new RecordCutter(delimiter).cut(text, true);
  return records.map((record) => ({ line: record.line, cells: splitLoose(record.text, delimiter).cells }));
}

export function csvText(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => csvRecord([...cells])).join('');
}

/** Returns the separator that splits most of the first lines into the most cells. */
export function detectDelimiter(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).slice(0, 40);
  const score = (mark: string): number => lines.reduce((sum, line) => sum + line.split(mark).length - 1, 0);
  return [',', ';', '\t', '|'].reduce((best, mark) => (score(mark) > score(best) ? mark : best));
}
