import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type LogFields, type Mail, silentLog } from '../../src/deps.ts';
import { postMail } from '../../src/features/people/mail/delivery.ts';
import { buildMail } from '../../src/features/people/mail/letter.ts';
import { smtpMail } from '../../src/features/people/mail/smtp.ts';
import { type TestApp, testApp, testClock } from '../support/app.ts';
import { type MailStandIn, startMailServer } from '../support/mail-server.ts';

const from = 'Lotbook <no-reply@lotbook.example>';
const clock = testClock('2026-02-01T12:00:00Z');
const lines: [string, LogFields | undefined][] = [];
const log = {
  ...silentLog,
  warn: (event: string, fields?: LogFields) => void lines.push([event, fields]),
  error: (event: string, _cause: unknown, fields?: LogFields) => void lines.push([event, fields]),
};

let server: MailStandIn;
let app: TestApp;
beforeAll(async () => {
  server = await startMailServer();
  const env = { METRICS_TOKEN: 'metrics of these tests' };
  app = await testApp({ clock, log, env, mail: smtpMail({ smtpUrl: `smtp://${server.host}`, from }) });
  await app.deps.jobs.start();
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const mailTo = (to: string): Mail =>
  buildMail(to, {
    subject: 'A subject',
    paragraphs: ['One.'],
    link: { label: 'Open', url: 'https://l.example/#hidden' },
  });
const post = (mail: Mail | null, given?: { minutes: number }) =>
  app.deps.database.asService((sql) => postMail(app.deps, sql, mail, given));
const takenBy = (to: string) => server.taken.filter((mail) => mail.to.includes(to));

interface Waiting {
  readonly state: string;
  readonly text: string;
}

async function metrics(): Promise<string> {
  const headers = { authorization: 'Bearer metrics of these tests' };
  return (await app.request('GET', '/metrics', { headers })).text();
}

const waiting = () =>
  app.books.asOwner(
    (sql) => sql<Waiting[]>`select state::text as state, j::text as text from jobs.job j where name = 'mails'`,
  );

/** Waits until the condition holds. */
async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = performance.now() + 150_000; !(await holds()); await Bun.sleep(10)) {
    if (performance.now() > end) throw new Error('It did not come to hold.');
  }
}

test('an email is stored with the change it reports, and leaves nothing behind once it is delivered', async () => {
  const undone = app.deps.database.asService(async (sql) => {
    await postMail(app.deps, sql, mailTo('nobody@example.com'));
    throw new Error('taken back');
  });
  await expect(undone).rejects.toThrow('taken back');
  const release = server.hold();
  await post(mailTo('ann@example.com'));
  await post(null);
  await until(() => server.held === 1);
  const [job] = await waiting();
  expect(job?.state).toBe('active');
  // The job tables do not contain the text of the email. The sealed text is base64, where three letters can occur.
  expect(job?.text).not.toMatch(/ann@|example|hidden|subject/i);
  release();
  await app.mails();
  expect(server.taken.map(({ to }) => to)).toEqual([['ann@example.com']]);
  expect(app.deps.mailCounts).toMatchObject({ sent: 1, givenUp: 0 });
});

test('an email that is refused temporarily is retried unchanged, and the waiting job reveals nothing about it', async () => {
  server.refuse(1);
  await post(mailTo('bob@example.com'));
  await until(async () => (await waiting()).some(({ state }) => state === 'retry'));
  expect((await waiting()).map(({ text }) => /bob@|refused/i.test(text))).toEqual([false]);
  expect(await metrics()).toContain('\nlotbook_mails_waiting 1\n');
  expect(takenBy('bob@example.com')).toEqual([]);
  const [id] = await app.books.asOwner(
    (sql) => sql<{ id: string }[]>`
      update jobs.job set start_after = now() where name = 'mails' returning id::text as id`,
  );
  await app.mails();
  expect(takenBy('bob@example.com').map(({ headers }) => headers.get('message-id'))).toEqual([
    `<${id?.id}@lotbook.example>`,
  ]);
  expect(lines).toEqual([['mail not sent, tried again', { mail: id?.id, domain: 'example.com', tries: 1 }]]);
});

test('an email that is refused permanently, is too late or was tried for a day is dropped, with a log line and a count', async () => {
  lines.length = 0;
  server.refuse(1, 550);
  await post(mailTo('cy@example.com'));
  await app.mails();
  await post(mailTo('di@example.com'), { minutes: 0 });
  await app.mails();
  server.refuse(2);
  await post(mailTo('ed@example.com'));
  await until(async () => (await waiting()).some(({ state }) => state === 'retry'));
  await app.books.asOwner((sql) => sql`update jobs.job set start_after = now(), retry_count = 28 where name = 'mails'`);
  await app.mails();
  expect(lines.map(([event, fields]) => [event, fields?.tries])).toEqual([
    ['mail not sent', 1],
    ['mail not sent', 1],
    ['mail not sent, tried again', 1],
    ['mail not sent', 30],
  ]);
  expect(server.taken.map(({ to }) => to[0])).toEqual(['ann@example.com', 'bob@example.com']);
  expect(await metrics()).toContain('\nlotbook_mails_given_up 3\n');
  expect(app.deps.mailCounts).toMatchObject({ sent: 2, givenUp: 3 });
});
