import type { Money, Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { computeShare, magnitude, noneIfZero, toFee } from '../cells/amounts.ts';
import { isCurrency } from '../cells/currencies.ts';
import { isCurrencyCode } from '../cells/currency-signs.ts';
import { findFault, toDraft } from '../cells/drafts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import {
  type Cells,
  coinFormat,
  type Draft,
  type Outcome,
  type Row,
  rowsInGroups,
  type StatedFields,
  type Time,
} from '../reader.ts';
import { createBalanceReader } from '../tables/balance-columns.ts';
import type { RowKind } from '../tables/kinds.ts';

/**
 * Reads Kraken ledgers, which have one signed row for each leg. The fee is in the same asset and on top. The legs of
 * one trade share a refid and can be in any order. Times are UTC.
 */
export const krakenLedgers = coinFormat(
  {
    id: 'kraken-ledgers',
    name: 'Kraken ledgers',
    source: 'Kraken',
    zone: 'local',
    openBalances: createBalanceReader(() => ({
      ...{ time: 'time', asset: 'asset', amount: 'amount', fee: 'fee', balance: 'balance' },
      conventions: { zone: 'UTC' },
      // Staked or locked units have separate names: `DOT.S`, `XBT.F`.
      part: (cells) => JSON.stringify([cells.text('asset'), cells.text('wallet')]),
      assetOf: (name) => (name === 'KFEE' ? '' : krakenAsset(name)),
      // The file adds another row once the transfer is settled.
      isPending: (cells) => cells.text('txid') === '',
    })),
  },
  [{ id: 'ledgers', header: 'txid | refid | time | type | aclass | asset | amount | fee | balance' }],
  rowsInGroups(
    () => new KrakenLedgerReader(),
    (cells, rows) => rows.read(cells),
  ),
);

/** Limits memory: the maximum number of events waiting for their other half, and of legs in each event. */
const waitingMax = 10_000;
const legsMax = 100;

interface KrakenLeg {
  readonly row: Row;
  readonly cells: Cells;
  readonly time: Time;
  readonly refid: string;
  readonly asset: string;
  /** The name as written in the file: `ETH2.S`. */
  readonly name: string;
  readonly amount: bigint;
  readonly fee: Quantity | null;
  readonly dollars: Money | null;
  readonly feeDollars: Money | null;
}

class KrakenLedgerReader {
  /** Legs waiting for their other half, by key. */
  private readonly waiting = new Map<string, KrakenLeg[]>();
  private lastKey = '';

  read(cells: Cells): Outcome[] {
    const kind = classifyRow(cells);
    if (typeof kind === 'object') return ['skip' in kind ? cells.skip(kind.skip) : cells.rejected('type', kind.refuse)];
    const leg = readLeg(cells.row, cells);
    if (leg === undefined) return [cells.refused()];
    if (kind !== 'leg') return [single(leg, kind)];
    return this.join(leg);
  }

  end(): Outcome[] {
    return [...this.waiting.keys()].flatMap((key) => this.flush(key));
  }

  /** Collects a trade's legs. The trade is complete when rows for a different event follow. */
  private join(leg: KrakenLeg): Outcome[] {
    const delisting = leg.cells.text('subtype') === 'delistingconversion';
    // In Kraken's own conversions, each half has its own refid, but both have the same time.
    const key = delisting ? `delisting ${leg.time.at}` : leg.refid;
    const done = key !== this.lastKey && isWhole(this.waiting.get(this.lastKey)) ? this.flush(this.lastKey) : [];
    this.lastKey = key;
    const legs = this.waiting.get(key) ?? [];
    legs.push(leg);
    this.waiting.set(key, legs);
    if (legs.length > legsMax) return [...done, ...this.flush(key)];
    const [oldest] = this.waiting.keys();
    return this.waiting.size > waitingMax && oldest !== undefined ? [...done, ...this.flush(oldest)] : done;
  }

  private flush(key: string): Outcome[] {
    const legs = this.waiting.get(key) ?? [];
    this.waiting.delete(key);
    const given = legs.filter((leg) => leg.amount < 0n);
    const received = legs.filter((leg) => leg.amount > 0n);
    const [oneGiven, oneReceived] = [given[0], received[0]];
    if (given.length !== 1 || received.length !== 1 || oneGiven === undefined || oneReceived === undefined) {
      const reason =
        given.length === 0 || received.length === 0
          ? rejections.otherHalfMissing(key)
          : rejections.severalAssets(key, given.length, received.length);
      return legs.map((leg) => leg.cells.rejected('refid', reason));
    }
    const rest = legs.filter((leg) => leg.amount === 0n);
    return [exchange(oneGiven, oneReceived), ...rest.map((leg) => leg.cells.skip(skips.zeroAmount))];
  }
}

