import { formatDay } from '../../../base/day.ts';
import {
  type Cents,
  centsToMoney,
  formatMoney,
  formatQuantity,
  type Money,
  roundToCents,
} from '../../../base/decimal.ts';
import { methodWanted } from '../../book/method-in-force.ts';
import { isDebt } from '../../events/classes.ts';
import { isAllowed, type LotMethod, lotMethods } from '../../lot-methods.ts';
import type { Disposal, Fact, Issue, Rules, Transaction, WashSale } from '../../model.ts';

/** A sale with the gain stated by its source. Amounts are in dollars. */
export interface StatedSale
  extends Pick<Transaction, 'id' | 'on' | 'type' | 'account' | 'asset' | 'quantity' | 'amount' | 'fee'> {
  readonly statedGain: Money;
}

/** The row that opened a lot. Its fee is part of the lot's basis. */
export type OpeningRow = Pick<Transaction, 'id' | 'quantity' | 'fee'>;

/** The disposal lines of the sales, and the wash sales in the same books. */
export interface SaleFacts {
  readonly disposals: readonly Disposal[];
  readonly washes: readonly WashSale[];
}

export function pickSaleFacts(facts: readonly Fact[]): SaleFacts {
  return {
    disposals: facts.filter((fact) => fact.kind === 'disposal'),
    washes: facts.filter((fact) => fact.kind === 'wash'),
  };
}

/** Returns the ids of the rows that opened the lots of these sales. */
export function listPurchaseIds(sales: readonly StatedSale[], { disposals }: SaleFacts): string[] {
  const ids = new Set(sales.map(({ id }) => id));
  return [...new Set(disposals.filter(({ saleId }) => ids.has(saleId)).map(purchaseOf))];
}

/** Returns the rules with this lot method for every account. */
export function rulesUnder(method: LotMethod, { standingOrders: _, ...rules }: Rules): Rules {
  return { ...rules, method, methodByAccount: {}, methodFrom: [] };
}

/**
 * A sale whose stated gain does not match its computed gain under any combination of wash sales, adjustments and fees.
 */
export interface DifferingSale {
  readonly sale: StatedSale;
  readonly lines: readonly Disposal[];
  /** The computed gain, in 10⁻⁸ dollars. */
  readonly computed: Money;
  readonly difference: Money;
}

/**
 * Returns the sales whose stated gain differs from the calculated gain. A source may state a gain before or after wash
 * sales (IRC 1091), and with or without fees, so a gain differs only if no such combination matches. Lines with an
 * unknown basis already have an issue, and section 1256 contracts are marked to market, so these are not compared.
 */
export function differingSales(
  sales: readonly StatedSale[],
  { disposals, washes }: SaleFacts,
  openings: ReadonlyMap<string, OpeningRow>,
): DifferingSale[] {
  const stated = new Set(sales.map(({ id }) => id));
  const linesOfSale = Map.groupBy(
    disposals.filter(({ saleId }) => stated.has(saleId)),
    ({ saleId }) => saleId,
  );
  const deniedOf = Map.groupBy(washes, ({ disposalId }) => disposalId);
  const addedTo = Map.groupBy(washes, ({ replacementTransactionId }) => replacementTransactionId);
  return sales.flatMap((sale) => {
    const lines = linesOfSale.get(sale.id) ?? [];
    if (!isComparable(sale, lines)) return [];
    const listWashAmounts = (line: Disposal): bigint[] => [
      ...(deniedOf.get(line.id) ?? []).map(({ disallowed }) => disallowed),
      ...washesInBasis(line, addedTo.get(purchaseOf(line)) ?? []),
    ];
    const assetLines = lines.filter(({ asset }) => asset === sale.asset);
    // Units used to pay a fee are also sold, but not every source counts them.
    const readings = [lines, ...(assetLines.length === lines.length ? [] : [assetLines])];
    if (readings.some((some) => agrees(sale, some, some.flatMap(listWashAmounts), openings))) return [];
    const denied = lines.flatMap(({ id }) => deniedOf.get(id) ?? []).map(({ disallowed }) => disallowed);
    const gain = sum([...lines.map(({ proceeds, basis, adjustment }) => proceeds - basis + adjustment), ...denied]);
    const computed = centsToMoney(gain as Cents);
    return [{ sale, lines, computed, difference: size(sale.statedGain - computed) as Money }];
  });
}

