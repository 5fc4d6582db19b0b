import { formatDay } from '../base/day.ts';
import { type Cents, divideRounded, type Money, proportion, type Quantity } from '../base/decimal.ts';
import type { OpenLot } from './book.ts';
import { type Act, dollars, tradeFee } from './events.ts';
import { type Fold, isRetirement, leaveTrail, type Pool, poolOf, raise, settle } from './fold.ts';
import { addLot, freezeAverage, rebase, reorder, transitPrefix } from './lots.ts';
import { lotOrders } from './methods.ts';
import type { Ratio } from './model.ts';
import { dispose, lineOf, termOf } from './sale.ts';
import { lotAccountOf } from './take.ts';

/**
 * A split or stock dividend multiplies each lot; basis and dates stay with it (IRC 305(a), 307, 1223(4)). The money for
 * a fraction is the sale of that fraction (Pub. 550, "Fractional shares").
 */
export function split(fold: Fold, event: Act): void {
  const { ratio, quantity } = event.tx;
  if (ratio === null) {
    raiseIncomplete(fold, event, 'the ratio');
    return;
  }
  const pools = poolsOf(fold, event);
  for (const pool of pools.filter((candidate) => isFirstToday(fold, event, candidate)))
    splitPool(fold, pool, ratio, event);
  splitShorts(fold, event, ratio);
  splitLosses(fold, event, ratio);
  const first = pools[0];
  if (quantity === null || quantity <= 0n || event.tx.amount === null || first === undefined) return;
  const proceeds = dollars(event.tx, event.tx.amount);
  dispose(fold, {
    ...event,
    kind: 'dispose',
    ordinal: 1,
    account: event.account === '' ? first.account : event.account,
    quantity,
    proceeds: proceeds === null ? null : ((proceeds - tradeFee(event.tx)) as Money),
    purpose: 'sale',
    fromReceived: false,
  });
}

/** A new name for the same thing: everything about it stays. */
export function rename(fold: Fold, event: Act, receivedKey: string): void {
  const { receivedAsset } = event.tx;
  for (const pool of poolsOf(fold, event)) {
    const successor = poolOf(fold, receivedKey, pool.account);
    leaveTrail(successor, event.tx.id);
    for (const lot of retire(pool)) addLot(fold, successor, { ...lot, key: receivedKey, asset: receivedAsset });
  }
  const shorts = fold.shorts.get(event.key) ?? [];
  for (const short of shorts) Object.assign(short, { key: receivedKey, asset: receivedAsset });
  if (shorts.length > 0) {
    fold.shorts.set(receivedKey, [...(fold.shorts.get(receivedKey) ?? []), ...shorts]);
    fold.shorts.delete(event.key);
  }
  const losses = fold.losses.get(event.key);
  if (losses !== undefined) {
    const moved = losses.members.slice(losses.head).map((loss) => ({ ...loss, key: receivedKey }));
    const there = fold.losses.get(receivedKey);
    const members = [...(there?.members.slice(there.head) ?? []), ...moved].sort((a, b) => a.on - b.on);
    fold.losses.set(receivedKey, { members, head: 0 });
    fold.losses.delete(event.key);
  }
  fold.transits = fold.transits.map((transit) =>
    transit.key === event.key ? { ...transit, key: receivedKey, asset: receivedAsset } : transit,
  );
  followUnderlying(fold, event.key, receivedKey);
}

/**
 * A part of each lot's basis goes to the shares received, with its dates: by relative value, which the issuer states as
 * a percentage (IRC 358(b), 1223(1)). Received shares are not bought (26 CFR 1.1091-1(f)).
 */
export function spinoff(fold: Fold, event: Act, receivedKey: string): void {
  const { tx } = event;
  if (tx.ratio === null || tx.receivedQuantity === null) {
    raiseIncomplete(fold, event, 'the ratio or the units received');
    return;
  }
  const pools = poolsOf(fold, event).filter((pool) => isFirstToday(fold, event, pool));
  const deal = dealer(tx.receivedQuantity, quantityOf(pools));
  for (const pool of pools) {
    const child = poolOf(fold, receivedKey, pool.account);
    leaveTrail(child, tx.id);
    for (const lot of inOrder(pool)) {
      const quantity = deal(lot.quantity);
      const born = spunOff(lot, tx.ratio, quantity);
      if (quantity <= 0n) continue;
      const id = `${tx.id}/0:${lot.id}`;
      addLot(fold, child, { ...born, id, origin: id, openedBy: tx.id, key: receivedKey, asset: tx.receivedAsset });
    }
    reorder(pool);
  }
  if (pools.length === 0) raiseNothingHeld(fold, event);
}