function isWhole(legs: readonly KrakenLeg[] | undefined): boolean {
  return legs?.some((leg) => leg.amount < 0n) === true && legs.some((leg) => leg.amount > 0n);
}
/**
 * Matches transfers between Kraken's own products, in either direction: `spottostaking`, `spotfromfutures`,
 * `autoallocate`, `deallocation`.
 */
const internalSubtypes =
  /^(?:spot|staking|futures|earn|margin)(?:to|from)(?:spot|staking|futures|earn|margin)$|^(?:auto|de)?(?:de)?allocat(?:e|ion)$|^migration$/;
const margin = new Set(['margin', 'rollover', 'settled']);

/** Returns `leg` for half of a trade, or else the meaning of the row. */
function classifyRow(cells: Cells): RowKind | 'leg' {
  const [type, subtype] = [cells.text('type').toLowerCase(), cells.text('subtype').toLowerCase()];
  if (cells.text('txid') === '' && cells.text('balance') === '') {
    return { skip: skips.pending };
  }
  if (cells.text('asset') === 'KFEE') return { skip: skips.feeCredits };
  if (subtype === 'delistingconversion' || type === 'trade' || type === 'spend' || type === 'receive') return 'leg';
  if (internalSubtypes.test(subtype)) return { skip: skips.movedWithinKraken };
  if (type === 'reserve') return { skip: skips.reserved };
  if (type === 'deposit' || type === 'withdrawal') return type;
  if (type === 'staking' || (type === 'earn' && subtype === 'reward')) return 'staking';
  if (type === 'dividend') return 'reward';
  if ((type === 'transfer' || type === 'earn') && subtype === 'airdrop') return 'airdrop';
  if (type === 'transfer' && subtype === '' && !cells.text('amount').startsWith('-')) return 'airdrop';
  if (margin.has(type)) return { refuse: rejections.marginTrade };
  const named = [type, subtype].filter((part) => part !== '').join(' / ');
  return { refuse: rejections.unexplained(named) };
}

function readLeg(row: Row, cells: Cells): KrakenLeg | undefined {
  const time = cells.time('time', 'UTC');
  const amount = cells.need('amount', cells.quantity('amount'));
  const fee = cells.quantity('fee');
  const dollars = cells.roundedMoney('amountusd');
  const feeDollars = cells.roundedMoney('feeusd');
  cells.needUnit('amountusd', 'USD');
  cells.needUnit('feeusd', 'USD');
  const name = cells.text('asset');
  if (name === '') cells.reject('asset', rejections.assetMissing);
  if (cells.flawed || time === null || amount === null) return undefined;
  return {
    row,
    cells,
    time,
    refid: cells.text('refid'),
    asset: krakenAsset(name),
    name,
    amount,
    fee: noneIfZero(magnitude(fee)),
    dollars: noneIfZero(magnitude(dollars)),
    feeDollars: toFee(feeDollars),
  };
}

const legacyNames: ReadonlyMap<string, string> = new Map([
  ['XXBT', 'BTC'],
  ['XBT', 'BTC'],
  ['XXDG', 'DOGE'],
  ['XDG', 'DOGE'],
  ['ETH2', 'ETH'],
  ...['ETC', 'ETH', 'LTC', 'MLN', 'REP', 'XLM', 'XMR', 'XRP', 'ZEC', 'ICN', 'NMC'].map(
    (name) => [`X${name}`, name] as const,
  ),
]);

/**
 * Converts Kraken's asset names. `XXBT` is BTC, `DOT28.S` (bonded, staked) is DOT, and `ZCHF` and every other Z with an
 * ISO 4217 code is money.
 */
export function krakenAsset(name: string): string {
  const [stem = '', suffix] = name.split('.');
  const plain = suffix === undefined || stem === 'ETH2' ? stem : stem.replace(/(?<=[A-Z])\d{2}$/, '');
  if (/^Z[A-Z]{3}$/.test(plain) && isCurrencyCode(plain.slice(1))) return plain.slice(1);
  return legacyNames.get(plain) ?? plain;
}

