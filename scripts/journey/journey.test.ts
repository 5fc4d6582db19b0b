import { expect, test } from 'bun:test';
import { readBatches } from '../../src/features/ledger/imports/reading/batches.ts';
import { testApp } from '../../test/support/app.ts';
import { importCsv } from '../../test/support/books.ts';

const csv = `date,type,account,asset,quantity,amount,fee
2023-01-10,buy,Broker,KO,100,5000,0
2024-06-03,sell,Broker,KO,40,2600,0
`;

const readingOptions = {
  timeZone: 'UTC',
  statedZone: null,
  classes: { accounts: {}, assets: {} },
  idKey: new Uint8Array(32),
};

/** Run by `bun scripts/journey/index.ts` for what it covers: first without the file, then with it. */
test('a file of two rows becomes a line of Form 8949', async () => {
  const app = await testApp();
  const who = await app.register();
  const fetchLines = () => who.json<{ data: { gain: string }[] }>('GET', '/v1/tax/disposals?year=2024');
  expect((await fetchLines()).data).toEqual([]);
  if (process.env.LOTBOOK_JOURNEY === 'import') {
    // In this thread as well, because a Worker is not covered.
    for await (const batch of readBatches(new Blob([csv]).stream(), readingOptions)) expect(batch.kind).toBeString();
    await importCsv(who, csv);
    expect((await fetchLines()).data.map(({ gain }) => gain)).toEqual(['600.00']);
  }
  await app.close();
});
