import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Format } from '../src/formats/format.ts';
import { formats } from '../src/formats/index.ts';
import {
  formatWords,
  type Purpose,
  programs,
  programsWithoutLayout,
  purposes,
} from '../src/web/pages/reports/formats.ts';
import type { FormatId } from '../src/web/pages/reports/reports-data.ts';

/**
 * `bun scripts/services.ts` writes .github/SERVICES.md, the table of the services whose files Lotbook reads and of the
 * programs for which it writes files. `test/scripts/services.test.ts` compares it with the registries.
 */
const root = join(import.meta.dir, '..');
export const servicesFile = join(root, '.github', 'SERVICES.md');

/** The test that reads each file back, or looks at it. */
export const testsByFormat: Readonly<Record<FormatId, string>> = {
  '8949': 'test/forms/form-8949.test.ts',
  pdf: 'test/forms/full-report.test.ts',
  preparer: 'test/forms/preparer.test.ts',
  txf: 'test/forms/txf.test.ts',
  turbotax: 'test/forms/csv.test.ts',
  taxact: 'test/forms/csv.test.ts',
  drake: 'test/forms/drake.test.ts',
  fdx: 'test/forms/fdx.test.ts',
  csv: 'test/forms/csv.test.ts',
  'form-8997-csv': 'test/forms/form-8997.test.ts',
  reconciliation: 'test/forms/conformance.test.ts',
  'reconciliation-csv': 'test/forms/conformance.test.ts',
  json: 'test/forms/conformance.test.ts',
};

/** The services that a user can connect (`src/features/ledger/connections`). */
const connections = [
  {
    ...{ service: 'Coinbase', reads: 'transactions and balances of all wallets, since the last sync' },
    ...{ asks: 'an API key with View alone', format: 'coinbase', test: 'test/connections/coinbase.test.ts' },
  },
  {
    ...{ service: 'Kraken', reads: 'the ledger and balances, since the last sync' },
    ...{ asks: 'an API key that can only query funds and ledger entries', format: 'kraken-ledgers' },
    test: 'test/connections/kraken.test.ts',
  },
  {
    ...{ service: 'Interactive Brokers', reads: 'the statement of a Flex query, for the days of the query' },
    ...{ asks: 'a query ID and a token', format: 'ibkr-flex', test: 'test/connections/flex.test.ts' },
  },
] as const;

export function writeServices(): string {
  const bySource = [...Map.groupBy(formats, ({ source }) => source)].sort(([a], [b]) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : 1,
  );
  return `# Services and programs

\`bun scripts/services.ts\` writes this page from the formats in \`src/formats\` and the cards of the page Forms.

## What is read

Each file can be a CSV, a sheet of an Excel workbook, or inside a ZIP or gzip. OFX and QFX files, Flex queries of
Interactive Brokers in XML, and a PDF of Form 1099 that contains its data (FDX) are read as well. A file in any other
layout is read with a mapping of its columns. If rows name no account or time zone, the import uses the ones that you
choose. "Asked" lists what else a file can leave open. The import then asks, and never guesses. All fixtures are made up.

${table(
  ['service', 'exports', 'layouts', 'asked', 'tested with'],
  bySource.map(([source, own]) => [
    source,
    own.map(({ id }) => `\`${id}\``).join(', '),
    String(own.reduce((sum, { layouts }) => sum + layouts.length, 0)),
    [...new Set(own.flatMap(listQuestions))].join('; '),
    describeFixtures(own),
  ]),
)}

## What is connected

Users can connect these services with view-only keys, if the operator turned them on. The rows are those of the export,
and both are recognized as the same. Stand-ins follow the published documentation; no real account was used.

${table(
  ['service', 'read', 'asked', 'rows as', 'tested with'],
  connections.map(({ service, reads, asks, format, test }) => [service, reads, asks, `\`${format}\``, `\`${test}\``]),
)}

## What is written

The steps for each program are on the page Forms. What is left to finish by hand depends on the year, and each file
lists it (\`GET /v1/tax/reports/:id/warnings\`). A program without a published import layout gets the totals of each box
and the Form 8949 PDF with its statement.

${table(
  ['program', 'files', 'import layout', 'tested with'],
  [...purposes, ...programs].map((purpose) => [
    purpose.title,
    purpose.files.map((file) => `\`${file}\` (${formatWords[file].kind})`).join(', '),
    describeLayout(purpose),
    [...new Set(purpose.files.map((file) => `\`${testsByFormat[file]}\``))].join(', '),
  ]),
)}

The answer to a CP2000 notice is a PDF for the IRS (\`test/forms/notice.test.ts\`).
`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function listQuestions({ asksDateOrder, asksSide }: Format): string[] {
  return [
    ...(asksDateOrder === true ? ['the order of day and month'] : []),
    ...(asksSide === undefined ? [] : ['whether rows are purchases or sales']),
  ];
}

/** The number of lines in the fixtures of these formats and their layouts. */
function describeFixtures(own: readonly Format[]): string {
  const ids = own.map(({ id }) => id);
  const files = ['formats', 'layouts'].flatMap((folder) =>
    readdirSync(join(root, 'test/fixtures', folder))
      .filter((name) => ids.some((id) => name === `${id}.csv` || name.startsWith(`${id}.`)))
      .map((name) => join(root, 'test/fixtures', folder, name)),
  );
  const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').trimEnd().split('\n').length, 0);
  return `${lines} lines of ${files.length} ${files.length === 1 ? 'fixture' : 'fixtures'}`;
}

function describeLayout({ title, files }: Purpose): string {
  if (programsWithoutLayout.some(([program]) => program === title)) return 'none published that we know of';
  if (files.every((file) => file === '8949' || file === 'preparer')) return 'not needed';
  return files.includes('8949') ? 'published for the desktop program only' : 'published';
}

if (import.meta.main) writeFileSync(servicesFile, writeServices());