/**
 * Shares for shares: basis and dates carry over (IRC 354, 358, 1223(1)). With cash besides, gain is recognized up to the
 * cash, lot by lot, loss is not (IRC 356(a), (c)). Cash alone is a sale.
 */
export function merge(fold: Fold, event: Act, receivedKey: string): void {
  const { tx } = event;
  const pools = poolsOf(fold, event).filter((pool) => isFirstToday(fold, event, pool));
  if (pools.length === 0) {
    raiseNothingHeld(fold, event);
    return;
  }
  const total = quantityOf(pools);
  const cash =
    tx.amount === null
      ? 0n
      : settle(fold, `proceeds ${event.key}`, ((dollars(tx, tx.amount) ?? 0n) - tradeFee(tx)) as Money);
  if (tx.receivedAsset === '') {
    sellOut(fold, event, pools, total);
    return;
  }
  if (tx.ratio === null && tx.receivedQuantity === null) {
    raiseIncomplete(fold, event, 'how many new units came');
    return;
  }
  const value = dollars(tx, tx.fmv);
  if (cash > 0n && value === null) raiseIncomplete(fold, event, 'what the new shares were worth');
  const units = tx.ratio === null ? (tx.receivedQuantity as Quantity) : scale(total, tx.ratio);
  const deal = { units: dealer(units, total), cash: dealer(cash, total), value: dealer(settleValue(value), total) };
  let row = 0;
  for (const pool of pools) {
    const successor = poolOf(fold, receivedKey, pool.account);
    leaveTrail(successor, tx.id);
    for (const lot of retire(pool)) {
      const quantity = deal.units(lot.quantity);
      const [cashShare, valueShare] = [deal.cash(lot.quantity), deal.value(lot.quantity)];
      const realized = cashShare + (value === null ? 0n : valueShare) - lot.wholeBasis;
      const recognized = realized <= 0n ? 0n : realized < cashShare ? realized : cashShare;
      if (recognized > 0n) writeBoot(fold, event, lot, cashShare, recognized, row++);
      const basis = lot.wholeBasis - cashShare + recognized;
      addLot(fold, successor, succeeding(lot, receivedKey, tx.receivedAsset, quantity, basis, cashShare - recognized));
    }
  }
  followUnderlying(fold, event.key, receivedKey);
}

/** Nondividend distributions reduce basis, share by share; what exceeds it is gain (IRC 301(c); Pub. 550). */
export function returnCapital(fold: Fold, event: Act): void {
  const amount = dollars(event.tx, event.tx.amount);
  if (amount === null) {
    raiseIncomplete(fold, event, 'the amount');
    return;
  }
  const pools = poolsOf(fold, event);
  const cents = settle(fold, `capital ${event.key}`, amount);
  if (pools.length === 0) {
    raiseNothingHeld(fold, event, cents);
    return;
  }
  const deal = dealer(cents, quantityOf(pools));
  let row = 0;
  for (const pool of pools) {
    leaveTrail(pool, event.tx.id);
    for (const lot of inOrder(pool)) {
      const share = deal(lot.quantity);
      const excess = share > lot.wholeBasis ? share - lot.wholeBasis : 0n;
      lower(lot, share);
      if (excess > 0n) writeExcess(fold, { ...event, account: pool.account }, lot, excess, row++);
    }
    reorder(pool);
  }
}

/** The pools an action reaches: of a named account, or of every account that holds the asset. */
function poolsOf(fold: Fold, event: Act): Pool[] {
  const accounts = fold.pools.get(event.key);
  if (accounts === undefined) return [];
  const named = event.account === '' ? null : lotAccountOf(fold.rules, event.assetClass, event.account, event.tx.on);
  const pools = [...accounts.values()].filter(
    (pool) => pool.lots.size > 0 && (named === null || pool.account === named),
  );
  return pools.sort((a, b) => (a.account < b.account ? -1 : 1));
}

/** The same action told by several accounts counts once for each. */
function isFirstToday(fold: Fold, event: Act, pool: Pool): boolean {
  const { type, ratio, receivedAsset } = event.tx;
  const action = `${type} ${event.key} ${receivedAsset} ${ratio?.numerator}:${ratio?.denominator} ${pool.account}`;
  if (fold.actionsToday.has(action)) return false;
  fold.actionsToday.add(action);
  return true;
}

