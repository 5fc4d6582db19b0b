import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Format } from '../../src/formats/format.ts';
import { formatById, formats } from '../../src/formats/index.ts';

/** A file in a format: its own fixture, or that of an additional layout, `ID.LAYOUT.csv`. */
export interface FormatFixture {
  readonly name: string;
  readonly format: Format;
  readonly text: string;
}

const folder = join(import.meta.dir, '../fixtures');

/** One fixture for each format in the registry, and fixtures for additional layouts. */
export const formatFixtures: readonly FormatFixture[] = [
  ...formats.map((format) => ({ name: format.id, format, text: readText('formats', `${format.id}.csv`) })),
  ...readdirSync(join(folder, 'layouts'))
    .sort()
    .map((file) => {
      const format = formatById(file.split('.')[0] ?? '');
      if (format === undefined) throw new Error(`No format has the layout ${file}.`);
      return { name: file.slice(0, -'.csv'.length), format, text: readText('layouts', file) };
    }),
];

function readText(subject: string, file: string): string {
  return readFileSync(join(folder, subject, file), 'utf8');
}
