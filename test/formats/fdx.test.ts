import { expect, test } from 'bun:test';
import { formatDay } from '../../src/base/day.ts';
import { formatMoney, formatQuantity } from '../../src/base/decimal.ts';
import { readWhole } from './reading.ts';

/** Forms 1099 as FDX tax documents. They are read like the lines of a CSV with the names of the boxes as columns. */

const detail = {
  checkboxOnForm8949: 'G',
  digitalAssetCode: 'BTC',
  numberOfUnits: 0.5,
  dateAcquired: '2026-01-05',
  dateOfSale: '2026-03-05',
  salesPrice: 30000.1,
  costBasis: 25000,
};
const formOf = (more: object = {}) => ({
  taxYear: 2026,
  issuer: { name1: 'Exchange' },
  securityDetails: [{ ...detail, ...more }],
});

test('a line has the box, the dates and the amounts from the form', async () => {
  const { format, drafts } = await readWhole(JSON.stringify({ tax1099DA: formOf() }));
  const [draft] = drafts;
  expect(format).toBe('form-1099');
  expect(drafts).toHaveLength(1);
  expect(draft).toMatchObject({
    type: 'reported_sale',
    asset: 'BTC',
    assetClass: 'crypto',
    account: 'Broker',
    box: 'G',
  });
  expect([formatDay(draft?.on ?? (0 as never)), formatMoney(draft?.amount ?? (0n as never))]).toEqual([
    '2026-03-05',
    '30000.10',
  ]);
});

test('numbers are exact and never converted to floats', async () => {
  const text = JSON.stringify({ tax1099DA: formOf() })
    .replace('30000.1', '900719925474099.31234567')
    .replace('"numberOfUnits":0.5', '"numberOfUnits":0.123456789012345678');
  const [draft] = (await readWhole(text)).drafts;
  expect(formatMoney(draft?.amount ?? (0n as never))).toBe('900719925474099.31234567');
  expect(formatQuantity(draft?.quantity ?? (0n as never))).toBe('0.123456789012345678');
});

test('forms from several payers name the account, and with one payer the request names it', async () => {
  const two = {
    forms: [
      { tax1099DA: formOf() },
      { tax1099B: { ...formOf({ checkboxOnForm8949: 'A' }), issuer: { name1: 'Broker' } } },
    ],
  };
  expect((await readWhole(JSON.stringify(two))).drafts.map(({ account }) => account)).toEqual(['Exchange', 'Broker']);
  expect((await readWhole(JSON.stringify({ tax1099DA: formOf() }), { account: 'Mine' })).drafts[0]?.account).toBe(
    'Mine',
  );
});

test('the box follows from the term and the reporting of the basis', async () => {
  const readBox = async (form: string, more: object) => {
    const { drafts } = await readWhole(JSON.stringify({ [form]: formOf({ checkboxOnForm8949: undefined, ...more }) }));
    return drafts[0]?.box ?? null;
  };
  expect(await readBox('tax1099B', { longOrShort: 'SHORT', noncoveredSecurity: false })).toBe('A');
  expect(await readBox('tax1099B', { longOrShort: 'LONG', basisReported: false })).toBe('E');
  expect(await readBox('tax1099DA', { longOrShort: 'SHORT', noncoveredSecurity: true })).toBe('H');
  expect(await readBox('tax1099DA', { longOrShort: 'LONG', basisReported: true })).toBe('J');
  // Without a term, the box follows from the dates. Without dates, it is unknown.
  expect(await readBox('tax1099DA', { basisReported: true })).toBe('G');
  expect(await readBox('tax1099DA', { basisReported: true, dateAcquired: '2024-01-05' })).toBe('J');
  expect(await readBox('tax1099DA', { basisReported: true, dateAcquired: undefined, variousDatesAcquired: true })).toBe(
    null,
  );
});

