import { describe, expect, test } from 'bun:test';
import { formatCents } from '../../src/base/decimal.ts';
import { Refusal } from '../../src/base/refusal.ts';
import { compareNotice, type NoticeLine, type NoticeMatch, type TaxNotice } from '../../src/forms/notice/comparison.ts';
import { createNoticePacket, createNoticePreview } from '../../src/forms/notice/packet.ts';
import type { ReportBooks } from '../../src/forms/report.ts';
import { books, cents, day, line, readBytes, readText } from './books.ts';
import { allText, readPdf } from './pdf.ts';

type LineWords = Partial<Omit<NoticeLine, 'proceeds' | 'basis'>> & {
  readonly proceeds: string;
  readonly basis?: string;
};

function notice(...lines: readonly LineWords[]): TaxNotice {
  return {
    noticeDate: day('2026-03-02'),
    responseDue: day('2026-04-01'),
    address: '12 Elm St\nSpringfield, IL 62701',
    lines: lines.map(({ proceeds, basis, ...words }) => ({
      ...{ payer: 'CHARLES SCHWAB & CO INC', description: '', sale: null, agrees: null },
      ...words,
      proceeds: cents(proceeds),
      basis: basis === undefined ? null : cents(basis),
    })),
  };
}

const sale = (account: string, asset: string, proceeds: string, basis: string, more: Parameters<typeof line>[0] = {}) =>
  line({ asset, proceeds, basis, box: 'A', ...more, more: { account, ...more.more } });

const year = books(2024, [
  sale('Schwab', 'AAPL', '18500.49', '15000'),
  sale('Schwab', 'KO', '2600', '2000', { code: 'W', adjustment: '100' }),
  sale('Fidelity', 'KO', '2600', '2700'),
  sale('Fidelity', 'F', '40', '90'),
]);

const shown = ({ state, candidate, position, proposed, difference }: NoticeMatch): unknown[] => [
  ...[state, candidate === null ? null : `${candidate.account} ${candidate.asset}`, position],
  ...[formatCents(proposed), difference === null ? null : formatCents(difference)],
];
const compare = (of: ReportBooks, ...lines: readonly LineWords[]) => compareNotice(of, notice(...lines));
const matches = (of: ReportBooks, ...lines: readonly LineWords[]) => compare(of, ...lines).matches.map(shown);