function splitPool(fold: Fold, pool: Pool, ratio: Ratio, event: Act): void {
  leaveTrail(pool, event.tx.id);
  const deal = dealer(scale(quantityOf([pool]), ratio), quantityOf([pool]));
  for (const lot of inOrder(pool)) {
    const quantity = deal(lot.quantity);
    lot.used = lot.used === lot.quantity ? quantity : scale(lot.used, ratio);
    lot.quantity = quantity;
    lot.wholeQuantity = quantity;
    lot.unitBasis *= ratio.denominator;
    lot.unitQuantity *= ratio.numerator;
  }
  reorder(pool);
  for (const transit of fold.transits) {
    if (transitPrefix + transit.transactionId !== pool.account) continue;
    Object.assign(transit, { quantity: scale(transit.quantity, ratio), lessFee: scale(transit.lessFee, ratio) });
  }
}

function splitShorts(fold: Fold, event: Act, ratio: Ratio): void {
  for (const short of fold.shorts.get(event.key) ?? []) {
    if (event.account !== '' && event.account !== short.account) continue;
    const action = `split ${event.key} ${ratio.numerator}:${ratio.denominator} short ${short.id}`;
    if (fold.actionsToday.has(action)) continue;
    fold.actionsToday.add(action);
    for (const field of ['quantity', 'wholeQuantity', 'heldLong', 'heldShort', 'used'] as const) {
      short[field] = scale(short[field], ratio);
    }
  }
}

/** Share counts are compared after the split (26 CFR 1.1091-1(c), by share). */
function splitLosses(fold: Fold, event: Act, ratio: Ratio): void {
  const told = `${ratio.numerator}:${ratio.denominator}`;
  for (const loss of [...(fold.losses.get(event.key)?.members ?? []), ...(fold.shortLosses.get(event.key) ?? [])]) {
    if (loss.splits.includes(told)) continue;
    loss.splits.push(told);
    loss.quantity = scale(loss.quantity, ratio);
    loss.matched = scale(loss.matched, ratio);
  }
}

function spunOff(lot: OpenLot, ratio: Ratio, quantity: bigint): OpenLot {
  const basis = proportion(lot.wholeBasis, ratio.numerator, ratio.denominator);
  const lossBasis = lot.lossBasis === null ? null : proportion(lot.lossBasis, ratio.numerator, ratio.denominator);
  const born: OpenLot = {
    ...lot,
    quantity,
    used: 0n,
    wholeQuantity: quantity,
    wholeBasis: basis,
    lossBasis,
    unitBasis: lot.unitBasis * ratio.numerator * lot.quantity,
    unitQuantity: lot.unitQuantity * ratio.denominator * quantity,
    purchasedOn: null,
    children: 0,
  };
  lot.wholeBasis -= basis;
  if (lot.lossBasis !== null && lossBasis !== null) lot.lossBasis -= lossBasis;
  lot.unitBasis *= ratio.denominator - ratio.numerator;
  lot.unitQuantity *= ratio.denominator;
  return born;
}

function succeeding(
  lot: OpenLot,
  key: string,
  asset: string,
  quantity: bigint,
  basis: bigint,
  lessLoss: bigint,
): OpenLot {
  const same = basis === lot.wholeBasis;
  return {
    ...lot,
    key,
    asset,
    quantity,
    used: 0n,
    wholeQuantity: quantity,
    wholeBasis: basis,
    lossBasis: lot.lossBasis === null ? null : floor(lot.lossBasis - lessLoss),
    unitBasis: same ? lot.unitBasis * lot.quantity : basis * 1_000_000n,
    unitQuantity: same ? lot.unitQuantity * quantity : quantity,
    purchasedOn: null,
  };
}

/** (d) is the cash, (e) the cash less the gain (DOMAIN.md section 9, P15). */
function writeBoot(fold: Fold, event: Act, lot: OpenLot, cash: bigint, gain: bigint, row: number): void {
  writeRow(fold, { ...event, account: event.account === '' ? lot.account : event.account }, lot, row, {
    quantity: lot.quantity as Quantity,
    proceeds: cash as Cents,
    basis: (cash - gain) as Cents,
    description: null,
  });
}

function writeExcess(fold: Fold, event: Act, lot: OpenLot, excess: bigint, row: number): void {
  writeRow(fold, event, lot, row, {
    quantity: 0n as Quantity,
    proceeds: excess as Cents,
    basis: 0n as Cents,
    description: `${event.asset} nondividend distribution`,
  });
}

