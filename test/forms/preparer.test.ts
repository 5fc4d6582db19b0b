import { expect, test } from 'bun:test';
import { preparerFiles } from '../../src/forms/preparer.ts';
import { books, cents, day, line, readBytes } from './books.ts';
import { unzipped } from './unzip.ts';

const issue = {
  kind: 'issue' as const,
  causedOn: day('2025-05-05'),
  id: 'i1',
  issue: 'basis_missing' as const,
  on: day('2025-05-05'),
  asset: 'BTC',
  account: '=Kraken',
  transactions: ['s1'],
  dollars: cents('1234.5'),
  detail: 'The basis of 0.5 BTC is not known.',
};

test('the files for a preparer are the forms, the tables, the assumptions and the elections, explained in a README', async () => {
  const of = books(2025, [line({ box: 'A' })]);
  const files = unzipped(await readBytes(preparerFiles.render(of)));
  expect(preparerFiles.fileName(of)).toBe('for-my-preparer-2025.zip');
  const names = [
    'form-8949-2025.pdf',
    'lotbook-report-2025.pdf',
    'form-8949-2025.csv',
    'lotbook-2025.txf',
    'fdx-2025.json',
    'assumptions-2025.txt',
    'elections-2025.txt',
  ];
  expect(Object.keys(files)).toEqual(['README.txt', ...names]);
  const readme = files['README.txt'] ?? '';
  for (const name of names) expect(readme).toContain(`  ${name}  `);
  expect(readme).toStartWith(
    'Capital gains of 2025 for Ann & Bob Lee\r\n\r\n1 Form 8949 entry, net gain or loss $100.00.',
  );
  expect(readme).toContain('There are no open issues.');
  expect(readme).not.toContain('123-45-6789');
  expect(files['elections-2025.txt']).toContain('Lot method: FIFO\r\n');
  expect(files['assumptions-2025.txt']).toContain('The boxes of BRK1 are assumed (A): no form is set.');
});

test('a draft names itself in every file name and lists its open issues', async () => {
  const files = unzipped(await readBytes(preparerFiles.render(books(2025, [line()], { issues: [issue] }))));
  const names = Object.keys(files).filter((name) => name !== 'README.txt');
  for (const name of names) expect(name).toMatch(/-2025-draft-1-open-issue\.\w+$/);
  expect(files['open-issues-2025-draft-1-open-issue.csv']).toBe(
    'Date,Issue,Asset,Account,Dollars Affected,Details,DRAFT: 1 open issue\r\n' +
      "05/05/2025,basis missing,BTC,'=Kraken,1234.50,The basis of 0.5 BTC is not known.,DRAFT\r\n",
  );
  expect(files['README.txt']).toContain('DRAFT: 1 open issue. The numbers can still change.');
});