describe('a line of a notice', () => {
  test('is matched if one sale has its proceeds and its name, also in whole dollars', () => {
    expect(matches(year, { description: '100 SH AAPL', proceeds: '18500' })).toEqual([
      ['matched', 'Schwab AAPL', 'disagree', '18500.00', '-14999.51'],
    ]);
    expect(matches(year, { description: '100 SH AAPL', proceeds: '18500.49' })).toEqual([
      ['matched', 'Schwab AAPL', 'disagree', '18500.49', '-15000.00'],
    ]);
    expect(compare(year, { description: 'AAPL', proceeds: '18500.48' }).matches[0]?.state).toBe('open');
    expect(compare(year, { description: 'AAPL', proceeds: '18502' }).matches[0]?.state).toBe('open');
  });

  test('the payer decides between equal sales, and without it the line is open', () => {
    expect(matches(year, { description: 'KO', proceeds: '2600' })).toEqual([
      ['matched', 'Schwab KO', 'disagree', '2600.00', '-1900.00'],
    ]);
    expect(matches(year, { payer: 'FIDELITY BROKERAGE SERVICES', description: 'KO', proceeds: '2600' })).toEqual([
      ['matched', 'Fidelity KO', 'disagree', '2600.00', '-2700.00'],
    ]);
    const [open] = compare(year, { payer: 'NATIONAL FINANCIAL', description: 'KO', proceeds: '2600' }).matches;
    expect(shown(open as NoticeMatch)).toEqual(['open', null, 'undecided', '2600.00', null]);
    expect(open?.reason).toBe('2 sales fit this line. $2,600.00 of proceeds are not matched yet.');
    expect(open?.candidates.slice(0, 2).map(({ account, asset }) => `${account} ${asset}`)).toEqual([
      'Schwab KO',
      'Fidelity KO',
    ]);
  });

  test('is never matched by its proceeds alone', () => {
    expect(matches(year, { description: 'COCA COLA CO', proceeds: '18500' })[0]?.slice(0, 2)).toEqual(['open', null]);
    expect(matches(year, { payer: 'SOMEBODY', proceeds: '18500' })[0]?.slice(0, 2)).toEqual(['open', null]);
    const [elsewhere] = compare(year, { payer: 'FIDELITY', description: 'AAPL', proceeds: '18500' }).matches;
    expect(elsewhere?.state).toBe('open');
    expect(elsewhere?.reason).toStartWith('No sale has these proceeds under this name.');
  });

  test('can be the total of an account or of an asset', () => {
    expect(matches(year, { proceeds: '21100.49' })).toEqual([
      ['matched', 'Schwab ', 'disagree', '21100.49', '-16900.00'],
    ]);
    const two = books(2024, [
      sale('Schwab', 'KO', '10', '4'),
      sale('Schwab', 'KO', '20', '5'),
      sale('Schwab', 'F', '1', '1'),
    ]);
    expect(matches(two, { description: 'KO', proceeds: '30', basis: '9' })).toEqual([
      ['matched', 'Schwab KO', 'agree', '21.00', '0.00'],
    ]);
  });

  test('is not matched if many sales have its proceeds', () => {
    const equal = books(
      2024,
      Array.from({ length: 700 }, () => sale('Schwab', 'KO', '5', '4')),
    );
    const [open] = compare(equal, { description: 'KO', proceeds: '5' }).matches;
    expect(open?.reason).toStartWith('Many sales fit this line.');
    expect(open?.candidates.length).toBe(12);
  });

  test('that another line of the notice fits too stays open', () => {
    const twice = { description: 'AAPL', proceeds: '18500' };
    const { matches: both, totals } = compare(year, twice, twice);
    expect(both.map(({ state, reason }) => [state, reason])).toEqual([
      ['open', 'Another line of the notice fits the same sale. $18,500.00 of proceeds are not matched yet.'],
      ['open', 'Another line of the notice fits the same sale. $18,500.00 of proceeds are not matched yet.'],
    ]);
    expect([totals.openCount, formatCents(totals.open)]).toEqual([2, '37000.00']);
  });

  test('takes the sale that the taxpayer names, and a sale only once', () => {
    const [first] = compare(year, { payer: 'X', proceeds: '2500' }).matches;
    const id = first?.candidates.find(({ account, asset }) => account === 'Fidelity' && asset === 'KO')?.id ?? '';
    const named = { payer: 'X', proceeds: '2500', sale: id };
    expect(matches(year, named)).toEqual([['matched', 'Fidelity KO', 'disagree', '2500.00', '-2600.00']]);
    const other = { payer: 'FIDELITY', description: 'KO', proceeds: '2600' };
    expect(compare(year, named, other).matches.map(({ state }) => state)).toEqual(['matched', 'open']);
    for (const lines of [
      [named, named],
      [{ ...named, sale: 'account/Fidelity' }, named],
      [{ ...named, sale: 'other' }],
    ])
      expect(() => compare(year, ...lines)).toThrow(Refusal);
  });

  test('without a sale needs the taxpayer to agree or disagree', () => {
    const none = { description: 'AAPL', proceeds: '18500', sale: 'none' };
    expect(
      matches(year, none, { ...none, agrees: true }, { ...none, agrees: false }).map(([state, , is]) => [state, is]),
    ).toEqual([
      ['none', 'undecided'],
      ['none', 'agree'],
      ['none', 'disagree'],
    ]);
  });

  test('the totals are the sums of its lines', () => {
    const all = compare(
      year,
      { description: 'AAPL', proceeds: '18500', basis: '15000' },
      { payer: 'FIDELITY', description: 'KO', proceeds: '2600' },
      { payer: 'FIDELITY', proceeds: '77' },
    );
    const { proposed, proposedMatched, ours, open } = all.totals;
    expect([proposed, proposedMatched, ours.gain, ours.proceeds, open].map((amount) => formatCents(amount))).toEqual([
      ...['6177.00', '6100.00', '3400.49', '21100.49', '77.00'],
    ]);
  });
});

