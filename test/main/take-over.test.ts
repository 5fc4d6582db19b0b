import { afterAll, beforeAll, expect, test } from 'bun:test';
import { tradesCsv } from '../../scripts/bench/trades.ts';
import { csvOf } from '../support/books.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { letServersFallSilent } from '../support/kills/ground.ts';
import { storingHeldUp } from '../support/kills/held-storing.ts';
import { startMailServer } from '../support/mail-server.ts';
import { dataFolder, type Folder, registerAt, type Serving, serve } from '../support/process.ts';

/** Two servers on one database. One accepts work and dies, and the other finishes it. */
const rows = 21_000;
let books: TestDatabase;
let folder: Folder;
let cookie: string;
beforeAll(async () => {
  books = await testDatabase();
  folder = dataFolder();
});
afterAll(async () => {
  await folder.remove();
  await books.drop();
});

test('another server finishes the imports, the calculation and the email of a killed server, once and in order', async () => {
  const mails = await startMailServer();
  const mail = { SMTP_URL: `smtp://${mails.host}`, MAIL_FROM: 'lotbook@example.com' };
  const env = { DATABASE_URL: books.url, RATE_LIMIT_FACTOR: '100000', ...mail };
  const first = await serve(folder, env);
  const servers = [first];
  try {
    // The mail server receives the email and does not respond yet.
    const answer = mails.hold();
    cookie = await registerAt(first, 'person@example.com');
    while (mails.held === 0) await Bun.sleep(10);
    const second = await serve(folder, env);
    servers.push(second);
    await books.asOwner((sql) => sql`update users set plan = 'PRO'`);
    // This import would respond once it is stored, but its server is killed first.
    const other = await registerAt(first, 'other@example.com');
    const held = await storingHeldUp(books, 'other@example.com');
    const lost = sendSmall(first, other).catch(() => null);
    await held.isWaiting();
    const imported = await accepted(first, '/v1/transactions/import', 'text/csv', tradesCsv(rows));
    const calculated = await accepted(first, '/v1/tax/calculate', 'application/json', '{}');
    first.process.kill('SIGKILL');
    await first.process.exited;
    answer();
    expect(await lost).toBeNull();
    await letServersFallSilent(books);
    await held.release();
    // The calculation was waiting for the same taxpayer's import.
    expect(await ended(second, calculated)).toMatchObject({ status: 'completed', transactions: rows, differences: [] });
    expect(await ended(second, imported)).toMatchObject({ status: 'completed', imported: rows, duplicates: 0 });
    while ((await jobsLeft()) > 0) await Bun.sleep(50);
    const again = await answered(second, other);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.json()).toMatchObject({ status: 'completed', imported: 1, duplicates: 0 });
    const [found] = await books.asOwner(
      (sql) => sql<{ rows: number; staged: number; imports: number }[]>`
        select (select count(*)::integer - 1 from transactions) as rows, (select count(*)::integer from staged) as staged,
          (select count(*)::integer from imports) as imports`,
    );
    expect(found).toEqual({ rows, staged: 0, imports: 2 });
    // The mail server may also have received the email from the first server. Its reader sees one email.
    const byReader = new Set(mails.taken.map(({ to, headers }) => `${to} ${headers.get('message-id')}`));
    expect([...byReader].map((mail) => mail.split(' ')[0]).sort()).toEqual(['other@example.com', 'person@example.com']);
  } finally {
    for (const server of servers) server.process.kill('SIGKILL');
    await Promise.all(servers.map((server) => server.process.exited));
    await mails.close();
  }
});

/** Sends a request with Prefer: respond-async. Returns the Location of the result. */
async function accepted(server: Serving, path: string, contentType: string, body: string): Promise<string> {
  const headers = { cookie, 'content-type': contentType, prefer: 'respond-async' };
  const response = await server.request('POST', path, { headers, body });
  expect(response.status).toBe(202);
  return response.headers.get('location') ?? '';
}

function sendSmall(server: Serving, who: string): Promise<Response> {
  const headers = { cookie: who, 'content-type': 'text/csv', 'idempotency-key': 'small' };
  return server.request('POST', '/v1/transactions/import', { headers, body: csvOf('buy 2026-01-05 1 ONE @100 #a') });
}

/** Repeats the request until it succeeds. */
async function answered(server: Serving, who: string): Promise<Response> {
  for (;;) {
    const response = await sendSmall(server, who);
    if (response.status !== 409) return response;
    await Bun.sleep(100);
  }
}

async function ended(server: Serving, path: string): Promise<{ readonly status: string }> {
  for (;;) {
    const found = (await (await server.request('GET', path, { headers: { cookie } })).json()) as { status: string };
    if (found.status !== 'running') return found;
    await Bun.sleep(50);
  }
}

async function jobsLeft(): Promise<number> {
  const [row] = await books.asOwner(
    (sql) => sql<{ left: number }[]>`select count(*)::integer as left from jobs.job where state <> 'completed'`,
  );
  return row?.left ?? 0;
}