function single(leg: KrakenLeg, type: TransactionType): Outcome {
  const { cells, asset, time } = leg;
  const amount = magnitude(leg.amount as Quantity);
  const common: StatedFields = { type, asset, externalId: cells.text('txid') };
  if (type === 'deposit' || type === 'withdrawal') {
    if (isCurrency(asset)) return cells.skip(skips.notTaxable(type, asset));
    // A fee on incoming units is deducted from them. A fee on outgoing units comes on top.
    if (type === 'deposit') return cells.read(time, { ...common, quantity: subtractFee(amount, leg.fee) });
    return cells.read(time, { ...common, quantity: amount, ...feeInKind(leg, leg.feeDollars) });
  }
  if (leg.amount <= 0n) return cells.rejected('amount', rejections.negativeIncome);
  const net = subtractFee(amount, leg.fee);
  if (isCurrency(asset)) {
    return cells.read(time, { ...common, type: 'interest', asset: '', currency: asset, amount: toMoney(net) });
  }
  const value = leg.dollars === null ? null : ((leg.dollars - (leg.feeDollars ?? 0n)) as Money);
  return cells.read(time, { ...common, quantity: net, amount: value });
}

function exchange(given: KrakenLeg, received: KrakenLeg): Outcome {
  const [first, second] = given.row.line < received.row.line ? [given, received] : [received, given];
  const lines = [first.row.line, second.row.line];
  const [paid, got] = [isCurrency(given.asset), isCurrency(received.asset)];
  if (paid && got) return { kind: 'skipped', lines, reason: skips.currencyExchanged };
  if (given.asset === received.asset) return { kind: 'skipped', lines, reason: skips.movedWithinKraken };
  const stated = paid ? purchase(given, received) : got ? sale(given, received) : swap(given, received);
  const fault = findFault(stated);
  if (fault !== undefined) {
    const { line, cells } = first.row;
    return { kind: 'rejected', lines, issue: { line, column: null, ...fault, cells } };
  }
  const draft: Draft = toDraft(first.row.line, first.time, { ...stated, externalId: first.refid });
  return { kind: 'read', lines, drafts: [draft] };
}

function purchase(given: KrakenLeg, received: KrakenLeg): StatedFields {
  const amount = toMoney(unitsOf(given));
  const common: StatedFields = { type: 'buy', asset: received.asset, amount, currency: given.asset };
  const cashFee = given.fee === null ? null : toMoney(given.fee);
  // A statement can have only one fee. If there are two, the coin fee is subtracted from the units received.
  if (cashFee !== null) return { ...common, quantity: subtractFee(unitsOf(received), received.fee), fee: cashFee };
  const feeValue = received.fee === null ? null : computeShare(amount, received.fee, unitsOf(received));
  return { ...common, quantity: unitsOf(received), ...feeInKind(received, feeValue) };
}

function sale(given: KrakenLeg, received: KrakenLeg): StatedFields {
  const amount = toMoney(unitsOf(received));
  const common: StatedFields = {
    type: 'sell',
    asset: given.asset,
    quantity: unitsOf(given),
    amount,
    currency: received.asset,
  };
  const cashFee = received.fee === null ? null : toMoney(received.fee);
  if (cashFee !== null) return { ...common, quantity: more(unitsOf(given), given.fee), fee: cashFee };
  const feeValue = given.fee === null ? null : computeShare(amount, given.fee, unitsOf(given));
  return { ...common, ...feeInKind(given, feeValue) };
}

/**
 * Reads an exchange of two assets. Quantities are gross, because the fee's units are withheld from their side (26 CFR
 * 1.1001-7(b)(1)(ii)).
 */
function swap(given: KrakenLeg, received: KrakenLeg): StatedFields {
  const amount = received.dollars ?? given.dollars;
  const common: StatedFields = {
    type: 'trade',
    asset: given.asset,
    quantity: more(unitsOf(given), given.fee),
    receivedAsset: received.asset,
    receivedQuantity: unitsOf(received),
    amount,
  };
  if (given.fee !== null) {
    const feeValue = given.feeDollars ?? computeShare(amount, given.fee, unitsOf(given));
    return { ...common, receivedQuantity: subtractFee(unitsOf(received), received.fee), ...feeInKind(given, feeValue) };
  }
  if (received.fee === null) return common;
  return {
    ...common,
    ...feeInKind(received, received.feeDollars ?? computeShare(amount, received.fee, unitsOf(received))),
  };
}

function feeInKind(leg: KrakenLeg, value: Money | null): Partial<StatedFields> {
  return leg.fee === null ? {} : { feeAsset: leg.asset, feeQuantity: leg.fee, fee: value };
}

function unitsOf(leg: KrakenLeg): Quantity {
  return magnitude(leg.amount) as Quantity;
}

function subtractFee(units: Quantity | null, fee: Quantity | null): Quantity | null {
  return units === null || fee === null ? units : ((units - fee) as Quantity);
}

function more(units: Quantity, fee: Quantity | null): Quantity {
  return (units + (fee ?? 0n)) as Quantity;
}

/** Converts units of a currency to money. This drops decimals 9 to 18, which no currency uses. */
function toMoney(units: Quantity | null): Money | null {
  return units === null ? null : ((units / 10_000_000_000n) as Money);
}
