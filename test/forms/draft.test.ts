import { describe, expect, test } from 'bun:test';
import { listWarnings } from '../../src/forms/draft.ts';
import { reportFormat, reportFormats } from '../../src/forms/index.ts';
import type { ReportBooks, ReportFormat } from '../../src/forms/report.ts';
import { books, cents, day, line, readBytes, readText, recordsOf } from './books.ts';
import { allText, readPdf } from './pdf.ts';
import { zipText } from './unzip.ts';

const issue = (id: string, dollars: string | null): ReportBooks['issues'][number] => ({
  kind: 'issue',
  causedOn: day('2025-05-05'),
  id,
  issue: 'basis_missing',
  on: day('2025-05-05'),
  asset: 'XYZ',
  account: 'BRK1',
  transactions: ['s1'],
  dollars: dollars === null ? null : cents(dollars),
  detail: 'The basis of XYZ is unknown.',
});
const settled = books(2025, [line({ box: 'A' })]);
const draft = books(2025, [line({ box: 'A' })], { issues: [issue('i1', '10'), issue('i2', null)] });
const one = books(2025, [line({ box: 'A' })], { issues: [issue('i1', '10')] });

async function readContent(format: ReportFormat, of: ReportBooks): Promise<string> {
  if (format.mediaType === 'application/zip') return zipText(await readBytes(format.render(of)));
  if (format.mediaType !== 'application/pdf') return readText(format.render(of));
  return allText(await readPdf(await readBytes(format.render(of))));
}

const readLines = async (id: string, of: ReportBooks): Promise<string[]> =>
  (await readText(reportFormat(id)?.render(of) ?? [])).split('\r\n');

describe('a year with open issues', () => {
  for (const format of reportFormats) {
    test(`is marked as a draft everywhere: ${format.name}`, async () => {
      expect(format.fileName(draft)).toMatch(/-2025-draft-2-open-issues\.[a-z]+$/);
      expect(format.fileName(one)).toMatch(/-2025-draft-1-open-issue\.[a-z]+$/);
      expect(await readContent(format, draft)).toMatch(/DRAFT|"draft":true/);
      expect(await readContent(format, draft)).toMatch(/2 open issues|"openIssues":2/);
      expect(listWarnings(format, draft)[0]).toBe('DRAFT: 2 open issues for 2025. Resolve before filing.');
    });

    test(`is final without them: ${format.name}`, async () => {
      expect(format.fileName(settled)).not.toContain('draft');
      expect(await readContent(format, settled)).not.toMatch(/DRAFT|"draft":true/);
      expect(listWarnings(format, settled).join(' ')).not.toContain('DRAFT');
    });
  }
});

describe('the draft mark in each format', () => {
  test('is in the program name in TXF, and the records equal those in a final file', async () => {
    const [drawn, final] = [await readLines('txf', draft), await readLines('txf', settled)];
    expect(drawn[1]).toBe('ALotbook DRAFT: 2 open issues');
    expect(final[1]).toBe('ALotbook');
    expect(drawn.toSpliced(1, 1)).toEqual(final.toSpliced(1, 1));
  });

  test('is in a separate column in CSV, even if the year has no line', async () => {
    const [line, ...others] = recordsOf((await readLines('csv', draft)).join('\n'));
    expect(others).toEqual([]);
    expect(line).toMatchObject({ Description: '100 sh. XYZ', Gain: '100.00', 'DRAFT: 2 open issues': 'DRAFT' });
    expect((await readLines('csv', books(2025, [], { issues: draft.issues })))[0]).toEndWith(',DRAFT: 2 open issues');
  });

  test('is in the additional description for TaxAct, and after the name for TurboTax', async () => {
    const [head = '', row = ''] = await readLines('taxact', draft);
    expect([head.split(',').at(-1), row.split(',').at(-1)]).toEqual(['Additional Description', 'DRAFT: 2 open issues']);
    expect((await readLines('turbotax', draft))[1]).toStartWith('XYZ (DRAFT: 2 open issues),');
  });

  test('is in members of the JSON, with null if the amount is unlimited', async () => {
    const { report, issues } = JSON.parse(await readText(reportFormat('json')?.render(draft) ?? []));
    expect([report.draft, report.openIssues]).toEqual([true, 2]);
    expect(issues.map(({ dollars }: { dollars: string | null }) => dollars)).toEqual(['10.00', null]);
    expect(JSON.parse(await readText(reportFormat('json')?.render(settled) ?? [])).report.draft).toBe(false);
  });
});

test('the cover states income before withheld tax', async () => {
  const income = [
    { type: 'dividend' as const, amount: cents('100') * 1_000_000n, count: 1 },
    { type: 'withholding' as const, amount: cents('10') * 1_000_000n, count: 1 },
  ] as unknown as ReportBooks['summary']['income'];
  const { summary } = books(2025, []);
  const year = books(2025, [], {});
  const full = reportFormat('pdf');
  if (full === undefined) throw new Error('no full report');
  const { pages } = await readPdf(await readBytes(full.render({ ...year, summary: { ...summary, income } })));
  expect(JSON.stringify(pages[0])).toMatch(/Income.*100\.00/);
  expect(JSON.stringify(pages[0])).not.toMatch(/110\.00|\b90\.00/);
});
