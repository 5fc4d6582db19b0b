import { formatCents } from '../../base/decimal.ts';
import { assumedForms, joinBoxes } from '../../forms/assumed-forms.ts';
import { encodeChunks } from '../../forms/exports/text.ts';
import { formatFigures } from '../../forms/figures.ts';
import { missingBasisText } from '../../forms/missing-basis.ts';
import type { ReportBooks } from '../../forms/report.ts';

/** Prints the year's totals for a terminal, computed without keeping a single line. */
export const summaryReport = {
  id: 'summary',
  name: 'Totals of the year',
  mediaType: 'text/plain',
  takes: [],
  reads: [],
  fileName: (books: ReportBooks) => `lotbook-${books.year}.txt`,
  render: (books: ReportBooks) => encodeChunks(formatSummaryLines(books)),
};

const heads = ['', 'lines', 'proceeds', 'cost', 'adjustment', 'gain'];

function* formatSummaryLines(books: ReportBooks): Generator<string> {
  const { summary, carryoverIn } = books;
  const figures = formatFigures(summary);
  yield `Tax year ${summary.year}, books as of ${books.asOf}, ${books.rules.method}\n\n`;
  const row = (name: string, totals: (typeof figures)['total']): string[] => [
    name,
    totals.count.toLocaleString('en-US'),
    ...[totals.proceeds, totals.basis, totals.adjustment, totals.gain].map(groupThousands),
  ];
  yield* table([
    heads,
    row('Short-term', figures.shortTerm),
    row('Long-term', figures.longTerm),
    row('Total', figures.total),
    ...figures.boxes.map((box) => row(`Box ${box.box}`, box)),
    ...figures.assets.map((asset) => row(asset.asset, asset)),
  ]);
  const others = [
    ['Wash sales disallowed', figures.washSaleDisallowed],
    ['Section 1256 contracts', figures.contracts1256.gain],
    ['Carried in, short-term', formatCents(carryoverIn.short)],
    ['Carried in, long-term', formatCents(carryoverIn.long)],
    ...figures.income.map(({ type, amount }) => [`Income: ${type.replaceAll('_', ' ')}`, amount]),
  ].filter(([, amount]) => amount !== '0.00');
  if (others.length > 0) yield '\n';
  yield* table(others.map(([name = '', amount = '']) => [name, groupThousands(amount)]));
  const missing = missingBasisText(summary);
  if (missing !== null) yield `\n${missing}\n`;
  yield* assumedLines(books);
  yield summary.issues === 0
    ? '\nNo open issues.\n'
    : `\nOpen issues: ${summary.issues}. The figures are a draft until they are resolved.\n`;
}

/** Yields a line for each account whose form is assumed, with the option that sets it. */
function* assumedLines(books: ReportBooks): Generator<string> {
  const assumed = assumedForms(books);
  if (assumed.length === 0) return;
  yield '\nNo form is set for these accounts, so their boxes are assumed. Set each form, or "none" if none was issued:\n';
  for (const { account, boxes, form, suggestedForm, because, mayBeTaxFree } of assumed) {
    const where = `${boxes.length === 1 ? 'box' : 'boxes'} ${joinBoxes(boxes)}, ${form === 'none' ? 'no form' : `Form ${form}`} assumed`;
    const why = because === null ? '' : ` (suggested by ${reasonWords[because]})`;
    const step = mayBeTaxFree
      ? 'Its name suggests that it may be tax-free. Set its type and form in the --settings file.'
      : `--form '${account.replaceAll("'", "'\\''")}=${suggestedForm ?? 'none'}'${why}`;
    yield `  ${account}: ${where}. ${step}\n`;
  }
}

const reasonWords = { lines: 'its 1099 lines', source: 'its source', name: 'its name' } as const;

/** Aligns the first column to the left and numbers to the right. */
function* table(rows: readonly (readonly string[])[]): Generator<string> {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  for (const [name = '', ...numbers] of rows) {
    const cells = numbers.map((number, at) => number.padStart(widths[at + 1] ?? 0));
    yield `${[name.padEnd(widths[0] ?? 0), ...cells].join('  ').trimEnd()}\n`;
  }
}

/** Formats an amount as `1,234.50`. */
function groupThousands(amount: string): string {
  return amount.replace(/\B(?=(?:\d{3})+\.)/g, ',');
}
