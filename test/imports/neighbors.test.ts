import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { importCsv } from '../support/books.ts';

/**
 * Requests of one account that once delayed all other imports for a minute, with another account active at the same
 * time.
 */
let app: TestApp;
let hostile: TestClient;
let other: TestClient;
beforeAll(async () => {
  app = await testApp();
  [hostile, other] = [await app.register(), await app.register('PRO')];
});
afterAll(() => app.close());

const blanks = `1${' '.repeat(20_000)}x`;
const digits = `${'1'.repeat(60_000)}x`;
const parentheses = '('.repeat(60_000);
const header = 'date,type,account,asset,quantity,amount,fee,lots';

const files: Readonly<Record<string, string>> = {
  'a quantity of blanks': `${header}\n2024-01-02,buy,A,X,${blanks},10,0,\n`,
  'units and a name': `Date,Type,Amount,Description\n2024-01-02,Buy,10,${blanks}\n2024-01-03,Buy,10,5 ACME @ 2\n`,
  'a quantity of digits': `${header}\n${`2024-01-02,buy,A,X,${digits},10,0,\n`.repeat(10)}`,
  'an amount of digits': `${header}\n${`2024-01-02,buy,A,X,1,${digits},0,\n`.repeat(10)}`,
  'a date of digits': `${header}\n${digits},buy,A,X,1,10,0,\n`,
  'a header of parentheses': `date,${parentheses}\n2024-01-02,1\n`,
  'a header of parentheses among known headers': `${header},${parentheses}\n2024-01-02,buy,A,X,1,10,0,,1\n`,
  'lots of digits': `${header}\n2024-01-02,sell,A,X,1,10,0,${'1:'.repeat(30_000)}x\n`,
};

/** Such a request once took a minute of processor time and now takes milliseconds. */
const millisecondsMax = 5_000;

/** Returns the processor time of this process, which does not depend on other programs. */
function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

for (const [what, csv] of Object.entries(files)) {
  test(`${what}: the response comes soon, and another user's import is stored in the meantime`, async () => {
    const start = cpuMilliseconds();
    const asked = Array.from({ length: 4 }, () =>
      hostile.request('POST', '/v1/transactions/import', { body: csv, headers: { 'content-type': 'text/csv' } }),
    );
    const stored = await importCsv(other, `${header}\n2024-01-02,buy,A,${what.replaceAll(' ', '-')},1,10,0,\n`);
    const statuses = (await Promise.all(asked)).map((response) => response.status);
    expect(cpuMilliseconds() - start).toBeLessThan(millisecondsMax);
    expect(stored).toMatchObject({ imported: 1, rejected: 0 });
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  });
}

test('lots, numbers and dates of a manual row: the response comes soon, and another user can read a summary in the meantime', async () => {
  const row = { date: '2024-01-02', type: 'sell', account: 'A', asset: 'X', quantity: '1', amount: '10' };
  for (const members of [
    { lots: `${'1:'.repeat(30_000)}x` },
    { lots: blanks },
    { quantity: digits },
    { amount: blanks },
    { date: digits },
  ]) {
    const start = cpuMilliseconds();
    const pending = hostile.request('POST', '/v1/transactions', { body: { ...row, ...members } });
    const summary = await other.request('GET', '/v1/tax/summary?year=2024');
    expect([(await pending).status, summary.status]).toEqual([422, 200]);
    expect(cpuMilliseconds() - start).toBeLessThan(millisecondsMax);
  }
});
