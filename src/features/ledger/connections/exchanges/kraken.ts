import { createHash, createHmac } from 'node:crypto';
import { csvRecord } from '../../../../base/csv.ts';
import { formatQuantity, parseQuantity, type Quantity } from '../../../../base/decimal.ts';
import { isCurrency } from '../../../../formats/cells/currencies.ts';
import { krakenAsset } from '../../../../formats/sources/kraken.ts';
import {
  type ExchangeClient,
  ExchangeFault,
  type ExchangeKeys,
  type ExchangeState,
  type HeldBalance,
  KeysRefused,
} from './exchange.ts';
import { formatSecond, parseResponse, sendRequest, toRecord, toText } from './request.ts';

/** The official host is `https://api.kraken.com`. Source: docs.kraken.com, Spot REST. */
interface KrakenOptions {
  readonly baseUrl: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The legs of a trade are up to a second apart. A trade belongs to the sync that covers its oldest leg. */
const marginSeconds = 10;
/** Rows appear in the ledger with some delay. */
const lagSeconds = 30;
const rowsMax = 100_000;
const roundsMax = 3;

interface KrakenPosition {
  /** Exclusive, in seconds since 1970. Null means the beginning. */
  readonly from: number | null;
  /** Inclusive. */
  readonly until: number;
  readonly offset: number;
  /** The number of ledger entries that Kraken counts, or 0 before the first page. */
  readonly count: number;
  readonly round: number;
}

/** Kraken refuses a nonce that is not greater than the last one of the key. One for all clients in this process. */
let lastNonce = 0;

/** Reads the ledger of an account. The rows are those of Kraken's own export of ledgers. */
export function krakenExchange({ baseUrl, now }: KrakenOptions): ExchangeClient {
  const call = async (keys: ExchangeKeys, method: string, fields: Record<string, string>, signal: AbortSignal) => {
    lastNonce = Math.max(lastNonce + 1, now() * 1_000);
    return callPrivate({ baseUrl, keys, method, nonce: lastNonce, fields }, signal);
  };
  return {
    ...{ kind: 'kraken', name: 'Kraken', format: 'kraken-ledgers', host: new URL(baseUrl).host },
    // A page of the ledger counts 2, and the lowest tier allows 15 and forgets one every three seconds.
    pauseMilliseconds: 6_000,
    checkKeys: async (keys, signal) => {
      if (!isBase64(keys.secret)) {
        throw new KeysRefused(
          'This is not a private key of Kraken. Copy all of it, including the signs at its end.',
          'secret',
        );
      }
      const { permissions } = await call(keys, 'GetApiKeyInfo', {}, signal);
      checkPermissions(Array.isArray(permissions) ? permissions.map(toText) : []);
    },
    begin: async (keys, cursor, signal) => {
      const balances = sumBalances(await call(keys, 'Balance', {}, signal));
      const from = typeof cursor?.until === 'number' ? cursor.until : null;
      const until = Math.max(from ?? 0, Math.floor(now() / 1_000) - lagSeconds);
      const position: KrakenPosition = { from, until, offset: 0, count: 0, round: 1 };
      return { position: { ...position }, balances };
    },
    readPage: async (keys, state, signal) => {
      const position = state as unknown as KrakenPosition;
      const { from, until, offset } = position;
      const result = await call(
        keys,
        'Ledgers',
        {
          ...(from === null ? {} : { start: String(from - marginSeconds) }),
          end: String(until + marginSeconds),
          ofs: String(offset),
        },
        signal,
      );
      const entries = Object.entries(toRecord(result.ledger));
      const count = Number(result.count);
      if (!Number.isSafeInteger(count) || (entries.length === 0 && offset < count)) {
        throw new ExchangeFault('failed', 'The answer of the service is incomplete.');
      }
      if (count > rowsMax) throw new ExchangeFault('failed', tooLong);
      const read = offset + entries.length;
      return {
        content: entries.length === 0 ? null : JSON.stringify(entries),
        position: { ...position, offset: read, count },
        isDone: read >= count,
      };
    },
    buildFile: async (pages, state, { findKnown }) => {
      const position = state as unknown as KrakenPosition;
      const entries = collectEntries(pages);
      // A row that arrives late moves the others to later pages, and may move out of the pages that were read.
      if (entries.length < position.count && position.round < roundsMax) {
        return { again: { ...position, offset: 0, count: 0, round: position.round + 1 } };
      }
      const { from, until } = position;
      const inTime = (time: number): boolean => (from === null || time > from) && time <= until;
      const oldest = new Map<string, number>();
      for (const one of entries) oldest.set(one.event, Math.min(oldest.get(one.event) ?? one.time, one.time));
      const rows = entries.filter(({ event }) => inTime(oldest.get(event) ?? 0));
      // Kraken's file has values in dollars and other digits of the time, so the same row in it would look different.
      const known = await findKnown(rows.map(({ event }) => event));
      const kept = rows.filter(({ event }) => !known.has(event)).sort((a, b) => a.time - b.time);
      const lines = kept.map(({ id, cells, time }) =>
        csvRecord([
          ...[id, toText(cells.refid), formatSecond(time), toText(cells.type), toText(cells.subtype)],
          ...['aclass', 'asset', 'amount', 'fee', 'balance'].map((name) => toText(cells[name])),
        ]),
      );
      return {
        fileName: `kraken-ledgers-${formatSecond(until).slice(0, 10)}.csv`,
        rows: kept.length,
        text: csvRecord(header) + lines.join(''),
        cursor: { until },
      };
    },
  };
}

const tooLong = `Your ledger has more than ${rowsMax.toLocaleString('en-US')} entries since the last sync, more than one sync can read. Import the file of ledgers from Kraken instead.`;
const header = ['txid', 'refid', 'time', 'type', 'subtype', 'aclass', 'asset', 'amount', 'fee', 'balance'];

interface LedgerEntry {
  readonly id: string;
  /** The id of the row in the books: that of the trade, or of the entry itself. */
  readonly event: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly cells: Readonly<Record<string, unknown>>;
}

const legTypes = new Set(['trade', 'spend', 'receive']);
/** Returns each entry once, oldest page last, because the pages may repeat entries. */
function collectEntries(pages: readonly string[]): LedgerEntry[] {
  const entries = new Map<string, LedgerEntry>();
  for (const page of pages) {
    for (const [id, value] of JSON.parse(page) as [string, unknown][]) {
      const cells = toRecord(value);
      const type = toText(cells.type);
      const event = legTypes.has(type) ? toText(cells.refid) : id;
      entries.set(id, { id, event, time: Number(cells.time), cells });
    }
  }
  return [...entries.values()].reverse();
}

interface PrivateCall {
  readonly baseUrl: string;
  readonly keys: ExchangeKeys;
  readonly method: string;
  readonly nonce: number;
  readonly fields: Readonly<Record<string, string>>;
}

async function callPrivate({ baseUrl, keys, method, nonce, fields }: PrivateCall, signal: AbortSignal) {
  const path = `/0/private/${method}`;
  const body = new URLSearchParams({ nonce: String(nonce), ...fields }).toString();
  const { text } = await sendRequest(
    {
      method: 'POST',
      url: new URL(baseUrl.replace(/\/+$/, '') + path),
      headers: {
        'api-key': keys.key,
        'api-sign': signKraken({ path, nonce: String(nonce), body, secret: keys.secret }),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body,
    },
    signal,
  );
  const { error, result } = parseResponse(text);
  const [first] = Array.isArray(error) ? error.map(toText) : [];
  if (first !== undefined) throw toFault(first);
  return toRecord(result);
}

interface SignedCall {
  readonly path: string;
  readonly nonce: string;
  readonly body: string;
  /** Base64. */
  readonly secret: string;
}

/** Computes the header API-Sign: HMAC-SHA512 of the path and SHA-256 of the nonce and the body, in Base64. */
export function signKraken({ path, nonce, body, secret }: SignedCall): string {
  const digest = createHash('sha256')
    .update(nonce + body)
    .digest();
  return createHmac('sha512', Buffer.from(secret, 'base64')).update(path).update(digest).digest('base64');
}

/** Seconds until the counter of the lowest tier is empty again. */
const counterSeconds = 60;

function toFault(error: string): Error {
  if (/Rate limit exceeded|Throttled|Temporary lockout/i.test(error)) {
    const seconds = error.includes('lockout') ? 15 * counterSeconds : counterSeconds;
    return new ExchangeFault('busy', 'Kraken asked us to wait.', seconds);
  }
  if (error.startsWith('EAPI:Invalid key'))
    return new KeysRefused('Kraken does not know this API key, or it has expired.');
  if (error.startsWith('EAPI:Invalid signature')) {
    return new KeysRefused('Kraken does not accept this private key. It belongs to a different API key.', 'secret');
  }
  if (error.startsWith('EGeneral:Permission denied')) return new KeysRefused(missingPermissions);
  if (error.startsWith('EAPI:Invalid nonce')) return new ExchangeFault('failed', otherProgram);
  return new ExchangeFault('failed', 'Kraken could not answer the request.');
}

const missingPermissions =
  'This key may not read the ledger. Create one with "Query" under Funds and "Query ledger entries" under Data.';
const otherProgram =
  'Another program seems to use this API key. Create one for Lotbook alone, because Kraken counts the requests of each key.';

const requiredPermissions = ['query-funds', 'query-ledger'];
const readingPermissions = new Set([
  ...requiredPermissions,
  ...['query-open-trades', 'query-closed-trades', 'export-data', 'create-ws-token'],
]);

function checkPermissions(permissions: readonly string[]): void {
  if (permissions.some((name) => !readingPermissions.has(name))) {
    throw new KeysRefused(
      'This key can do more than read. Create one with only "Query" under Funds and "Query ledger entries" under Data.',
    );
  }
  if (!requiredPermissions.every((name) => permissions.includes(name))) throw new KeysRefused(missingPermissions);
}

function isBase64(text: string): boolean {
  return text.length >= 40 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

/** Adds up the parts of each coin (`XXBT`, `XBT.F`). Cash has no balance in the books. */
function sumBalances(result: ExchangeState): HeldBalance[] {
  const held = new Map<string, { quantity: bigint; decimals: number }>();
  for (const [name, value] of Object.entries(result)) {
    const asset = krakenAsset(name);
    const quantity = parseQuantity(toText(value));
    if (quantity === undefined || name === 'KFEE' || isCurrency(asset)) continue;
    const decimals = toText(value).split('.')[1]?.length ?? 0;
    const before = held.get(asset) ?? { quantity: 0n, decimals };
    held.set(asset, { quantity: before.quantity + quantity, decimals: Math.min(before.decimals, decimals) });
  }
  return [...held].map(([asset, { quantity, decimals }]) => ({
    asset,
    quantity: writeWithDecimals(quantity as Quantity, decimals),
  }));
}

function writeWithDecimals(quantity: Quantity, decimals: number): string {
  const [whole = '', fraction = ''] = formatQuantity(quantity).split('.');
  const written = fraction.padEnd(decimals, '0');
  return written === '' ? whole : `${whole}.${written}`;
}
