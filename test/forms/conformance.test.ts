import { describe, expect, test } from 'bun:test';
import { reportFormats } from '../../src/forms/index.ts';
import { boxOrder } from '../../src/forms/lines.ts';
import type { ReportBooks } from '../../src/forms/report.ts';
import { books, cents, day, line, quantity, readBytes } from './books.ts';
import { readPdf } from './pdf.ts';
import { unzippedBytes } from './unzip.ts';

/** Requirements for every report: each year below renders, has the stated file type, and never changes. */
const years: readonly (readonly [string, ReportBooks])[] = [
  ['an empty year', books(2025, [])],
  ['one line', books(2024, [line()])],
  [
    'many lines in every box',
    books(
      2025,
      Array.from({ length: 300 }, (_, index) => line({ box: boxOrder[index % 12] ?? 'A' })),
    ),
  ],
  ['negative proceeds and gains', books(2025, [line({ proceeds: '-12.34', basis: '56.78' })])],
  ['inherited property', books(2025, [line({ box: 'F', more: { inherited: true } })])],
  ['a short sale', books(2025, [line({ acquired: '2025-03-10', sold: '2025-03-10', more: { shortSale: true } })])],
  [
    'a written option that expired',
    books(2025, [
      line({
        asset: 'JJJ 2025-12-19 C 50',
        assetClass: 'option',
        acquired: '2025-12-19',
        sold: '2025-04-08',
        basis: '0',
        more: { expired: 'basis' },
      }),
    ]),
  ],
  [
    'names that are not Latin',
    books(2025, [line({ asset: 'Газпром 東京 🚀' })], { taxpayer: { name: 'Жанна Δ', tin: '' } }),
  ],
  [
    'huge numbers',
    books(2025, [
      line({ proceeds: '999999999999999', basis: '0.01', quantity: '99999999999999999999.999999999999999999' }),
    ]),
  ],
  ['whole dollars', books(2025, [line({ proceeds: '1.50', basis: '0.49' })], { wholeDollars: true })],
  ['a draft', books(2025, [line()], { issues: [issue()] })],
  ['everything beside lines', rich()],
];

test('the registry lists each report once, under the names in the API', () => {
  expect(reportFormats.map((format) => format.id).sort()).toEqual([
    '8949',
    'csv',
    'drake',
    'fdx',
    'form-8997-csv',
    'json',
    'pdf',
    'preparer',
    'reconciliation',
    'reconciliation-csv',
    'taxact',
    'turbotax',
    'txf',
  ]);
});

for (const format of reportFormats) {
  describe(format.name, () => {
    for (const [name, of] of years) {
      test(`renders ${name}`, async () => {
        const bytes = await readBytes(format.render(of));
        expect(bytes.length).toBeGreaterThan(0);
        await readable(format.mediaType, bytes);
        expect(format.fileName(of)).toMatch(/^[a-z0-9-]+\.[a-z]+$/);
        for (const warning of format.warnings?.(of) ?? []) expect(warning).toMatch(/^[A-Z0-9].*[.]$/);
      });
    }

    test('the same books produce the same bytes, even after being sent to a Worker', async () => {
      const of = rich();
      const first = await readBytes(format.render(of));
      const second = await readBytes(format.render(structuredClone(of)));
      expect(Buffer.compare(first, second)).toBe(0);
    });

    test('the books are not changed', async () => {
      const of = rich();
      const before = structuredClone(of);
      await readBytes(format.render(of));
      expect(of).toEqual(before);
    });
  });
}

async function readable(mediaType: string, bytes: Uint8Array): Promise<void> {
  if (mediaType === 'application/pdf') {
    const { pages } = await readPdf(bytes);
    expect(pages.every((page) => page.length > 0)).toBe(true);
    return;
  }
  if (mediaType === 'application/zip') {
    for (const [name, content] of Object.entries(unzippedBytes(bytes))) {
      const kind = reportFormats.find((format) => format.fileName(books(2025, [])).slice(-4) === name.slice(-4));
      await readable(kind?.mediaType ?? 'text/plain', new Uint8Array(content));
    }
    return;
  }
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  if (mediaType === 'application/json') JSON.parse(text);
  else expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
}

function issue(): ReportBooks['issues'][number] {
  return {
    kind: 'issue',
    causedOn: day('2025-05-05'),
    id: 'i1',
    issue: 'basis_missing',
    on: day('2025-05-05'),
    asset: 'BTC',
    account: 'Kraken',
    transactions: ['s1'],
    dollars: cents('10'),
    detail: 'The basis of 0.5 BTC is not known and stands as zero.',
  };
}

function rich(): ReportBooks {
  const washed = line({ id: 'w1/0', box: 'A', code: 'W', adjustment: '50', proceeds: '100', basis: '200' });
  const on = day('2025-06-30');
  return books(2025, [washed, line({ id: 'w2/0', box: 'L', asset: 'BTC' })], {
    issues: [issue()],
    washSales: [
      {
        kind: 'wash',
        causedOn: on,
        id: 'w1/0/r1/0',
        disposalId: 'w1/0',
        on,
        replacementLotId: 'r1/0',
        replacementTransactionId: 'r1',
        quantity: quantity('50'),
        disallowed: cents('50'),
        permanent: false,
      },
    ],
    incomes: [
      {
        kind: 'income',
        causedOn: on,
        id: 'd1/0',
        transactionId: 'd1',
        on,
        type: 'dividend',
        asset: 'XYZ',
        account: 'BRK1',
        amount: 12_345_678n as never,
      },
    ],
    contracts: [
      {
        kind: 'contract_1256',
        causedOn: on,
        id: 'f1/0',
        transactionId: 'f1',
        on,
        asset: 'ES',
        account: 'BRK1',
        gain: cents('-100'),
      },
    ],
    openLots: [
      {
        id: 'l1/0',
        asset: 'XYZ',
        assetClass: 'stock',
        account: 'BRK1',
        quantity: quantity('0.5'),
        basis: cents('12.34'),
        acquired: on,
        heldSince: on,
        inherited: false,
      },
    ],
    taxableIncome: 5_000_000_000_000n as never,
    filingStatus: 'mfs',
    rules: {
      method: 'HIFO',
      methodByAccount: { Kraken: 'LIFO' },
      methodFrom: [{ year: 2024, method: 'FIFO' }],
      digitalAssetScopeBefore2025: 'universal',
      washSales: 'all_assets',
      accounts: { BRK1: { type: 'taxable', form: '1099-B', basisReported: true }, IRA: { type: 'roth_ira' } },
    },
  });
}
