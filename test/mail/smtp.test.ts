import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mailOwner } from '../../src/commands/user.ts';
import { loadConfig } from '../../src/config.ts';
import { type LogFields, type MailPort, silentLog } from '../../src/deps.ts';
import { buildMail } from '../../src/features/people/mail/letter.ts';
import { logMail, smtpMail } from '../../src/features/people/mail/smtp.ts';
import { operatorSetPlan } from '../../src/features/people/mail/templates.ts';
import { type MailStandIn, startMailServer } from '../support/mail-server.ts';

const letter = {
  subject: 'A subject with ümlauts, <b>marks</b> and a very long end that does not fit on one line of a header',
  paragraphs: ['The first paragraph of <script>x</script> & so on.', 'The second.'],
  link: { label: 'Open it', url: 'https://lotbook.example/reset/confirm#abc=def&x=1' },
};
const from = 'Lotbook <no-reply@lotbook.example>';

let server: MailStandIn;
let port: MailPort;
beforeAll(async () => {
  server = await startMailServer();
  port = smtpMail({ smtpUrl: `smtp://${server.host}`, from });
});
afterAll(() => server.close());

describe('an email sent by SMTP', () => {
  test('is sent as text and as HTML with the same content, from the address of MAIL_FROM', async () => {
    await port.send(buildMail('ann@example.com', letter));
    const mail = server.taken.at(-1);
    expect([mail?.from, mail?.to]).toEqual(['no-reply@lotbook.example', ['ann@example.com']]);
    expect(mail?.headers.get('from')).toBe(from);
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail?.text).toBe(
      [
        letter.paragraphs[0],
        `Open it:\n${letter.link.url}`,
        letter.paragraphs[1],
        'Lotbook. Replies to this email are not read.',
      ].join('\n\n'),
    );
    expect(mail?.html).toContain('The first paragraph of &lt;script&gt;x&lt;/script&gt; &amp; so on.');
    expect(mail?.html).toContain('href="https://lotbook.example/reset/confirm#abc=def&amp;x=1"');
    expect(mail?.html).not.toContain('<script');
    expect(mail?.html).not.toMatch(/<img|<link|src=/);
  });

  test('has unsubscribe headers if it is optional', async () => {
    const url = 'https://lotbook.example/v1/notifications/unsubscribe?token=abc';
    await port.send({ ...buildMail('ann@example.com', letter), unsubscribeUrl: url });
    const { headers } = server.taken.at(-1) ?? { headers: new Map<string, string>() };
    expect(headers.get('list-unsubscribe')).toBe(`<${url}>`);
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    await port.send(buildMail('ann@example.com', letter));
    expect(server.taken.at(-1)?.headers.has('list-unsubscribe')).toBe(false);
  });

  test('is sent to one address, regardless of its content, which cannot add headers', async () => {
    await port.send(buildMail('"a,b"@example.com', letter));
    expect(server.taken.at(-1)?.to).toEqual(['"a,b"@example.com']);
    const before = server.taken.length;
    await port.send(buildMail('ann@example.com\r\nBcc: eve@example.com', letter)).catch(() => {});
    for (const mail of server.taken.slice(before)) {
      expect(mail.headers.has('bcc')).toBe(false);
      expect(mail.to).not.toContain('eve@example.com');
    }
  });

  test('signs in if the address has a user and a password', async () => {
    const closed = await startMailServer('a word');
    const mail = buildMail('ann@example.com', letter);
    await smtpMail({ smtpUrl: `smtp://lotbook:a%20word@${closed.host}`, from }).send(mail);
    expect(closed.taken.map(({ user }) => user)).toEqual(['lotbook']);
    await expect(smtpMail({ smtpUrl: `smtp://lotbook:other@${closed.host}`, from }).send(mail)).rejects.toThrow();
    await closed.close();
  });
});

describe('an email', () => {
  test('is written to the log if no mail server is configured', async () => {
    const lines: unknown[] = [];
    const log = { ...silentLog, info: (event: string, fields?: LogFields) => void lines.push([event, fields]) };
    const mail = buildMail('ann@example.com', letter);
    await logMail(log).send(mail);
    expect(lines).toEqual([
      ['mail, not sent: SMTP_URL is not set', { to: mail.to, subject: mail.subject, text: mail.text }],
    ]);
  });
});

describe("an operator's change to an account", () => {
  test('is emailed to its owner, and the operator is told whether the email was sent', async () => {
    const env = { MAIL_FROM: from, SMTP_URL: `smtp://${server.host}` };
    const mail = buildMail('ann@example.com', operatorSetPlan('https://lotbook.example', 'PRO'));
    expect(await mailOwner(loadConfig(env), mail)).toMatchObject({ mailed: true });
    expect(server.taken.at(-1)).toMatchObject({ to: ['ann@example.com'], text: expect.stringContaining('to PRO') });
    expect(await mailOwner(loadConfig({ ...env, SMTP_URL: 'smtp://127.0.0.1:1' }), mail)).toMatchObject({
      mailed: false,
      words: expect.stringContaining('Notify them yourself'),
    });
    expect(await mailOwner(loadConfig({}), mail)).toMatchObject({ mailed: false });
  });
});