function writeRow(
  fold: Fold,
  event: Act,
  lot: OpenLot,
  row: number,
  cells: { quantity: Quantity; proceeds: Cents; basis: Cents; description: string | null },
): void {
  if (isRetirement(fold, lot.account)) return;
  const term = termOf(lot.inherited, lot.heldSince, event.tx.on);
  fold.facts.push({
    ...lineOf(fold, { ...event, assetClass: lot.assetClass }, row, term, lot.covered, {
      sold: event.tx.on,
      expired: null,
    }),
    lotId: lot.id,
    asset: event.asset,
    assetClass: lot.assetClass,
    acquired: lot.acquired,
    heldSince: lot.heldSince,
    inherited: lot.inherited,
    basisUnknown: lot.basisUnknown,
    identified: 'default',
    ...cells,
  });
}

function sellOut(fold: Fold, event: Act, pools: readonly Pool[], total: bigint): void {
  const amount = dollars(event.tx, event.tx.amount);
  const proceeds = amount === null ? null : ((amount - tradeFee(event.tx)) as Money);
  const deal = dealer(proceeds ?? 0n, total);
  pools.forEach((pool, index) => {
    const quantity = quantityOf([pool]) as Quantity;
    const share = proceeds === null ? null : (deal(quantity) as Money);
    const head = { ...event, ordinal: index, account: pool.account };
    dispose(fold, { ...head, kind: 'dispose', quantity, proceeds: share, purpose: 'sale', fromReceived: false });
  });
}

/** Takes all lots out of a pool, each with its remaining basis as its whole. */
function retire(pool: Pool): OpenLot[] {
  const lots = inOrder(pool).map((lot) => ({ ...lot }));
  for (const lot of pool.lots.values()) lot.quantity = 0n;
  pool.lots.clear();
  reorder(pool);
  return lots;
}

/** The lots of a pool, oldest first, made whole and ready to be changed. */
function inOrder(pool: Pool): OpenLot[] {
  freezeAverage(pool);
  const lots = [...pool.lots.values()].sort(lotOrders.FIFO);
  for (const lot of lots) rebase(lot);
  return lots;
}

function lower(lot: OpenLot, share: bigint): void {
  lot.unitBasis = floor(lot.unitBasis * lot.quantity - share * 1_000_000n * lot.unitQuantity);
  lot.unitQuantity *= lot.quantity;
  lot.wholeBasis = floor(lot.wholeBasis - share);
  if (lot.lossBasis !== null) lot.lossBasis = floor(lot.lossBasis - share);
}

/** Options on what got a new name are options on the new one. */
function followUnderlying(fold: Fold, key: string, receivedKey: string): void {
  for (const accounts of fold.pools.values()) {
    for (const pool of accounts.values()) {
      for (const lot of pool.lots.values()) {
        if (lot.underlyingKey !== key) break;
        Object.assign(lot, { underlyingKey: receivedKey });
      }
    }
  }
  fold.recent.delete(key);
  fold.recent.delete(receivedKey);
}

function quantityOf(pools: readonly Pool[]): bigint {
  return pools.reduce((sum, pool) => [...pool.lots.values()].reduce((units, lot) => units + lot.quantity, sum), 0n);
}

/** Deals a total out by quantity, rounded cumulatively, so that the parts sum to it. */
function dealer(total: bigint, quantity: bigint): (units: bigint) => bigint {
  let [reached, dealt] = [0n, 0n];
  return (units) => {
    reached += units;
    const upTo = quantity === 0n ? 0n : divideRounded(total * reached, quantity);
    const share = upTo - dealt;
    dealt = upTo;
    return share;
  };
}

function scale(quantity: bigint, ratio: Ratio): bigint {
  return proportion(quantity, ratio.numerator, ratio.denominator);
}

function settleValue(value: Money | null): bigint {
  return value === null ? 0n : divideRounded(value, 1_000_000n);
}

function floor(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}

function raiseIncomplete(fold: Fold, event: Act, what: string): void {
  raise(
    fold,
    event,
    'value_missing',
    `The ${event.tx.type} of ${event.asset} on ${formatDay(event.tx.on)} does not say ${what}.`,
  );
}

function raiseNothingHeld(fold: Fold, event: Act, amount = 0n): void {
  const where = event.account === '' ? 'no account' : `not ${event.account}`;
  const detail = `On ${formatDay(event.tx.on)}, the day of its ${event.tx.type.replaceAll('_', ' ')}, ${where} held ${event.asset}.`;
  raise(fold, event, 'unreconciled', detail, { dollars: amount as Cents });
}