describe('the packet', () => {
  const read = async (of: ReportBooks, ...lines: readonly LineWords[]) =>
    readPdf(await readBytes(createNoticePacket(notice(...lines)).render(of)));

  test('has a letter, a statement and the lots with their source rows', async () => {
    const pdf = await read(
      year,
      { description: '100 SH KO', proceeds: '2600' },
      { payer: 'FIDELITY', description: 'F', proceeds: '40', basis: '90' },
    );
    expect(pdf.bookmarks).toEqual(['Letter', 'Statement of the lines', 'Lots and sources']);
    const text = allText(pdf);
    for (const words of ['Ann & Bob Lee', '12 Elm St', 'Springfield, IL 62701', '123-45-6789'])
      expect(text).toContain(words);
    expect(text).toContain('Notice CP2000 of 03/02/2026, tax year 2024. Response due 04/01/2026.');
    expect(text).toContain('Of its 2 lines, I disagree with 1, and I agree with 1.');
    expect(text.replaceAll('\n', ' ')).toContain(
      'the notice counts $2,550.00 of income, without the basis of every sale. They have proceeds of $2,640.00, a basis of $2,090.00 and adjustments of $100.00, and therefore a gain of $650.00. The difference is -$1,900.00.',
    );
    expect(text).toContain('100 sh. KO\n02/01/2024\n06/03/2024\n2,600.00\n2,000.00\nW\n100.00\n700.00');
    expect(text).toContain('Code W: part of the loss is disallowed because of a wash sale.');
    expect(text).toContain('trades.csv, line 3');
    expect(text).not.toContain('Incomplete');
    expect(text).not.toContain('DRAFT');
  });

  test('a line without a match is shown with its dollars, and the packet is incomplete', async () => {
    const text = allText(await read(year, { description: 'KO', proceeds: '999' })).replaceAll('\n', ' ');
    expect(text).toContain(
      'Incomplete, do not send yet: 1 line of the notice is without an answer ($999.00 of proceeds).',
    );
    expect(text).toContain(
      'Not matched: No sale has these proceeds under this name. $999.00 of proceeds are not matched yet.',
    );
    expect(text).toContain('No line of the notice has a line on my Form 8949.');
  });

  test('a draft and a year without final forms are provisional', async () => {
    const issues = [
      {
        ...{ kind: 'issue', causedOn: day('2024-05-05'), id: 'i1', issue: 'basis_missing', on: day('2024-05-05') },
        ...{ asset: 'KO', account: 'Schwab', transactions: ['s1'], dollars: cents('10'), detail: 'Unknown.' },
      },
    ] as ReportBooks['issues'];
    const draft = books(2024, year.lines, { issues });
    const text = allText(await read(draft, { description: 'KO', proceeds: '2600' }));
    expect(text).toContain('DRAFT: 1 open issue. The amounts are provisional until they are resolved.');
    expect(createNoticePacket(notice({ proceeds: '1' })).fileName(draft)).toBe('cp2000-2024-draft-1-open-issue.pdf');
    const later = allText(await read(books(2030, year.lines), { description: 'KO', proceeds: '2600' }));
    expect(later).toContain('Preview, not for filing');
  });

  test('has the same bytes each time, and takes names in every script', async () => {
    const foreign = books(2024, [sale('証券', 'Газпром', '5', '4')], { taxpayer: { name: 'Жанна Δ', tin: '' } });
    const packet = createNoticePacket(notice({ payer: '証券', description: 'Газпром', proceeds: '5' }));
    const [first, second] = [
      await readBytes(packet.render(foreign)),
      await readBytes(packet.render(structuredClone(foreign))),
    ];
    expect(Buffer.compare(first, second)).toBe(0);
    expect(allText(await readPdf(first)).normalize('NFKC')).toContain('Газпром');
  });

  test('a long notice flows over pages and keeps every line', async () => {
    const lines = Array.from({ length: 120 }, (_, index) => sale('Schwab', `S${index}`, `${index + 1}00`, '50'));
    const asked = lines.map((_, index) => ({ description: `S${index}`, proceeds: `${index + 1}00` }));
    const pdf = await read(books(2024, lines), ...asked);
    const text = allText(pdf);
    for (const index of [0, 60, 119]) expect(text).toContain(`Line ${index + 1}: CHARLES SCHWAB & CO INC, S${index}`);
    expect(pdf.pages.every((page) => page.length > 0)).toBe(true);
  });
});

test('the preview has the same matches as the packet', async () => {
  const preview = createNoticePreview(notice({ description: 'AAPL', proceeds: '18500' }, { proceeds: '3' }));
  const view = JSON.parse(await readText(preview.render(year)));
  expect(view.lines.map(({ state }: { state: string }) => state)).toEqual(['matched', 'open']);
  expect(view.lines[0].match).toMatchObject({
    kind: 'sale',
    account: 'Schwab',
    asset: 'AAPL',
    gain: '3500.49',
    lines: 1,
  });
  expect(view.totals).toEqual({
    ...{ proposed: '18503.00', proposedMatched: '18500.00', gain: '3500.49', difference: '-14999.51' },
    ...{ open: '3.00', openCount: 1 },
  });
  expect(view.provisional).toEqual([]);
});

test('a refusal names the line', () => {
  try {
    compare(year, { proceeds: '1' }, { proceeds: '1', sale: 'nowhere' });
    throw new Error('not refused');
  } catch (error) {
    expect((error as Refusal).more.errors?.[0]?.pointer).toBe('/lines/1/sale');
  }
});
