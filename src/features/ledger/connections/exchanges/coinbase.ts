import { csvRecord } from '../../../../base/csv.ts';
import {
  divideRounded,
  formatMoney,
  type Money,
  parseMoney,
  parseQuantity,
  priceTimesQuantity,
} from '../../../../base/decimal.ts';
import { isCurrency } from '../../../../formats/cells/currencies.ts';
import { createToken } from './coinbase-jwt.ts';
import {
  type ExchangeClient,
  ExchangeFault,
  type ExchangeKeys,
  type ExchangeState,
  type HeldBalance,
  KeysRefused,
} from './exchange.ts';
import { formatSecond, parseResponse, sendRequest, toRecord, toText } from './request.ts';

/** The official host is `https://api.coinbase.com`. Source: docs.cdp.coinbase.com, Coinbase App and Advanced Trade. */
interface CoinbaseOptions {
  readonly baseUrl: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Both halves of a conversion must have arrived. */
const lagSeconds = 30;
const pageLimit = 100;
const walletsMax = 5_000;
const rowsMax = 100_000;
/** A transaction that is still pending after this time no longer holds back later ones. */
const pendingDaysMax = 14;
const secondsPerDay = 86_400;

interface CoinbasePosition {
  /** Inclusive, in seconds since 1970. */
  readonly until: number;
  readonly wallets: readonly string[];
  /** The index of the wallet that is being read. */
  readonly wallet: number;
  /** The last transaction of each wallet that was read, by the id of the wallet. */
  readonly after: Readonly<Record<string, string>>;
  /** The last transaction of each wallet before which everything is final. The next sync continues after it. */
  readonly final: Readonly<Record<string, string>>;
  readonly rows: number;
}

/** Reads the transactions of all wallets. The rows are those of Coinbase's own export. */
export function coinbaseExchange({ baseUrl, now }: CoinbaseOptions): ExchangeClient {
  const base = baseUrl.replace(/\/+$/, '');
  const get = async (keys: ExchangeKeys, path: string, query: Record<string, string>, signal: AbortSignal) => {
    const url = new URL(base + path);
    const uri = `GET ${url.host}${url.pathname}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const token = createToken({ keys, uri, now: Math.floor(now() / 1_000) });
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const { status, text } = await sendRequest({ method: 'GET', url, headers }, signal);
    if (status === 401)
      throw new KeysRefused('Coinbase does not accept this key. It may be wrong, deleted or expired.');
    if (status === 403)
      throw new KeysRefused('This key may not view your accounts. Create one with the permission "View".');
    if (status !== 200) throw new ExchangeFault('failed', `Coinbase answered with status ${status}.`);
    return parseResponse(text);
  };
  return {
    ...{ kind: 'coinbase', name: 'Coinbase', format: 'coinbase', host: new URL(base).host },
    // 10,000 requests an hour.
    pauseMilliseconds: 400,
    checkKeys: async (keys, signal) => {
      const permissions = await get(keys, '/api/v3/brokerage/key_permissions', {}, signal);
      if (permissions.can_trade === true || permissions.can_transfer === true) {
        throw new KeysRefused('This key can trade or transfer. Create one with only the permission "View".');
      }
      if (permissions.can_view !== true) {
        throw new KeysRefused('This key may not view your accounts. Create one with the permission "View".');
      }
    },
    begin: async (keys, cursor, signal) => {
      const wallets: Readonly<Record<string, unknown>>[] = [];
      for (let after = ''; wallets.length < walletsMax; ) {
        const page = await get(keys, '/v2/accounts', toPageQuery(after), signal);
        const items = readItems(page);
        wallets.push(...items);
        after = toText(items.at(-1)?.id);
        if (items.length === 0 || !hasNext(page)) break;
      }
      const final = toRecord(cursor?.final) as Readonly<Record<string, string>>;
      const position: CoinbasePosition = {
        ...{ until: Math.floor(now() / 1_000) - lagSeconds, wallet: 0, after: final, final, rows: 0 },
        wallets: wallets.map(({ id }) => toText(id)).filter((id) => id !== ''),
      };
      return { position: { ...position }, balances: sumBalances(wallets) };
    },
    readPage: async (keys, state, signal) => {
      const position = state as unknown as CoinbasePosition;
      const { until, wallets, wallet, after, final } = position;
      const id = wallets[wallet];
      if (id === undefined) return { content: null, position: state, isDone: true };
      const path = `/v2/accounts/${encodeURIComponent(id)}/transactions`;
      const page = await get(keys, path, toPageQuery(after[id] ?? ''), signal);
      const items = readItems(page);
      const inTime = items.filter((one) => readSeconds(one) <= until);
      const last = toText(items.at(-1)?.id);
      // A page that repeats its last row would be read forever.
      const isWalletDone = !hasNext(page) || inTime.length < items.length || last === '' || last === after[id];
      const rows = position.rows + inTime.length;
      if (rows > rowsMax) throw new ExchangeFault('failed', tooLong);
      const isHeld = items.findIndex((one) => !isSettled(one, until));
      const settled = toText(items[(isHeld === -1 ? items.length : isHeld) - 1]?.id);
      // Once a wallet has a pending transaction, later pages do not move its cursor.
      const moves = settled !== '' && (final[id] ?? '') === (after[id] ?? '');
      const next: CoinbasePosition = {
        ...position,
        wallet: isWalletDone ? wallet + 1 : wallet,
        after: last === '' ? after : { ...after, [id]: last },
        final: moves ? { ...final, [id]: settled } : final,
        rows,
      };
      const content = inTime.filter(isComplete).map((one) => ({ ...one, wallet: id }));
      return {
        content: content.length === 0 ? null : JSON.stringify(content),
        position: { ...next },
        isDone: next.wallet >= wallets.length,
      };
    },
    buildFile: async (pages, state) => {
      const { until, final } = state as unknown as CoinbasePosition;
      const all = new Map<string, WalletTransaction>();
      for (const page of pages) for (const one of JSON.parse(page) as WalletTransaction[]) all.set(toText(one.id), one);
      const rows = toRows([...all.values()].sort((a, b) => readSeconds(a) - readSeconds(b)));
      return {
        fileName: `coinbase-transactions-${formatSecond(until).slice(0, 10)}.csv`,
        rows: rows.length,
        text: csvRecord(header) + rows.map(csvRecord).join(''),
        cursor: { final },
      };
    },
  };
}

const tooLong = `Your account has more than ${rowsMax.toLocaleString('en-US')} transactions since the last sync. Import the file from Coinbase instead.`;
/** The columns of Coinbase's export. The first one has its own name, because the API uses other ids than the export. */
const header = [
  ...['Coinbase API ID', 'Timestamp', 'Transaction Type', 'Asset', 'Quantity Transacted', 'Price Currency'],
  ...['Subtotal', 'Total (inclusive of fees and/or spread)', 'Fees and/or Spread', 'Notes'],
];

type WalletTransaction = Readonly<Record<string, unknown>>;

function toPageQuery(after: string): Record<string, string> {
  return { limit: String(pageLimit), order: 'asc', ...(after === '' ? {} : { starting_after: after }) };
}

function readItems({ data }: ExchangeState): WalletTransaction[] {
  if (!Array.isArray(data)) throw new ExchangeFault('failed', 'The answer of the service is incomplete.');
  return data.map(toRecord);
}

function hasNext({ pagination }: ExchangeState): boolean {
  return toText(toRecord(pagination).next_uri) !== '';
}

function readSeconds({ created_at }: WalletTransaction): number {
  const milliseconds = Date.parse(toText(created_at));
  if (Number.isNaN(milliseconds)) throw new ExchangeFault('failed', 'The answer of the service is incomplete.');
  return milliseconds / 1_000;
}

const failedStatuses = new Set(['failed', 'expired', 'canceled', 'cancelled']);

function isComplete({ status }: WalletTransaction): boolean {
  return toText(status) === 'completed';
}

/** Returns whether the transaction is in time and will not change anymore. */
function isSettled(one: WalletTransaction, until: number): boolean {
  const seconds = readSeconds(one);
  const isFinal = isComplete(one) || failedStatuses.has(toText(one.status));
  return seconds <= until && (isFinal || seconds < until - pendingDaysMax * secondsPerDay);
}

/** Adds up the wallets of each coin. Cash has no balance in the books. */
function sumBalances(wallets: readonly WalletTransaction[]): HeldBalance[] {
  const held = new Map<string, string[]>();
  for (const { balance } of wallets) {
    const { amount, currency } = readAmount(balance);
    if (currency === '' || isCurrency(currency) || parseQuantity(amount) === undefined) continue;
    held.set(currency, [...(held.get(currency) ?? []), amount]);
  }
  return [...held].flatMap(([asset, [quantity = '0', ...others]]) => (others.length > 0 ? [] : [{ asset, quantity }]));
}

interface Amount {
  readonly amount: string;
  readonly currency: string;
}

function readAmount(value: unknown): Amount {
  const { amount, currency } = toRecord(value);
  return { amount: toText(amount), currency: toText(currency) };
}

/** Returns the rows of the export. The two halves of a conversion are one row. */
function toRows(transactions: readonly WalletTransaction[]): string[][] {
  const conversions = Map.groupBy(
    transactions.filter(({ type }) => type === 'trade'),
    (one) => toText(toRecord(one.trade).id) || toText(one.id),
  );
  const seen = new Set<string>();
  return transactions.flatMap((one) => {
    if (one.type === 'advanced_trade_fill') return toFillRow(one);
    if (one.type !== 'trade') return [toRow(one, nameType(one))];
    const id = toText(toRecord(one.trade).id) || toText(one.id);
    if (seen.has(id)) return [];
    seen.add(id);
    return toConversionRows(conversions.get(id) ?? [one]);
  });
}

function toConversionRows(halves: readonly WalletTransaction[]): string[][] {
  const given = halves.filter((half) => isOutgoing(half));
  const received = halves.filter((half) => !isOutgoing(half));
  const [from, to] = [given[0], received[0]];
  // The reader lists a half without the other one as rejected.
  if (from === undefined || to === undefined || halves.length !== 2)
    return halves.map((half) => toRow(half, 'Convert'));
  const [paid, got] = [readAmount(from.amount), readAmount(to.amount)];
  const note = `Converted ${unsigned(paid.amount)} ${paid.currency} to ${unsigned(got.amount)} ${got.currency}`;
  return [toRow(from, 'Convert', note)];
}

/**
 * Returns the row of a fill. Each fill has a transaction in the wallets of both assets, and the export has one row, for
 * the asset before the hyphen of the product.
 */
function toFillRow(one: WalletTransaction): string[][] {
  const fill = toRecord(one.advanced_trade_fill);
  const [base = '', quote = ''] = toText(fill.product_id).split('-');
  const { amount, currency } = readAmount(one.amount);
  if (currency !== base) return [];
  const isSale = isOutgoing(one);
  const quantity = unsigned(amount);
  const price = toText(fill.fill_price);
  const gross = priceTimesQuantity(price, quantity);
  const fee = parseMoney(toText(fill.commission));
  const type = `Advanced Trade ${isSale ? 'Sell' : 'Buy'}`;
  if (gross === undefined || fee === undefined) return [toRow(one, type)];
  const net = (isSale ? gross - fee : gross + fee) as Money;
  if (isCurrency(quote)) {
    const money = [formatMoney(gross), formatMoney(net), formatMoney(fee)];
    return [toRow(one, type, '', { currency: quote, money })];
  }
  const verb = isSale ? 'Sold' : 'Bought';
  const note = `${verb} ${quantity} ${base} for ${formatMoney(net)} ${quote} on ${base}-${quote}`;
  // Coinbase redeems USDC for a dollar each. For any other coin, it states the value.
  const native = readAmount(one.native_amount);
  const value = quote === 'USDC' ? gross : (parseMoney(unsigned(native.amount)) ?? (0n as Money));
  const netValue = gross === 0n ? value : (divideRounded(value * net, gross) as Money);
  const money = [formatMoney(value), formatMoney(netValue), ''];
  return [toRow(one, type, note, { currency: quote === 'USDC' ? 'USD' : native.currency, money })];
}

interface RowMoney {
  readonly currency: string;
  /** Subtotal, total and fee. */
  readonly money: readonly string[];
}

function toRow(one: WalletTransaction, type: string, note = readNote(one), stated = readMoney(one)): string[] {
  const { amount, currency } = readAmount(one.amount);
  return [
    ...[toText(one.id), `${formatSecond(readSeconds(one))} UTC`, type, currency, amount],
    ...[stated.currency, ...stated.money, note],
  ];
}

/** Reads the amounts of a purchase, sale or conversion, or else the value that Coinbase states. */
function readMoney(one: WalletTransaction): RowMoney {
  const details = toRecord(one[toText(one.type)]);
  const [subtotal, total, fee] = [details.subtotal, details.total, details.fee].map(readAmount);
  const native = readAmount(one.native_amount);
  const value = unsigned(native.amount);
  if (subtotal === undefined || total === undefined || fee === undefined || total.amount === '') {
    return { currency: native.currency, money: [value, value, ''] };
  }
  const money = [subtotal, total, fee].map(({ amount }) => unsigned(amount));
  return { currency: total.currency, money };
}

function readNote(one: WalletTransaction): string {
  const from = toText(toRecord(one.from).name);
  const description = toText(one.description);
  return from === '' || isOutgoing(one) ? description : `Received from ${from}`;
}

/** Returns the type as the export names it. A `send` without a minus sign was received. */
function nameType(one: WalletTransaction): string {
  const type = toText(one.type);
  if (type === 'send' && !isOutgoing(one)) return 'Receive';
  return namesByType.get(type) ?? toWords(type);
}

/** The names of the export, where they are not the words of the type. */
const namesByType: ReadonlyMap<string, string> = new Map([
  ['buy', 'Buy'],
  ['sell', 'Sell'],
  ['fiat_deposit', 'Deposit'],
  ['fiat_withdrawal', 'Withdrawal'],
  ['staking_reward', 'Staking Income'],
  ['interest', 'Interest Payout'],
  ['earn_payout', 'Coinbase Earn'],
  ['cardspend', 'Card Spend'],
  ['unstaking_transfer', 'Retail Unstaking Transfer'],
  ['staking_transfer', 'Retail Staking Transfer'],
]);

function toWords(type: string): string {
  return type.replace(
    /(?:^|_)([a-z])/g,
    (part, letter: string) => `${part.startsWith('_') ? ' ' : ''}${letter.toUpperCase()}`,
  );
}

function isOutgoing(one: WalletTransaction): boolean {
  return readAmount(one.amount).amount.startsWith('-');
}

function unsigned(amount: string): string {
  return amount.replace(/^-/, '');
}
