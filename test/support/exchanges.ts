import { createHash, createHmac, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';

/**
 * Stand-ins for the services that a user can connect, as their published documentation describes them, with the faults
 * that a test sets. Each test has its own keys.
 */

export interface LedgerEntry {
  readonly id: string;
  readonly refid: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly type: string;
  readonly subtype?: string;
  readonly asset: string;
  readonly amount: string;
  readonly fee?: string;
  readonly balance?: string;
}

/** Answers the next requests instead of the service, oldest first. Null lets a request through. */
type Fault = (request: Request) => Response | Promise<Response> | null;

export interface KrakenStandIn {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  permissions: string[];
  entries: LedgerEntry[];
  balances: Record<string, string>;
  readonly faults: (Fault | null)[];
  /** Called before each page of the ledger with its offset. */
  beforePage: (offset: number) => void;
  /** The methods that were called. */
  readonly calls: string[];
  close(): void;
}

const pageSize = 50;

/** Kraken, `POST /0/private/…` with the headers API-Key and API-Sign. A page has 50 entries, the newest first. */
export function startKraken(): KrakenStandIn {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(64))).toString('base64');
  let lastNonce = 0n;
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const body = await request.text();
      const fields = new URLSearchParams(body);
      const fault = stand.faults.shift();
      const answer = await fault?.(request);
      if (answer !== null && answer !== undefined) return answer;
      const method = pathname.replace('/0/private/', '');
      stand.calls.push(method);
      if (request.headers.get('api-key') !== stand.key) return Response.json({ error: ['EAPI:Invalid key'] });
      const nonce = fields.get('nonce') ?? '';
      const digest = createHash('sha256')
        .update(nonce + body)
        .digest();
      const signature = createHmac('sha512', Buffer.from(secret, 'base64'))
        .update(pathname)
        .update(digest)
        .digest('base64');
      if (request.headers.get('api-sign') !== signature) return Response.json({ error: ['EAPI:Invalid signature'] });
      if (BigInt(nonce) <= lastNonce) return Response.json({ error: ['EAPI:Invalid nonce'] });
      lastNonce = BigInt(nonce);
      return Response.json({ error: [], ...answerKraken(stand, method, fields) });
    },
  });
  const stand: KrakenStandIn = {
    ...{ url: `http://localhost:${server.port}`, key: 'kraken-key-of-a-test', secret },
    ...{ permissions: ['query-funds', 'query-ledger'], entries: [], balances: {}, faults: [], calls: [] },
    beforePage: () => undefined,
    close: () => void server.stop(true),
  };
  return stand;
}

function answerKraken(stand: KrakenStandIn, method: string, fields: URLSearchParams): object {
  if (method === 'GetApiKeyInfo') return { result: { apiKeyName: 'test', permissions: stand.permissions } };
  if (method === 'Balance') return { result: stand.balances };
  if (method !== 'Ledgers') return { error: ['EGeneral:Unknown method'] };
  const [start, end] = [Number(fields.get('start') ?? '-1'), Number(fields.get('end'))];
  const offset = Number(fields.get('ofs'));
  stand.beforePage(offset);
  const inTime = stand.entries.filter(({ time }) => time > start && time <= end).toSorted((a, b) => b.time - a.time);
  const page = inTime.slice(offset, offset + pageSize);
  const ledger = Object.fromEntries(
    page.map(({ id, subtype = '', fee = '0', balance = '0', ...one }) => [
      id,
      { ...one, subtype, aclass: 'currency', fee, balance },
    ]),
  );
  return { result: { count: inTime.length, ledger } };
}

export interface CoinbaseTransaction {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly [name: string]: unknown;
}

export interface CoinbaseStandIn {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  permissions: Record<string, boolean>;
  /** By the id of the wallet, oldest first. */
  wallets: Record<string, { readonly currency: string; readonly balance: string; transactions: CoinbaseTransaction[] }>;
  readonly faults: (Fault | null)[];
  readonly calls: string[];
  close(): void;
}

/** Coinbase, `GET /v2/…` with a JWT. Pages follow the last id of the page before (`starting_after`). */
export function startCoinbase(kind: 'es256' | 'ed25519' = 'es256'): CoinbaseStandIn {
  const { privateKey, publicKey } = makeKeys(kind);
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const url = new URL(request.url);
      stand.calls.push(url.pathname + url.search);
      const answer = await stand.faults.shift()?.(request);
      if (answer !== null && answer !== undefined) return answer;
      if (!isSigned(request, url, publicKey, stand.key)) return new Response('Unauthorized', { status: 401 });
      if (url.pathname === '/api/v3/brokerage/key_permissions') return Response.json(stand.permissions);
      const limit = Number(url.searchParams.get('limit') ?? '25');
      const after = url.searchParams.get('starting_after');
      if (url.pathname === '/v2/accounts') {
        const wallets = Object.entries(stand.wallets).map(([id, { currency, balance }]) => ({
          ...{ id, name: `${currency} Wallet`, type: 'wallet', currency: { code: currency } },
          balance: { amount: balance, currency },
        }));
        return pageOf(wallets, after, limit, url.pathname);
      }
      const wallet = stand.wallets[/^\/v2\/accounts\/([^/]+)\/transactions$/.exec(url.pathname)?.[1] ?? ''];
      if (wallet === undefined) return new Response('Not found', { status: 404 });
      const rows = wallet.transactions.map((one) => ({ status: 'completed', resource: 'transaction', ...one }));
      return pageOf(rows, after, limit, url.pathname);
    },
  });
  const stand: CoinbaseStandIn = {
    ...{ url: `http://localhost:${server.port}`, key: 'organizations/1/apiKeys/2', secret: writeKey(privateKey, kind) },
    permissions: { can_view: true, can_trade: false, can_transfer: false },
    ...{ wallets: {}, faults: [], calls: [] },
    close: () => void server.stop(true),
  };
  return stand;
}

