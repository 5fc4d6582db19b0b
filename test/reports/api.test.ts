import { afterAll, beforeAll, expect, test } from 'bun:test';
import { reportFormats } from '../../src/forms/index.ts';
import { allText, readPdf } from '../forms/pdf.ts';
import { unzipped, unzippedBytes } from '../forms/unzip.ts';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { plainBooks } from './plain-books.ts';
import { withReport } from './stored.ts';

interface Report {
  id: string;
  year: number;
  revision: string;
  stale: boolean;
  createdAt: string;
  formats: string[];
}
interface List {
  data: Report[];
  hasMore: boolean;
  nextCursor: string | null;
}

const trades = `date,type,account,asset,quantity,amount
2023-01-02,buy,Schwab,AAPL,10,1000
2023-06-03,sell,Schwab,AAPL,1,90
2024-06-03,sell,Schwab,AAPL,4,600
`;
const clock = testClock('2025-03-10T21:30:00Z');
let service: TestApp;
beforeAll(async () => {
  service = await testApp({ clock });
});
afterAll(() => service.close());

const importCsv = (person: TestClient, csv: string, query = '') =>
  person.json<{ id: string }>(
    'POST',
    `/v1/transactions/import${query}`,
    { body: csv, headers: { 'content-type': 'text/csv' } },
    201,
  );
const make = (person: TestClient, year: number) =>
  person.json<Report>('POST', '/v1/tax/reports', { body: { year } }, 201);
const download = (person: TestClient, id: string, query = '', headers: Record<string, string> = {}) =>
  person.request('GET', `/v1/tax/reports/${id}/download${query}`, { headers });
const readBytes = async (response: Response) => Buffer.from(await response.arrayBuffer());

test('a report for a year is bound to its books, and available in every format', async () => {
  const person = await service.register();
  await importCsv(person, trades);
  const report = await make(person, 2024);
  const summary = await person.json<{ revision: string }>('GET', '/v1/tax/summary?year=2024');
  expect(report).toEqual({
    id: report.id,
    year: 2024,
    revision: summary.revision,
    stale: false,
    createdAt: '2025-03-10T21:30:00.000Z',
    formats: reportFormats.map(({ id }) => id),
  });
  expect(await person.json<Report>('GET', `/v1/tax/reports/${report.id}`)).toEqual(report);
  expect((await person.json<List>('GET', '/v1/tax/reports')).data).toEqual([report]);
  expect((await person.json<List>('GET', '/v1/tax/reports?year=2024')).data).toEqual([report]);
  expect((await person.json<List>('GET', '/v1/tax/reports?year=2023')).data).toEqual([]);
});

test('each format downloads with its media type and a file name, and is not cached', async () => {
  const person = await service.register();
  await importCsv(person, trades);
  const { id, formats } = await make(person, 2024);
  for (const format of formats) {
    const response = await download(person, id, `?format=${format}`);
    expect([format, response.status]).toEqual([format, 200]);
    expect(response.headers.get('content-type')).toBe(
      reportFormats.find((each) => each.id === format)?.mediaType ?? '',
    );
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w. -]*2024[\w. -]*"$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await readBytes(response)).length).toBeGreaterThan(100);
  }
});

test('the ZIP for a preparer contains the same files as the single downloads, marked as drafts', async () => {
  const person = await service.register('PRO');
  await importCsv(person, `${trades}2024-07-01,sell,Schwab,GHOST,1,50\n2024-03-02,reported_sale,Schwab,AAPL,1,200\n`);
  const { id } = await make(person, 2024);
  const response = await download(person, id, '?format=preparer');
  const name = /filename="for-my-preparer-2024-(draft-\d-open-issues?)\.zip"/.exec(
    response.headers.get('content-disposition') ?? '',
  );
  const files = unzippedBytes(await readBytes(response));
  for (const format of ['8949', 'pdf', 'csv', 'txf', 'fdx', 'reconciliation']) {
    const single = await download(person, id, `?format=${format}`);
    const fileName = /filename="([^"]+)"/.exec(single.headers.get('content-disposition') ?? '')?.[1] ?? '';
    expect(fileName).toContain(name?.[1] ?? 'no draft');
    expect([fileName, files[fileName]?.equals(await readBytes(single))]).toEqual([fileName, true]);
  }
  expect(files[`open-issues-2024-${name?.[1]}.csv`]?.toString()).toContain('GHOST');
  expect(files['README.txt']?.toString()).toContain(`reconciliation-2024-${name?.[1]}.pdf`);
});

