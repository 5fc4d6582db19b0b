import { describe, expect, test } from 'bun:test';
import { type Cents, formatCents } from '../../src/base/decimal.ts';
import { type LineOnForm1099, toLineColumns } from '../../src/engine/rules/lines/columns.ts';
import { books, lineWords } from '../support/ledger.ts';
import { cents } from './books.ts';
import { golden } from './shared.ts';

const plain: LineOnForm1099 = {
  proceeds: cents('1000'),
  basis: cents('900'),
  term: 'short',
  adjustments: [],
  unreflectedCosts: null,
  wrongBasis: null,
  basisReported: false,
  termShown: null,
  washShown: false,
};

/** Returns columns (d) to (h) as text. */
function columns(line: Partial<LineOnForm1099>): string[] {
  const { proceeds, basis, code, adjustment } = toLineColumns({ ...plain, ...line });
  const gain = (proceeds - basis + adjustment) as typeof proceeds;
  return [formatCents(proceeds), formatCents(basis), code, formatCents(adjustment), formatCents(gain)];
}

describe('the golden cases of the instructions', () => {
  for (const id of ['fm02', 'fm04', 'fm05', 'fm06', 'fm07']) {
    test(id, () => {
      const worked = golden(id);
      if (worked === undefined) return;
      const [sale = {}] = worked.transactions;
      const amount = (name: string): bigint | null => (sale[name] === undefined ? null : cents(String(sale[name])));
      const costs = amount('unreflected_selling_expense');
      const stated: [string, bigint | null][] = [
        ['W', amount('wash_disallowed')],
        ['H', negated(amount('home_exclusion'))],
        ['L', amount('nondeductible_loss')],
        ['S', amount('ordinary_1244_loss')],
      ];
      const [expected = {}] = worked.expected.disposals;
      expect(
        columns({
          // The true proceeds are net of the cost of the sale.
          proceeds: (cents(String(sale.proceeds)) - (costs ?? 0n)) as Cents,
          basis: cents(String(sale.correct_basis)),
          term: sale.term as 'short' | 'long',
          adjustments: stated.flatMap(([letter, of]) => (of === null ? [] : [[letter, of] as const])),
          unreflectedCosts: costs,
          wrongBasis: amount('reported_basis'),
          basisReported: sale.basis_reported === true,
        }),
      ).toEqual(['proceeds', 'basis', 'code', 'adjustment', 'gain'].map((name) => String(expected[name])));
    });
  }
});

describe('the same cases as rows', () => {
  test('fm02: a form shows a basis without reporting it', () => {
    const { lines } = books(`
      buy 2024-06-03 10 X @100
      sell 2025-03-03 10 X @1000
      reported_sale 2025-03-03 10 X @1000 basis 900 box B term short
    `);
    expect(lines.map(lineWords)).toEqual(['2025-03-03 10 X: 1000.00 - 100.00 B 0.00 = 900.00 short']);
  });

  test('fm07: a wrong reported basis and a wash sale have one net amount', () => {
    const { lines } = books(`
      buy 2024-06-03 100 X @5000
      sell 2025-03-03 100 X @4000
      reported_sale 2025-03-03 100 X @4000 basis 5200 box A term short
      buy 2025-03-10 75 X @3000
    `);
    expect(lines.map(lineWords)).toEqual(['2025-03-03 100 X: 4000.00 - 5200.00 BW 950.00 = -250.00 short']);
  });

  test('fm04 with code E: gross proceeds on the form, and the cost of the sale', () => {
    const { lines } = books(`
      buy 2024-06-03 10 X @1000
      sell 2025-08-04 10 X @3200 fee 200
      reported_sale 2025-08-04 10 X @3200 basis 1000 box D term long
    `);
    expect(lines.map(lineWords)).toEqual(['2025-08-04 10 X: 3200.00 - 1000.00 E -200.00 = 2000.00 long']);
  });
});

describe('columns (d) to (h) for a line that a form shows differently', () => {
  test('an unchanged line has the correct basis and no code', () => {
    expect(columns({})).toEqual(['1000.00', '900.00', '', '0.00', '100.00']);
  });

  test('a reported basis stays in (e) and is corrected in (g)', () => {
    const reported = { basisReported: true };
    expect(columns({ ...reported, wrongBasis: cents('950') })).toEqual(['1000.00', '950.00', 'B', '50.00', '100.00']);
    expect(columns({ ...reported, wrongBasis: cents('800') })).toEqual(['1000.00', '800.00', 'B', '-100.00', '100.00']);
  });

  test('a basis that was not reported to the IRS is replaced in (e), with B and nothing in (g)', () => {
    expect(columns({ wrongBasis: cents('100') })).toEqual(['1000.00', '900.00', 'B', '0.00', '100.00']);
  });

  test('the wrong type of gain on the form has code T', () => {
    expect(columns({ termShown: 'long' })[2]).toBe('T');
    expect(columns({ termShown: 'short' })[2]).toBe('');
  });

  test('a wash amount on the form has code W even if nothing was disallowed', () => {
    expect(columns({ washShown: true }).slice(2, 4)).toEqual(['W', '0.00']);
  });
});

function negated(amount: bigint | null): bigint | null {
  return amount === null ? null : -amount;
}
