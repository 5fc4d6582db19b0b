import { afterAll, beforeAll, expect, test } from 'bun:test';
import { allText, readPdf } from '../forms/pdf.ts';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { importCsv } from '../support/books.ts';

const rows = `date,type,account,asset,quantity,amount,fee,acquired,basis,box
2022-01-10,buy,Fidelity,KO,100,5000,0,,,
2024-03-04,buy,Fidelity,PEP,30,5100,0,,,
2024-04-18,sell,Fidelity,PEP,30,4500,0,,,
2024-06-03,sell,Fidelity,KO,40,2600,5.4,,,
2024-04-18,reported_sale,Fidelity,PEP,30,4500,,2024-03-04,5100,A
2024-06-03,reported_sale,Fidelity,KO,40,2600,,2022-01-10,2000,D
`;
let service: TestApp;
let person: TestClient;
let path: string;
beforeAll(async () => {
  service = await testApp({ clock: testClock('2025-03-10T21:30:00Z') });
  person = await service.register();
  await importCsv(person, rows);
  const { id } = await person.json<{ id: string }>('POST', '/v1/tax/reports', { body: { year: 2024 } }, 201);
  path = `/v1/tax/reports/${id}/notice`;
});
afterAll(() => service.close());

const notice = (...lines: object[]) => ({ noticeDate: '2026-03-02', responseDue: '2026-04-01', lines });
const ko = { payer: 'FIDELITY BROKERAGE', description: '40 SH KO', proceeds: '2600' };

test('a line matches the row of the Form 1099, with the reason for the difference', async () => {
  const { lines, totals } = await person.json<{ lines: object[]; totals: object }>('POST', path, {
    body: notice(ko, { payer: 'FIDELITY BROKERAGE', description: 'VARIOUS', proceeds: '9' }),
  });
  expect(lines[0]).toMatchObject({
    ...{ state: 'matched', position: 'disagree', proposed: '2600.00', difference: '-2005.40' },
    match: { account: 'Fidelity', asset: 'KO', basis: '2000.00', adjustment: '-5.40', gain: '594.60', lines: 1 },
  });
  expect(lines[0]).toMatchObject({ match: { reason: 'The form shows proceeds before the fee.' } });
  expect(lines[1]).toMatchObject({ state: 'open', position: 'undecided', difference: null });
  expect(totals).toMatchObject({ open: '9.00', openCount: 1, difference: '-2005.40' });
});

test('the packet is one PDF with the letter, the statement and the source rows', async () => {
  const address = '12 Elm St\nSpringfield, IL';
  const response = await person.request('POST', `${path}/download`, { body: { ...notice(ko), address } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(response.headers.get('content-disposition')).toContain('cp2000-2024.pdf');
  const text = allText(await readPdf(new Uint8Array(await response.arrayBuffer())));
  for (const words of ['12 Elm St', 'I disagree with its line.', 'Code E', 'line 5']) expect(text).toContain(words);
});

test('an invalid notice is refused with the member', async () => {
  const refused = async (body: object) =>
    person
      .json<{ errors: { pointer: string }[] }>('POST', path, { body }, 422)
      .then(({ errors }) => errors[0]?.pointer);
  expect(await refused({ ...notice(ko), noticeDate: '2026-02-30' })).toBe('/noticeDate');
  expect(await refused(notice({ ...ko, proceeds: '-1' }))).toBe('/lines/0/proceeds');
  expect(await refused(notice({ ...ko, payer: ' ' }))).toBe('/lines/0/payer');
  expect(await refused(notice(ko, { ...ko, sale: 'x' }))).toBe('/lines/1/sale');
  expect(await refused(notice())).toBe('/lines');
});