/**
 * Returns whether some combination gives the stated gain: with or without each wash sale, the adjustments and the fees.
 */
function agrees(
  sale: StatedSale,
  lines: readonly Disposal[],
  washes: readonly bigint[],
  openings: ReadonlyMap<string, OpeningRow>,
): boolean {
  const unadjusted = centsToMoney(sum(lines.map(({ proceeds, basis }) => proceeds - basis)) as Cents);
  const adjustment = sum(lines.map((line) => line.adjustment));
  const parts = washes.length > washesApartMax ? [sum(washes)] : washes;
  const readings = combinations([adjustment, ...parts].map((cents) => centsToMoney(cents as Cents)));
  const openingFees = sum(lines.map((line) => feeInBasis(line, openings.get(purchaseOf(line)))));
  const fees = [0n, sale.fee ?? 0n, openingFees, (sale.fee ?? 0n) + openingFees];
  const tolerance = computeTolerance(sale, lines);
  return readings.some((reading) =>
    fees.some((fee) => size(sale.statedGain - (unadjusted + reading + fee)) <= tolerance),
  );
}

/**
 * Up to this many wash sales are each tried with and without. If there are more, they are included all together or not
 * at all. A broker knows only the wash sales within an account, so the stated gain may include some and not others.
 */
const washesApartMax = 8;

/**
 * Books with more rows are not replayed under other lot methods, because each replay takes as long as computing the
 * books did.
 */
export const replayedRowsMax = 2_000;

/** Returns the facts of a sale's books under another lot method, or null if the history is too long to replay again. */
export type ReplayUnder = (method: LotMethod, sale: StatedSale) => SaleFacts | null;

/** Replays each book at most once under each method. `bookOf` returns the book of a sale, if there are several. */
export function rememberReplays(replayAs: ReplayUnder, bookOf: (sale: StatedSale) => string = () => ''): ReplayUnder {
  const known = new Map<string, SaleFacts | null>();
  return (method, sale) => {
    const name = `${method} ${bookOf(sale)}`;
    const facts = known.get(name) ?? replayAs(method, sale);
    known.set(name, facts);
    return facts;
  };
}

/** Raises one issue for each sale. If another lot method gives the stated gain, the issue proposes that method. */
export function statedGainIssues(
  differing: readonly DifferingSale[],
  openings: ReadonlyMap<string, OpeningRow>,
  rules: Rules,
  replayUnder: ReplayUnder,
): Issue[] {
  return differing.map((one) => {
    const { sale, lines, computed, difference } = one;
    const [first] = lines;
    const on = first?.on ?? sale.on;
    const { id, account, asset } = sale;
    const method = fittingMethod(one, openings, rules, replayUnder);
    const purchases = [...new Set(lines.map(purchaseOf))].filter((purchase) => purchase !== id);
    return {
      kind: 'issue',
      causedOn: on,
      id: `${id}/0/gain_differs/${account}`,
      issue: 'gain_differs',
      on,
      asset,
      account,
      transactions: [id, ...purchases.slice(0, purchasesNamedMax)],
      dollars: roundToCents(difference),
      detail:
        `Your file states ${gainText(sale.statedGain)} for ${unitsText(sale)}${asset} on ${formatDay(sale.on)} in ${account}, ` +
        `but your transactions give ${gainText(computed)}, a difference of $${formatMoney(difference)}. ${nextStepText(method, account)}`,
    } satisfies Issue;
  });
}

const purchasesNamedMax = 7;

