import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server on its own port that keeps the emails it accepts. */
export interface MailStandIn {
  /** Accepts email without a user name and password. */
  readonly host: string;
  readonly taken: readonly TakenMail[];
  /** Refuses the next emails, up to this number, temporarily or permanently. */
  refuse(count: number, responseCode?: 451 | 550): void;
  /** Reads emails without acknowledging them until the returned function is called. */
  hold(): () => void;
  /** The number of emails without a response. */
  readonly held: number;
  close(): Promise<void>;
}

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | null;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
}

export async function startMailServer(password: string | null = null): Promise<MailStandIn> {
  const taken: TakenMail[] = [];
  let [refusals, code] = [0, 451];
  let [released, held]: [Promise<void> | null, number] = [null, 0];
  const server = new SMTPServer({
    authOptional: password === null,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    // Senders keep their connections open.
    closeTimeout: 100,
    onAuth: (given, _session, done) =>
      given.password === password ? done(null, { user: given.username ?? '' }) : done(new Error('Wrong password')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        held += 1;
        await released;
        held -= 1;
        if (refusals > 0) {
          refusals -= 1;
          done(Object.assign(new Error('Refused'), { responseCode: code }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: typeof session.user === 'string' ? session.user : null,
          ...parsed(Buffer.concat(chunks).toString('latin1')),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    taken,
    refuse: (count, responseCode = 451) => {
      [refusals, code] = [count, responseCode];
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      released = promise;
      return () => {
        released = null;
        resolve();
      };
    },
    get held() {
      return held;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Parses an email with two parts (RFC 2046), like a mail client. */
function parsed(raw: string): Pick<TakenMail, 'headers' | 'text' | 'html'> {
  const [head, body] = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(head.get('content-type') ?? '')?.[1] ?? '';
  const parts = body.split(`--${boundary}`).map((part) => split(part.replace(/^\r\n/, '')));
  const partOf = (type: string): string => {
    const [headers, content] = parts.find(([each]) => each.get('content-type')?.startsWith(type)) ?? [new Map(), ''];
    return decoded(content, headers.get('content-transfer-encoding') ?? '').trimEnd();
  };
  return { headers: head, text: partOf('text/plain'), html: partOf('text/html') };
}

function split(part: string): readonly [headers: ReadonlyMap<string, string>, body: string] {
  const at = part.indexOf('\r\n\r\n');
  const lines = part
    .slice(0, at)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return [new Map(pairs), part.slice(at + 4)];
}

function decoded(content: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString();
  if (encoding !== 'quoted-printable') return content.replaceAll('\r\n', '\n');
  const bytes = content
    .replaceAll('=\r\n', '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
