import { describe, expect, test } from 'bun:test';
import { formatCents } from '../../src/base/decimal.ts';
import { columnsOf, type ReportedSale } from '../../src/forms/adjustments.ts';
import { cents } from './books.ts';
import { golden } from './shared.ts';

/** Columns (d) to (h) as text. */
function columns(sale: Omit<ReportedSale, 'term'> & Partial<ReportedSale>): string[] {
  const { proceeds, basis, code, adjustment, gain } = columnsOf({ term: 'short', ...sale });
  return [formatCents(proceeds), formatCents(basis), code, formatCents(adjustment), formatCents(gain)];
}

describe('the worked cases of the instructions', () => {
  for (const id of ['fm02', 'fm04', 'fm05', 'fm06', 'fm07']) {
    test(id, () => {
      const worked = golden(id);
      if (worked === undefined) return;
      const [sale = {}] = worked.transactions;
      const amount = (name: string) => (sale[name] === undefined ? {} : { [camel(name)]: cents(String(sale[name])) });
      const result = columnsOf({
        proceeds: cents(String(sale.proceeds)),
        correctBasis: cents(String(sale.correct_basis)),
        term: sale.term as 'short' | 'long',
        basisReported: sale.basis_reported === true,
        ...amount('reported_basis'),
        ...amount('wash_disallowed'),
        ...amount('home_exclusion'),
        ...amount('nondeductible_loss'),
        ...(sale.unreflected_selling_expense === undefined
          ? {}
          : { unreflectedCosts: cents(String(sale.unreflected_selling_expense)) }),
        ...(sale.ordinary_1244_loss === undefined ? {} : { ordinaryLoss: cents(String(sale.ordinary_1244_loss)) }),
      });
      const [expected = {}] = worked.expected.disposals;
      expect({
        proceeds: formatCents(result.proceeds),
        basis: formatCents(result.basis),
        code: result.code,
        adjustment: formatCents(result.adjustment),
        gain: formatCents(result.gain),
      }).toEqual({
        proceeds: String(expected.proceeds),
        basis: String(expected.basis),
        code: String(expected.code),
        adjustment: String(expected.adjustment),
        gain: String(expected.gain),
      });
    });
  }
});

describe('columns (e) to (h) of a reported sale', () => {
  const sale = { proceeds: cents('1000'), correctBasis: cents('900') };

  test('without a form, the correct basis and no code', () => {
    expect(columns(sale)).toEqual(['1000.00', '900.00', '', '0.00', '100.00']);
  });

  test('a reported basis stays in (e) and is corrected in (g)', () => {
    const reported = { ...sale, basisReported: true };
    expect(columns({ ...reported, reportedBasis: cents('950') })).toEqual([
      '1000.00',
      '950.00',
      'B',
      '50.00',
      '100.00',
    ]);
    expect(columns({ ...reported, reportedBasis: cents('800') })).toEqual([
      '1000.00',
      '800.00',
      'B',
      '-100.00',
      '100.00',
    ]);
  });

  test('a basis that did not go to the IRS is replaced in (e), with B and nothing in (g)', () => {
    expect(columns({ ...sale, reportedBasis: cents('100') })).toEqual(['1000.00', '900.00', 'B', '0.00', '100.00']);
  });

  test('a selling fee that the form leaves out is code E', () => {
    expect(columns({ ...sale, unreflectedCosts: cents('9.99') })).toEqual(['1000.00', '900.00', 'E', '-9.99', '90.01']);
  });

  test('the wrong type of gain on the form is code T', () => {
    expect(columns({ ...sale, termShown: 'long' })[2]).toBe('T');
  });

  test('a wash amount on the form is answered with W also where nothing was disallowed', () => {
    expect(columns({ ...sale, washShown: cents('12') }).slice(2, 4)).toEqual(['W', '0.00']);
  });

  test('accrued market discount takes no more than the gain', () => {
    expect(columns({ ...sale, accruedMarketDiscount: cents('60') }).slice(2)).toEqual(['D', '-60.00', '40.00']);
    expect(columns({ ...sale, accruedMarketDiscount: cents('160') }).slice(2)).toEqual(['D', '-100.00', '0.00']);
  });

  test('a nominee ends with nothing', () => {
    expect(columns({ ...sale, nominee: true }).slice(2)).toEqual(['N', '-100.00', '0.00']);
  });

  test('a collectible carries its flag without an amount', () => {
    expect(columns({ ...sale, collectible: true }).slice(2)).toEqual(['C', '0.00', '100.00']);
  });
});

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
