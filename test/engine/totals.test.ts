import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Cents } from '../../src/base/decimal.ts';
import { disposalWith } from '../../src/engine/book/plain-disposal.ts';
import type { Disposal, WashSale } from '../../src/engine/model.ts';
import { buildLines, summarize } from '../../src/engine/rules/year/year.ts';
import { draws } from '../support/depth.ts';
import { books } from '../support/ledger.ts';

const { lines } = books('buy 2024-01-02 10 X @1000\nsell 2024-03-04 10 X @900');
const [pattern] = lines;
if (pattern === undefined) throw new Error('A sale makes a line.');

/** Small and large amounts in cents: most fit in a double, some do not, and sums of amounts that fit may not fit. */
const cents = fc.oneof(
  fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
  fc.bigInt({ min: 2n ** 53n - 100n, max: 2n ** 53n + 100n }),
  fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }),
);
const disposal = fc
  .tuple(cents, cents, cents, fc.constantFrom('short', 'long'), fc.constantFrom('A', 'F'), fc.constantFrom('X', 'Y'))
  .map(([proceeds, basis, adjustment, term, box, asset]) => {
    return disposalWith(pattern.disposal, { proceeds, basis, adjustment, term, box, asset } as Partial<Disposal>);
  });

test('totals are the sums of the lines to the cent, for any size and order', () => {
  fc.assert(
    fc.property(fc.array(disposal, { maxLength: 12 }), cents, (some, disallowed) => {
      const disposals = some.map((one, at) => ({ ...one, id: `s${at}/0` }));
      if (some[0] !== undefined && some[0].proceeds >= some[0].basis) return;
      const wash = { kind: 'wash', disposalId: 's0/0', disallowed: disallowed as Cents, permanent: false } as WashSale;
      const facts = { disposals, washes: [wash], incomes: [], contracts: [], issues: [] };
      const summary = summarize(2024, facts);
      const own = buildLines(disposals, [wash]);
      const totalsOf = (lines: typeof own) => ({
        proceeds: lines.reduce((sum, line) => sum + line.disposal.proceeds, 0n),
        basis: lines.reduce((sum, line) => sum + line.disposal.basis, 0n),
        adjustment: lines.reduce((sum, line) => sum + line.adjustment, 0n),
        gain: lines.reduce((sum, line) => sum + line.gain, 0n),
        count: lines.length,
      });
      const where = (is: (one: Disposal) => boolean) => totalsOf(own.filter((line) => is(line.disposal)));
      expect<object>(summary.total).toEqual(totalsOf(own));
      expect<object>(summary.shortTerm).toEqual(where((one) => one.term === 'short'));
      for (const { box, ...totals } of summary.boxes) expect<object>(totals).toEqual(where((one) => one.box === box));
      for (const { asset, assetClass: _, ...totals } of summary.assets) {
        expect<object>(totals).toEqual(where((one) => one.asset === asset));
      }
      expect(summarize(2024, { ...facts, disposals: disposals.toReversed() })).toEqual(summary);
    }),
    { numRuns: draws(100, 500) },
  );
});