function pageOf(
  items: readonly { readonly id: string }[],
  after: string | null,
  limit: number,
  path: string,
): Response {
  const start = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1;
  const data = items.slice(start, start + limit);
  const hasNext = start + limit < items.length;
  const nextUri = hasNext ? `${path}?starting_after=${data.at(-1)?.id}` : null;
  return Response.json({ pagination: { limit, order: 'asc', next_uri: nextUri }, data });
}

function makeKeys(kind: 'es256' | 'ed25519') {
  return kind === 'es256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
}

function writeKey(key: KeyObject, kind: 'es256' | 'ed25519'): string {
  if (kind === 'es256') return key.export({ type: 'sec1', format: 'pem' }) as string;
  const seed = key.export({ type: 'pkcs8', format: 'der' }).subarray(16);
  const open = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(12);
  return Buffer.concat([seed, open]).toString('base64');
}

function isSigned(request: Request, url: URL, key: KeyObject, name: string): boolean {
  const token = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
  const [head = '', body = '', signature = ''] = token.split('.');
  const signed = Buffer.from(`${head}.${body}`);
  const bytes = Buffer.from(signature, 'base64url');
  const isValid =
    key.asymmetricKeyType === 'ed25519'
      ? verify(null, signed, key, bytes)
      : verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes);
  const { iss, sub, uri } = JSON.parse(Buffer.from(body || 'e30', 'base64url').toString()) as Record<string, string>;
  return isValid && iss === 'cdp' && sub === name && uri === `GET ${url.host}${url.pathname}`;
}

export interface FlexStandIn {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  statement: string;
  /** The number of times that the statement is still being created. */
  waits: number;
  readonly faults: (Fault | null)[];
  readonly calls: string[];
  close(): void;
}

/** The Flex Web Service of Interactive Brokers, version 3. */
export function startFlex(): FlexStandIn {
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const url = new URL(request.url);
      const method = url.pathname.split('/').at(-1) ?? '';
      stand.calls.push(method);
      const answer = await stand.faults.shift()?.(request);
      if (answer !== null && answer !== undefined) return answer;
      if (request.headers.get('user-agent') === null || url.searchParams.get('v') !== '3') return flexError('1020');
      if (url.searchParams.get('t') !== stand.secret) return flexError('1015');
      if (method === 'SendRequest') {
        if (url.searchParams.get('q') !== stand.key) return flexError('1014');
        return xml(
          `<FlexStatementResponse timestamp="28 August, 2025 10:37 AM EDT"><Status>Success</Status><ReferenceCode>1234567890</ReferenceCode><Url>https://gdcdyn.interactivebrokers.com/AccountManagement/FlexWebService/GetStatement</Url></FlexStatementResponse>`,
        );
      }
      if (url.searchParams.get('q') !== '1234567890') return flexError('1017');
      if (stand.waits > 0) {
        stand.waits -= 1;
        return flexError('1019', 'Warn');
      }
      return xml(stand.statement);
    },
  });
  // Tests of all operations leave it open.
  server.unref();
  const stand: FlexStandIn = {
    ...{ url: `http://localhost:${server.port}/AccountManagement/FlexWebService`, key: '987654' },
    ...{ secret: '123456789012345678901234', statement: flexStatement(1), waits: 0, faults: [], calls: [] },
    close: () => void server.stop(true),
  };
  return stand;
}

/** A statement with `count` purchases, the newest on the last day. */
export function flexStatement(count: number): string {
  const trades = Array.from(
    { length: count },
    (_, n) =>
      `<Trade accountId="U1234567" acctAlias="" currency="USD" assetCategory="STK" symbol="AAPL" description="APPLE INC" tradeDate="202411${String(n + 1).padStart(2, '0')}" dateTime="202411${String(n + 1).padStart(2, '0')};103000" quantity="10" tradePrice="230" tradeMoney="2300" proceeds="-2300" ibCommission="-1" ibCommissionCurrency="USD" netCash="-2301" buySell="BUY" transactionID="90${n}" tradeID="80${n}" levelOfDetail="EXECUTION" />`,
  );
  return `<FlexQueryResponse queryName="Lotbook" type="AF"><FlexStatements count="1"><FlexStatement accountId="U1234567" fromDate="20241101" toDate="20241130" period="LastMonth" whenGenerated="20241201;010203"><Trades>${trades.join('')}</Trades></FlexStatement></FlexStatements></FlexQueryResponse>`;
}

export function flexError(code: string, status = 'Fail'): Response {
  return xml(
    `<FlexStatementResponse timestamp="28 August, 2025 10:37 AM EDT"><Status>${status}</Status><ErrorCode>${code}</ErrorCode><ErrorMessage>See the documentation.</ErrorMessage></FlexStatementResponse>`,
  );
}

function xml(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/xml' } });
}