test('without a format the Accept header selects one, and the default is Form 8949', async () => {
  const { person, id } = await withReport(service, plainBooks(3));
  const readType = async (accept?: string) =>
    (await download(person, id, '', accept === undefined ? {} : { accept })).headers.get('content-type');
  expect(await readType()).toBe('application/pdf');
  expect(await readType('*/*')).toBe('application/pdf');
  expect(await readType('text/csv')).toStartWith('text/csv');
  expect(await readType('application/json')).toBe('application/json');
});

test('the same report has the same bytes, each time and in each format', async () => {
  const { person, id } = await withReport(service, plainBooks(40));
  for (const { id: format } of reportFormats) {
    const first = await readBytes(await download(person, id, `?format=${format}`));
    await Bun.sleep(5);
    const again = await readBytes(await download(person, id, `?format=${format}`));
    expect([format, Buffer.compare(first, again)]).toEqual([format, 0]);
  }
});

test('the JSON file uses the ids of the API for lines and issues, so that each can be looked up', async () => {
  const person = await service.register('PRO');
  await importCsv(person, `${trades}2024-07-01,sell,Schwab,GHOST,1,50\n`);
  const { id } = await make(person, 2024);
  const file = await (await download(person, id, '?format=json')).json();
  for (const line of file.lines as { id: string }[]) {
    expect((await person.request('GET', `/v1/tax/disposals/${line.id}/explain`)).status).toBe(200);
  }
  const idsOf = (items: readonly { id: string }[]) => items.map((item) => item.id).sort();
  const { data } = await person.json<{ data: { id: string }[] }>('GET', '/v1/tax/issues');
  expect(idsOf(file.issues)).toEqual(idsOf(data));
  expect(idsOf(file.lines)).toHaveLength(2);
});

test('the same books produce the same report, and changed books produce another report and make the first one outdated', async () => {
  const person = await service.register();
  const { id: imported } = await importCsv(person, trades);
  const first = await make(person, 2024);
  expect((await make(person, 2024)).id).toBe(first.id);
  const csv = await readBytes(await download(person, first.id, '?format=csv'));

  const more = 'date,type,account,asset,quantity,amount\n2024-07-01,sell,Schwab,AAPL,1,200\n';
  const { id: later } = await importCsv(person, more);
  expect(await person.json<Report>('GET', `/v1/tax/reports/${first.id}`)).toMatchObject({ stale: true });
  const second = await make(person, 2024);
  expect(second.id).not.toBe(first.id);
  expect(second.stale).toBe(false);
  // The earlier report is unchanged.
  expect(Buffer.compare(await readBytes(await download(person, first.id, '?format=csv')), csv)).toBe(0);

  await person.json('DELETE', `/v1/imports/${later}`);
  expect((await make(person, 2024)).id).toBe(first.id);
  expect(await person.json<Report>('GET', `/v1/tax/reports/${first.id}`)).toMatchObject({ stale: false });
  await person.json('DELETE', `/v1/imports/${imported}`);
  expect((await person.json<List>('GET', '/v1/tax/reports')).data.map(({ stale }) => stale)).toEqual([true, true]);
});

test('another name on the forms makes a report outdated', async () => {
  const person = await service.register();
  await importCsv(person, trades);
  const { id } = await make(person, 2024);
  await person.json('PATCH', '/v1/account', { body: { taxpayerName: 'Ann & Bob Lee' } });
  expect(await person.json<Report>('GET', `/v1/tax/reports/${id}`)).toMatchObject({ stale: true });
  const renewed = await make(person, 2024);
  expect(renewed.id).not.toBe(id);
  expect(renewed.stale).toBe(false);
});

test('a calculation creates the reports of its years', async () => {
  const person = await service.register();
  await importCsv(person, trades);
  const { reports } = await person.json<{ reports: Report[] }>('POST', '/v1/tax/calculate', { body: {} });
  expect(reports.map(({ year }) => year)).toEqual([2023, 2024]);
  expect((await make(person, 2024)).id).toBe(reports[1]?.id ?? '');
});

test('a year without activity also has a report', async () => {
  const person = await service.register();
  const { id } = await make(person, 2019);
  for (const { id: format } of reportFormats) {
    expect((await download(person, id, `?format=${format}`)).status).toBe(200);
  }
});

test("an unknown report and another user's report get the same response", async () => {
  const { id } = await withReport(service, plainBooks(1));
  const other = await service.register();
  const bodies: unknown[] = [];
  for (const name of [id, 'nothing', '..%2f', '%F0%9F%92%A9']) {
    const download = `/v1/tax/reports/${name}/download`;
    for (const path of [`/v1/tax/reports/${name}`, download, `${download}?format=preparer`]) {
      const response = await other.request('GET', path);
      expect([path, response.status]).toEqual([path, 404]);
      const { instance: _, ...body } = await response.json();
      bodies.push(body);
    }
  }
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  expect((await service.request('GET', `/v1/tax/reports/${id}`)).status).toBe(401);
});