test('a corrected form marks its lines, and a total of many sales is one row of December 31', async () => {
  const corrected = { ...formOf(), corrected: true, taxFormId: 'X7' };
  expect((await readWhole(JSON.stringify({ tax1099DA: corrected }))).drafts[0]?.externalId).toBe('X7-1/corrected');
  const total = formOf({
    digitalAssetCode: 'USDC',
    dateAcquired: undefined,
    dateOfSale: undefined,
    numberOfTransactions: 40,
  });
  const [draft] = (await readWhole(JSON.stringify({ tax1099DA: total }))).drafts;
  expect(draft).toMatchObject({ type: 'reported_total', asset: 'USDC', assetClass: 'crypto' });
  expect(formatDay(draft?.on ?? (0 as never))).toBe('2026-12-31');
});

test('a line that cannot be read is rejected with its column, not dropped', async () => {
  const { outcomes } = await readWhole(JSON.stringify({ tax1099DA: formOf({ salesPrice: 'much' }) }));
  expect(outcomes.map((outcome) => (outcome.kind === 'rejected' ? outcome.issue.column : outcome.kind))).toEqual([
    'Proceeds',
  ]);
});

test('JSON without a form, and text that only begins like JSON, are not read as CSV', async () => {
  for (const text of ['{"hello": [1, 2]}', '{"tax1099B": {"securityDetails": [', '[1,2,3]\n[4,5,6]']) {
    expect(readWhole(text)).rejects.toThrow();
  }
});

/** Lines of Form 1099-DA with basis: a row of check marks, and the expected box and basis. */
const marks = [
  ['a covered line', 'Yes,No,Short,01/05/2026', 'G', '25000.00'],
  ['a covered line without the mark of box 2', ',No,Short,01/05/2026', 'G', '25000.00'],
  ['a covered line held for more than a year', 'Yes,No,Long,01/05/2025', 'J', '25000.00'],
  ['combined covered and noncovered units, which are not marked as noncovered', 'Yes,No,Long,Various', 'J', '25000.00'],
  ['a noncovered line with basis for the customer alone', 'No,Yes,Short,01/05/2026', 'H', '25000.00'],
  ['a noncovered line with basis that was reported', 'Yes,Yes,Long,01/05/2020', 'J', '25000.00'],
  ['a noncovered line whose term follows from the dates', ',Yes,,01/05/2020', 'K', '25000.00'],
  ['a line of various days without a term', 'Yes,No,,Various', null, '25000.00'],
  ['a line without marks', ',,Short,01/05/2026', null, '25000.00'],
] as const;

test.each(marks)('the box of %s', async (_what, cells, box, basis) => {
  const [reported, noncovered, term, acquired] = cells.split(',');
  const csv = `Name of digital asset,Number of units,Date acquired,Date sold or disposed,Proceeds,Cost or other basis,Basis reported to IRS,Noncovered security,Type of gain or loss,Federal income tax withheld
BTC,0.5,${acquired},03/05/2026,30000.00,${basis},${reported},${noncovered},${term},
`;
  const [draft] = (await readWhole(csv)).drafts;
  expect(draft?.box ?? null).toBe(box);
  expect(draft).toMatchObject({ type: 'reported_sale', asset: 'BTC', assetClass: 'crypto' });
  expect(formatMoney(draft?.basis ?? (0n as never))).toBe(basis);
});

test('tax withheld from the proceeds of a line becomes a separate row, in both notations of a form', async () => {
  const csv = `Name of digital asset,Number of units,Date acquired,Date sold or disposed,Proceeds,Cost or other basis,Federal income tax withheld
BTC,0.5,01/05/2027,03/05/2027,30000.00,25000.00,7200.00
`;
  for (const text of [csv, JSON.stringify({ tax1099DA: formOf({ federalTaxWithheld: 7200 }) })]) {
    const { drafts } = await readWhole(text);
    expect(drafts.map(({ type, amount }) => `${type} ${formatMoney(amount ?? (0n as never))}`).sort()).toEqual([
      expect.stringMatching(/^reported_sale 30000/),
      'withholding 7200.00',
    ]);
  }
});
