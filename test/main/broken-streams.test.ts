import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { dataFolder, type Folder, registerAt, serve, stop } from '../support/process.ts';

let folder: Folder;
let books: TestDatabase;
beforeAll(async () => {
  folder = dataFolder();
  books = await testDatabase();
});
afterAll(async () => {
  await folder.remove();
  await books.drop();
});

test('a download and an event stream that break leave log lines, and nothing else', async () => {
  const serving = await serve(folder, { DATABASE_URL: books.url });
  const cookie = await registerAt(serving, 'ann@example.com');
  await books.asOwner((sql) => sql`alter table transactions rename to transactions_away`);
  await books.asOwner((sql) => sql`alter table notifications rename to notifications_away`);
  for (const path of ['/v1/transactions/export', '/v1/notifications/stream']) {
    // The client detects that the download is incomplete.
    const read = serving.request('GET', path, { headers: { cookie } }).then((response) => response.text());
    await expect(read).rejects.toThrow('closed unexpectedly');
  }
  await stop(serving.process);
  const lines = (await new Response(serving.process.stderr).text()).trim().split('\n');
  const said = lines.map((line) => (JSON.parse(line) as { event: string }).event);
  expect(said).toContainValues(['download broken', 'event stream broken']);
});