function nextStepText(method: LotMethod | null, account: string): string {
  if (method !== null)
    return (
      `The lot method ${method} gives the stated gain. If you gave the broker that instruction, set the method for ${account} in Settings. ` +
      'Otherwise, accept the calculated gain with a note.'
    );
  return (
    'Purchases, transfers or corporate actions may be missing, the broker may have sold other lots, or the account type may be wrong. ' +
    'Import any missing files or correct the rows. If the calculated gain is right, accept it with a note.'
  );
}

/** Returns the first other method whose lines match the stated gain. */
function fittingMethod(
  { sale, lines }: DifferingSale,
  openings: ReadonlyMap<string, OpeningRow>,
  rules: Rules,
  replayUnder: ReplayUnder,
): LotMethod | null {
  const [line] = lines;
  if (line === undefined || line.shortSale) return null;
  const current = methodWanted(rules, sale.account, line.assetClass, sale.on);
  const others = lotMethods.filter((method) => {
    return method !== current && isAllowed(method, line.assetClass);
  });
  for (const method of others) {
    const facts = replayUnder(method, sale);
    if (facts === null) return null;
    const isMade = facts.disposals.some(({ saleId, basisUnknown }) => saleId === sale.id && !basisUnknown);
    if (isMade && differingSales([sale], facts, openings).length === 0) return method;
  }
  return null;
}

function isComparable({ amount, type }: StatedSale, lines: readonly Disposal[]): boolean {
  const isUnvalued = amount === null && type !== 'expire' && lines.every(({ proceeds }) => proceeds === 0n);
  if (lines.length === 0 || isUnvalued) return false;
  return lines.every(
    ({ basisUnknown, purchaseUnknown, assetClass }) => !basisUnknown && purchaseUnknown !== true && !isDebt(assetClass),
  );
}

/**
 * Returns the wash sale losses in the basis of a line. If several replacement lots match the line's lot, only the one
 * with the longest id counts, and its losses are prorated by units.
 */
function washesInBasis({ lotId, quantity }: Disposal, washes: readonly WashSale[]): bigint[] {
  const lotWashes = washes.filter(
    ({ replacementLotId, permanent }) => !permanent && lotId.startsWith(replacementLotId),
  );
  const longest = lotWashes.reduce((length, { replacementLotId }) => Math.max(length, replacementLotId.length), 0);
  return lotWashes
    .filter(({ replacementLotId }) => replacementLotId.length === longest)
    .map((wash) => (wash.disallowed * (quantity < wash.quantity ? quantity : wash.quantity)) / wash.quantity);
}

function feeInBasis({ quantity }: Disposal, opening: OpeningRow | undefined): bigint {
  const bought = opening?.quantity ?? 0n;
  if (opening?.fee === null || opening?.fee === undefined || bought === 0n) return 0n;
  return (opening.fee * quantity) / bought;
}

/** Returns the id of the purchase, which is the first part of a lot id. */
function purchaseOf({ lotId }: Disposal): string {
  return lotId.slice(0, lotId.indexOf('/'));
}

/**
 * Returns the tolerance: one cent for the sale plus one cent per lot, or at least one dollar if the row states whole
 * dollars.
 */
function computeTolerance({ statedGain, amount, fee }: StatedSale, lines: readonly Disposal[]): bigint {
  const isWhole = [statedGain, amount, fee].every((money) => (money ?? 0n) % dollar === 0n);
  const cents = cent * BigInt(lines.length + 1);
  return isWhole && cents < dollar ? dollar : cents;
}

const cent = centsToMoney(1n as Cents);
const dollar = 100n * cent;

/** Returns the sum of each subset of these amounts. */
function combinations(amounts: readonly bigint[]): bigint[] {
  const sums = [0n];
  for (const amount of amounts) if (amount !== 0n) sums.push(...sums.map((one) => one + amount));
  return sums;
}

function gainText(gain: Money): string {
  return gain < 0n ? `a loss of $${formatMoney(size(gain) as Money)}` : `a gain of $${formatMoney(gain)}`;
}

function unitsText({ quantity }: StatedSale): string {
  return quantity === null ? '' : `${formatQuantity(quantity)} `;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function size(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