test('invalid years, formats and parameters are refused', async () => {
  const { person, id } = await withReport(service, plainBooks(1));
  for (const body of [{}, { year: 1899 }, { year: 2101 }, { year: 2024.5 }, { year: 2024, more: 1 }]) {
    expect((await person.request('POST', '/v1/tax/reports', { body })).status).toBe(422);
  }
  expect((await download(person, id, '?format=docx')).status).toBe(422);
  expect((await download(person, id, '?style=blue')).status).toBe(400);
});

test('a download can be all parts in a ZIP, one part or other forms, and is refused for unsupported choices', async () => {
  const { person, id } = await withReport(service, plainBooks(5));
  const zip = await download(person, id, '?format=txf&linesMax=2');
  expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const parts = unzipped(new Uint8Array(await zip.arrayBuffer()));
  expect(Object.keys(parts)).toHaveLength(3);
  const last = await download(person, id, '?format=txf&linesMax=2&part=3');
  expect(last.headers.get('content-disposition')).toMatch(/part-3-of-3\.txf"$/);
  expect(await last.text()).toBe(Object.values(parts)[2] ?? '');
  const chosen = '?format=8949&wholeDollars=true&columnB=trade&merge=sale&exception1=true&exception2=true';
  expect((await download(person, id, chosen)).headers.get('content-type')).toBe('application/pdf');
  const refusals = ['format=json&merge=sale', 'format=8949&linesMax=10', 'format=txf&part=2', 'format=csv&linesMax=0'];
  for (const query of [...refusals, 'format=csv&merge=all', 'format=csv&exception2=perhaps']) {
    const response = await download(person, id, `?${query}`);
    expect([query, response.status]).toEqual([query, 422]);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  }
});

test('elected choices apply to each report unless the download overrides them', async () => {
  const person = await service.register();
  await importCsv(person, `${trades}2025-01-03,buy,Kraken,BTC,1,100\n2025-02-03,sell,Kraken,BTC,1,300\n`);
  const plain = await make(person, 2025);
  const elected = { columnB: 'trade', mergeRows: 'sale', digitalAssetsInTxf: 'left_out' };
  expect(await person.json<object>('PATCH', '/v1/tax/settings', { body: elected })).toMatchObject(elected);
  const { id } = await make(person, 2025);
  expect(id).not.toBe(plain.id);
  const digital = async (query: string) =>
    ((await (await download(person, id, query)).text()).match(/BTC/g) ?? []).length;
  expect(await digital('?format=txf')).toBe(0);
  expect(await digital('?format=txf&digitalAssets=as_not_reported')).toBe(1);
  expect(await digital('?format=csv')).toBe(1);
  await person.json('PATCH', '/v1/tax/settings', {
    body: { columnB: null, mergeRows: null, digitalAssetsInTxf: null },
  });
  expect((await make(person, 2025)).id).toBe(plain.id);
});

test('the file name, the type and the warnings of a download are available without the file', async () => {
  const { person, id } = await withReport(service, plainBooks(5));
  const about = await person.json<object>('GET', `/v1/tax/reports/${id}/warnings?format=txf&linesMax=2`);
  expect(about).toMatchObject({ format: 'txf', mediaType: 'application/zip', warnings: expect.any(Array) });
  const pdf = await person.json<{ fileName: string }>('GET', `/v1/tax/reports/${id}/warnings`);
  expect(pdf.fileName).toMatch(/^form-8949-\d+\.pdf$/);
});

test('a report can be created for a client', async () => {
  const cpa = await service.register('CPA');
  const { id: client } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Client' } }, 201);
  await importCsv(cpa, trades, `?client=${client}`);
  const report = await cpa.json<Report>('POST', `/v1/tax/reports?client=${client}`, { body: { year: 2024 } }, 201);
  expect((await cpa.request('GET', `/v1/tax/reports/${report.id}`)).status).toBe(404);
  expect((await download(cpa, report.id, `?client=${client}&format=csv`)).status).toBe(200);
});

test('an Idempotency-Key creates one report', async () => {
  const person = await service.register();
  const headers = { 'idempotency-key': 'report-1' };
  const first = await person.json<Report>('POST', '/v1/tax/reports', { body: { year: 2024 }, headers }, 201);
  expect(await person.json<Report>('POST', '/v1/tax/reports', { body: { year: 2024 }, headers }, 201)).toEqual(first);
  expect((await person.request('POST', '/v1/tax/reports', { body: { year: 2023 }, headers })).status).toBe(422);
});

test('reports are listed newest first, page by page', async () => {
  const person = await service.register();
  for (const year of [2021, 2022, 2023]) await make(person, year);
  const first = await person.json<List>('GET', '/v1/tax/reports?limit=2');
  await make(person, 2024);
  const rest = await person.json<List>('GET', `/v1/tax/reports?limit=2&cursor=${first.nextCursor}`);
  expect([...first.data, ...rest.data].map(({ year }) => year)).toEqual([2023, 2022, 2021]);
});

test('a download counts as in progress until its end, or until the client disconnects', async () => {
  const { person, id } = await withReport(service, plainBooks(3));
  const lifecycle = service.deps.lifecycle;
  const idle = lifecycle.inFlight;
  const response = await download(person, id, '?format=csv');
  expect(lifecycle.inFlight).toBe(idle + 1);
  await readBytes(response);
  expect(lifecycle.inFlight).toBe(idle);
  const left = await download(person, id, '?format=csv');
  await left.body?.cancel();
  expect(lifecycle.inFlight).toBe(idle);
});

test('other requests are served while a large report is rendered', async () => {
  const { person, id } = await withReport(service, plainBooks(6_000));
  const drawing = download(person, id, '?format=8949').then(readBytes);
  let done = false;
  void drawing.finally(() => {
    done = true;
  });
  let answered = 0;
  while (!done) {
    expect((await service.request('GET', '/livez')).status).toBe(200);
    answered += 1;
    await Bun.sleep(10);
  }
  expect((await drawing).subarray(0, 5).toString()).toBe('%PDF-');
  expect(answered).toBeGreaterThan(5);
});

test('kept items, costs entered by hand and confirmations are in the warnings and the ZIP, and the number has dashes', async () => {
  const person = await service.register();
  await person.json('PATCH', '/v1/account', { body: { tin: '601223345' } });
  await importCsv(
    person,
    `date,type,account,asset,quantity,amount
2025-01-02,buy,Schwab,PEP,10,1000
2025-02-03,sell,Schwab,AAPL,2,30246.04
2025-02-04,sell,Schwab,KO,5,500
2025-03-03,sell,Schwab,PEP,10,900
`,
  );
  const { data: issues } = await person.json<{ data: { id: string; kind: string; asset: string }[] }>(
    'GET',
    '/v1/tax/issues?year=2025',
  );
  const resolve = (asset: string, kind: string, body: Record<string, string>) => {
    const issue = issues.find((one) => one.asset === asset && one.kind === kind);
    return person.json('POST', `/v1/tax/issues/${issue?.id}/resolve`, { body });
  };
  await resolve('AAPL', 'oversold', { action: 'accept', note: 'The broker closed.\nI have no records.' });
  await resolve('KO', 'oversold', { action: 'basis', basis: '123.5', acquired: '2020-05-06' });
  await resolve('PEP', 'wash_window_open', { action: 'accept', note: 'No purchase since.' });
  const { id } = await make(person, 2025);
  const kept =
    'Kept as is: 02/03/2025, AAPL in Schwab, more units sold than held. The numbers may be off by $30,246.04. Reason: The broker closed. I have no records.';
  const { warnings } = await person.json<{ warnings: string[] }>('GET', `/v1/tax/reports/${id}/warnings?format=csv`);
  expect(warnings.filter((text) => text.startsWith('Kept'))).toEqual([kept]);
  const files = unzipped(await readBytes(await download(person, id, '?format=preparer')));
  expect(files['README.txt']).toContain(`- ${kept}`);
  expect(files['assumptions-2025.txt']).toContain(`- ${kept}`);
  expect(files['answered-by-you-2025.txt']?.replaceAll('\r', '')).toBe(`Answered by you, 2025

These facts come from your answers in Lotbook and not from the imported files.

Kept as is

- 02/03/2025, AAPL in Schwab, more units sold than held. The numbers may be off by $30,246.04. Reason: The broker closed. I have no records.

Costs entered by hand

- 02/04/2025, KO in Schwab, more units sold than held: cost $123.50 for 5 units, acquired 05/06/2020.

Wash sale confirmations

- 03/03/2025, PEP in Schwab, wash sale window open: you confirmed that there was no purchase in the window. Reason: No purchase since.
`);
  const pdf = await readPdf(await (await download(person, id, '?format=8949')).bytes());
  expect(allText(pdf)).toContain('601-22-3345');
  await person.json('PATCH', '/v1/account', { body: { tin: '12-3456789' } });
  const next = await make(person, 2025);
  expect(allText(await readPdf(await (await download(person, next.id, '?format=8949')).bytes()))).toContain(
    '12-3456789',
  );
});
