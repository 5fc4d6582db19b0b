import { describe, expect, test } from 'bun:test';
import { formatDay } from '../../src/base/day.ts';
import { formatMoney, formatQuantity, type Quantity } from '../../src/base/decimal.ts';
import type { Line, WashSale } from '../../src/engine/model.ts';
import type { Draft } from '../../src/formats/format.ts';
import { fdxReport } from '../../src/forms/exports/fdx.ts';
import { boxOrder } from '../../src/forms/lines.ts';
import type { ReportBooks } from '../../src/forms/report.ts';
import { readWhole } from '../formats/reading.ts';
import { books, cents, line, readText } from './books.ts';

/** Returns the report as FDX documents, read by our own import. */

const washed = { code: 'W', adjustment: '120.55', proceeds: '900719925474099.31', basis: '900719925474219.86' };
const year: readonly Line[] = [
  ...boxOrder.map((box) => line({ box, asset: `NAME${box}`, sold: '2025-06-03', proceeds: '1000.10' })),
  line({ ...washed, box: 'A', asset: 'ACME', acquired: '2025-01-06', sold: '2025-03-05' }),
  line({ ...washed, box: 'H', asset: 'BTC', sold: '2025-03-05', quantity: '0.123456789012345678' }),
  line({ box: 'D', asset: 'OLD', sold: '2025-12-31', more: { account: 'BRK2', acquiredVarious: true } }),
  line({ box: 'K', asset: 'ETH', sold: '2025-12-31', more: { account: 'A "coin", exchange' } }),
  line({ box: 'A', asset: 'ACME 2025-12-19 C 50', assetClass: 'option', acquired: '2025-12-19', sold: '2025-04-08' }),
];

/** Returns the facts of a line that a document can contain. */
function ofLine({ disposal, code, adjustment }: Line): unknown {
  return {
    account: disposal.account,
    asset: disposal.asset,
    quantity: formatQuantity(disposal.quantity),
    acquired: disposal.acquiredVarious === true ? null : formatDay(disposal.acquired),
    sold: formatDay(disposal.sold),
    proceeds: formatMoney((disposal.proceeds * 1_000_000n) as never),
    basis: formatMoney((disposal.basis * 1_000_000n) as never),
    code,
    adjustment: formatMoney((adjustment * 1_000_000n) as never),
    term: disposal.term,
    box: disposal.box,
  };
}

function ofDraft(draft: Draft): unknown {
  const wash = draft.wash ?? null;
  return {
    account: draft.account,
    asset: draft.asset,
    quantity: formatQuantity(draft.quantity as Quantity),
    acquired: draft.acquired == null ? null : formatDay(draft.acquired),
    sold: formatDay(draft.on),
    proceeds: formatMoney(draft.amount as never),
    basis: formatMoney(draft.basis as never),
    code: wash === null ? '' : 'W',
    adjustment: formatMoney((wash ?? 0n) as never),
    term: draft.term,
    box: draft.box,
  };
}

const written = (of: ReportBooks): Promise<string> => readText(fdxReport.render(of));
const sorted = (all: readonly unknown[]): string[] => all.map((one) => JSON.stringify(one)).sort();

describe('FDX', () => {
  test('the lines of a year are read back unchanged', async () => {
    const { format, drafts, outcomes } = await readWhole(await written(books(2025, year)));
    expect([format, outcomes.length]).toEqual(['form-1099', year.length]);
    expect(sorted(drafts.map(ofDraft))).toEqual(sorted(year.map(ofLine)));
    const coins = drafts.filter(({ assetClass }) => assetClass === 'crypto').map(({ box }) => box);
    expect(coins.sort().join('')).toBe('GHHIJKKL');
  });

  test('an account has a form of each kind, which contains the details', async () => {
    const lines = [line({ box: 'A' }), line({ box: 'G', asset: 'BTC' }), line({ box: 'B' })];
    const { taxYear, forms, ...others } = JSON.parse(await written(books(2025, lines)));
    expect([taxYear, others]).toEqual([2025, {}]);
    const [{ tax1099B }, { tax1099DA }] = forms;
    expect([tax1099B.accountId, tax1099B.taxYear, tax1099B.securityDetails.length]).toEqual(['BRK1', 2025, 2]);
    expect(tax1099DA.securityDetails).toEqual([
      {
        checkboxOnForm8949: 'G',
        digitalAssetName: 'BTC',
        saleDescription: '100 BTC',
        numberOfUnits: 100,
        dateAcquired: '2024-02-01',
        dateOfSale: '2024-06-03',
        salesPrice: 1000,
        costBasis: 900,
        longOrShort: 'SHORT',
      },
    ]);
  });

  test('a draft is marked on the statement and on each form, and its lines equal those in a final file', async () => {
    const final = books(2025, year);
    const draft = { ...final, summary: { ...final.summary, issues: 2 } };
    const mark = [{ name: 'status', value: 'DRAFT: 2 open issues' }];
    const { attributes, forms } = JSON.parse(await written(draft));
    expect(attributes).toEqual(mark);
    const each = forms.flatMap((form: object) => Object.values(form));
    expect(each.map((form: { attributes: unknown }) => form.attributes)).toEqual([mark, mark, mark, mark]);
    expect((await readWhole(await written(draft))).drafts).toEqual((await readWhole(await written(final))).drafts);
    expect(JSON.parse(await written({ ...draft, lines: [] }))).toEqual({ taxYear: 2025, attributes: mark, forms: [] });
  });

  test('only the wash sale code is exported if there are several codes, with a warning', async () => {
    const both = line({ box: 'B', code: 'BW', adjustment: '70', basis: '1500' });
    const wash = { disposalId: both.disposal.id, disallowed: cents('50') } as WashSale;
    const of = books(2025, [both, line({ box: 'A', code: 'B', adjustment: '5' })], { washSales: [wash] });
    const { drafts } = await readWhole(await written(of));
    expect(drafts.map((draft) => (draft.wash == null ? null : formatMoney(draft.wash)))).toEqual([null, '50.00']);
    expect(fdxReport.warnings?.(of)).toEqual([
      'This file includes wash sale amounts but no other adjustments. Enter 2 adjustments manually.',
    ]);
  });

  test('inherited property has the date of death and the term, with a warning', async () => {
    const of = books(2025, [line({ box: 'F', acquired: '2025-01-06', sold: '2025-02-03', more: { inherited: true } })]);
    const [draft] = (await readWhole(await written(of))).drafts;
    expect([formatDay(draft?.acquired ?? (0 as never)), draft?.term]).toEqual(['2025-01-06', 'long']);
    expect(fdxReport.warnings?.(of)).toEqual([
      '1 line is inherited property. The date acquired is the date of death: mark it as inherited manually.',
      '1 line was not on a Form 1099 (boxes C, F, I and L). After the import, check the box.',
    ]);
  });

  test('the choices for rows apply: whole dollars, and one row for the lots of a sale', async () => {
    const lots = [
      line({ box: 'A', id: 's1/0', acquired: '2024-01-02', proceeds: '10.60', basis: '5.40' }),
      line({ box: 'A', id: 's1/1', acquired: '2024-02-02', proceeds: '10.60', basis: '5.40' }),
    ];
    const of = books(2024, lots, { wholeDollars: true, choices: { merge: 'sale' } });
    const [{ tax1099B }] = JSON.parse(await written(of)).forms;
    expect(tax1099B.securityDetails).toHaveLength(1);
    expect(tax1099B.securityDetails[0]).toMatchObject({
      variousDatesAcquired: true,
      numberOfShares: 200,
      salesPrice: 21,
      costBasis: 11,
    });
  });
});
