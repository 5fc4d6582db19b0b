import { formatQuantity, type Money, type Quantity } from '../../base/decimal.ts';
import { magnitude, sum, toRatio } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { withLines } from '../cells/joiner.ts';
import { rejections, skips } from '../cells/reasons.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import { asDebt } from './bonds.ts';

/**
 * The meaning of the source's word for a corporate action. `split`: the number of shares changes. `rename`: a new
 * symbol, CUSIP or share class of the same company. `exchange`: shares of a different company. `payout`: cash for all
 * shares.
 */
export type ActionKind = 'split' | 'rename' | 'exchange' | 'payout';

/** One row of a corporate action. Brokers use separate rows for the shares removed, the shares received, and cash. */
export interface ActionRow {
  readonly cells: Cells;
  /** The column that names the action, used in rejections. */
  readonly column: string;
  readonly time: Time | null;
  readonly kind: ActionKind;
  readonly asset: string;
  /** The security's name without the words added by the action. */
  readonly name?: string;
  /** Positive for shares received, negative for shares removed. Null for cash alone. */
  readonly quantity: Quantity | null;
  /** Cash received. The shares' market value is not cash. */
  readonly amount?: Money | null;
  readonly fee?: Money | null;
  /** The source's value for the shares. It is not cash, so both sides must agree. */
  readonly value?: Money | null;
  /** The symbol or CUSIP of the other side, if the row contains it. */
  readonly other?: string;
  /** The source's number for the action. */
  readonly reference?: string;
  /** Marks shares that the broker added to round up a fraction. */
  readonly rounds?: true;
  readonly common?: Pick<StatedFields, 'account' | 'assetClass' | 'currency'>;
}

/** The maximum number of days between rows of one action. */
const daysApart = 5;
/** The maximum number of action rows held in memory, which no known file reaches. */
const rowsHeldMax = 10_000;
const namesMax = 20_000;

/**
 * Joins the rows of corporate actions at the end of a file. They can be in any order, on one day or a few days apart,
 * with one row for each lot. Rows with no match, or several, are rejected with the numbers of the lines in question.
 */
export class CorporateActions {
  private readonly rows: ActionRow[] = [];
  /** Symbols by security name, from other rows in the file. */
  private readonly symbolsOf = new Map<string, Set<string>>();
  /** CUSIPs that other rows in the file use for a security. */
  private readonly cusips = new Set<string>();

  /** Records a security's symbol, for actions that identify the security by CUSIP. */
  note(asset: string, name: string): void {
    const key = normalize(name);
    if (isCusip(asset)) {
      if (this.cusips.size < namesMax) this.cusips.add(asset);
      return;
    }
    if (asset === '' || key === '') return;
    const symbols = this.symbolsOf.get(key);
    if (symbols !== undefined) symbols.add(asset);
    else if (this.symbolsOf.size < namesMax) this.symbolsOf.set(key, new Set([asset]));
  }

  add(row: ActionRow): readonly Outcome[] {
    if (row.time === null || row.cells.flawed) return [row.cells.refused()];
    if (this.rows.length >= rowsHeldMax) return [row.cells.rejected(row.column, rejections.tooManyActions)];
    this.rows.push(row);
    return [];
  }

  end(): readonly Outcome[] {
    const groups = Map.groupBy(this.rows.splice(0), ({ kind, common }) => `${kind} ${common?.account ?? ''}`);
    return [...groups.values()].flatMap((rows) => this.settle(rows));
  }

  /** Finishes the actions of one kind in one account. */
  private settle(rows: readonly ActionRow[]): readonly Outcome[] {
    return clusters(rows).flatMap((cluster) => {
      const { actions, rest } = actionsOfCluster(cluster);
      return [...actions.flatMap((action) => this.settleAction(action)), ...rejectUnpaired(rest)];
    });
  }

  private settleAction(action: readonly ActionRow[]): readonly Outcome[] {
    const [first] = [...action].sort(byTime);
    if (first === undefined) return [];
    const stated = this.statedBy(action);
    if (stated === null) return action.map(({ cells }) => cells.skip(skips.sameShares));
    if (typeof stated === 'string') {
      const lines = linesText(action);
      return action.map(({ cells, column }) =>
        cells.rejected(column, rejections.incompleteAction(`${stated} (${lines})`)),
      );
    }
    if (stated.type === 'merger' && first.kind === 'exchange' && stated.receivedAsset !== undefined)
      first.cells.warn('this share exchange was imported as tax-free, which the file does not confirm');
    if ((first.value ?? null) !== null) first.cells.acceptValue();
    const outcome = first.cells.read(first.time, { ...first.common, ...stated });
    if (outcome.kind !== 'rejected')
      return [
        withLines(
          outcome,
          action.map(({ cells }) => cells.line),
        ),
      ];
    return action.map(({ cells }) => cells.rejected(outcome.issue.column, outcome.issue));
  }

  /**
   * Returns the transaction for an action, or the reason why its rows are incomplete. Null if the shares do not change.
   */
  private statedBy(action: readonly ActionRow[]): StatedFields | string | null {
    const [out, come] = [action.filter(isOut), action.filter(isIn)];
    const [given, received] = [out[0], come[0]];
    const amount = sum(...action.map((row) => row.amount ?? null));
    const money = { amount: amount === 0n ? null : amount, fee: sum(...action.map((row) => row.fee ?? null)) };
    if (received?.rounds === true) return { type: 'split', asset: received.asset, quantity: total(come) };
    if (given === undefined) return 'The row for the shares removed is missing';
    if (received === undefined) {
      const asset = action.find((row) => row.quantity === null)?.asset || given.asset;
      if (money.amount === null) return 'The row received in exchange for these shares is missing';
      const paid = isCusip(given.asset) ? asset : given.asset;
      const stated: StatedFields = {
        ...given.common,
        type: 'sell',
        asset: paid,
        quantity: -total(out) as Quantity,
        ...money,
      };
      const description = action.map(({ name = '' }) => name).join(' ');
      return asDebt(given.cells, { stated, description, price: '' });
    }
    const [before, after] = [-total(out), total(come)];
    const ratio = toRatio(after, before);
    const [valueBefore, valueAfter] = [out, come].map((rows) =>
      magnitude(sum(...rows.map(({ value = null }) => value))),
    );
    if (valueBefore !== valueAfter) return rejections.cashOrSharesUnclear.reason;
    const isSplit = given.kind === 'split' && isCusip(given.asset) && !this.cusips.has(given.asset);
    const asset = isSplit ? received.asset : this.findSymbol(given);
    if (asset === null) return rejectUnnamed(given, received);
    const isSame = given.kind !== 'split' && asset === received.asset && before === after;
    if (isSame && money.amount === null) return null;
    if (isSplit || asset === received.asset)
      return money.amount === null
        ? { type: 'split', asset, ratio }
        : 'The fraction of a share that this cash was paid for is missing';
    const exchange = { asset, receivedAsset: received.asset };
    return given.kind === 'rename' && before === after && money.amount === null
      ? { type: 'rename', ...exchange }
      : { type: 'merger', ...exchange, ratio, ...money };
  }

  /** Returns the symbol of the shares removed. Null if they have a CUSIP that no other row links to a single symbol. */
  private findSymbol({ asset, name = '' }: ActionRow): string | null {
    if (!isCusip(asset) || this.cusips.has(asset)) return asset;
    const symbols = this.symbolsOf.get(normalize(name));
    return symbols?.size === 1 ? ([...symbols][0] ?? null) : null;
  }
}

function rejectUnnamed(given: ActionRow, received: ActionRow): string {
  const [out, come] = [given, received].map(
    ({ quantity, asset }) => `${formatQuantity(magnitude(quantity) ?? (0n as Quantity))} ${asset}`,
  );
  return `${come} replaced ${out}, a CUSIP with no symbol in the file`;
}

interface Divided {
  readonly actions: ActionRow[][];
  readonly rest: ActionRow[];
}

/**
 * Finds the actions in rows that are a few days apart. Certain matches come first, day by day. A day's remaining rows
 * match if every day has exactly one pair, or else if there is only one pair in total.
 */
function actionsOfCluster(rows: readonly ActionRow[]): Divided {
  const byDay = [...Map.groupBy(rows, ({ time }) => time?.on).values()].map((ofDay) => divideIntoActions(ofDay, sure));
  const actions = byDay.flatMap((day) => day.actions);
  const left = byDay.map(({ rest }) => rest).filter((rest) => rest.length > 0);
  const isPairs = left.every(
    (ofDay) => byAsset(ofDay.filter(isOut)).size === 1 && byAsset(ofDay.filter(isIn)).size === 1,
  );
  const last = (isPairs ? left : [left.flat()]).map((some) => divideIntoActions(some, [...sure, matchOnlyCandidate]));
  return { actions: [...actions, ...last.flatMap((some) => some.actions)], rest: last.flatMap(({ rest }) => rest) };
}

/** Divides rows into actions, each with one removed asset, one received asset, and their cash. */
function divideIntoActions(rows: readonly ActionRow[], pairings: readonly Fit[]): Divided {
  const actions: ActionRow[][] = [];
  const outs = byAsset(rows.filter(isOut));
  const ins = byAsset(rows.filter((row) => isIn(row) && row.rounds !== true));
  const cash = byAsset(rows.filter((row) => row.quantity === null));
  for (const fits of pairings) {
    for (const [from, given] of outs) {
      const fitting = [...ins].filter(([to, received]) => fits(given, received, from, to));
      const [only, other] = fitting;
      if (only === undefined || other !== undefined) continue;
      const [to, received] = only;
      if ([...outs].some(([key, rival]) => key !== from && fits(rival, received, key, to))) continue;
      actions.push([...given, ...received]);
      outs.delete(from);
      ins.delete(to);
    }
  }
  for (const [asset, given] of outs) {
    if (given[0]?.kind !== 'payout' && !given.some(paysCash)) continue;
    const only =
      pairings.includes(matchOnlyCandidate) && outs.size === 1 && cash.size === 1 ? [...cash.keys()][0] : undefined;
    const key = cash.has(asset) ? asset : only;
    if (key === undefined && !given.some(paysCash)) continue;
    actions.push([...given, ...(key === undefined ? [] : (cash.get(key) ?? []))]);
    outs.delete(asset);
    if (key !== undefined) cash.delete(key);
  }
  for (const [asset, paid] of cash) {
    const ofAsset = actions.filter((action) => action.some((row) => row.asset === asset));
    const [owner, other] = ofAsset.length === 0 && pairings.includes(matchOnlyCandidate) ? actions : ofAsset;
    if (owner === undefined || other !== undefined) continue;
    owner.push(...paid);
    cash.delete(asset);
  }
  for (const row of rows.filter(({ rounds }) => rounds === true)) {
    const split = actions.find((action) => action.some((other) => isIn(other) && other.asset === row.asset));
    if (split === undefined) actions.push([row]);
    else split.push(row);
  }
  return { actions, rest: [...outs.values(), ...ins.values(), ...cash.values()].flat() };
}

type Fit = (given: readonly ActionRow[], received: readonly ActionRow[], from: string, to: string) => boolean;

/** Conditions for a certain match between shares removed and shares received. */
const sure: readonly Fit[] = [
  (given, received) => {
    const references = new Set(given.map(({ reference = '' }) => reference));
    return received.some(({ reference = '' }) => reference !== '' && references.has(reference));
  },
  (_given, _received, from, to) => from === to,
  (given, received, from, to) =>
    received.some(({ other = '' }) => other === from) || given.some(({ other = '' }) => other === to),
  (given, received) => {
    const names = new Set(given.map(({ name = '' }) => normalize(name)));
    return received.some(({ name = '' }) => normalize(name) !== '' && names.has(normalize(name)));
  },
];
/** Matches the only remaining candidates, unless the row for the shares removed contains cash. */
const matchOnlyCandidate: Fit = (given) => !given.some(paysCash);

/** Returns whether the row contains both the shares removed and the cash for them. */
function paysCash({ quantity, amount = null }: ActionRow): boolean {
  return quantity !== null && quantity < 0n && amount !== null && amount > 0n;
}

function byAsset(rows: readonly ActionRow[]): Map<string, ActionRow[]> {
  return Map.groupBy(rows, ({ asset }) => asset) as Map<string, ActionRow[]>;
}

/** Groups rows that are at most `daysApart` after the previous one. */
function clusters(rows: readonly ActionRow[]): ActionRow[][] {
  const clusters: ActionRow[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const row of [...rows].sort(byTime)) {
    const on = row.time?.on ?? 0;
    if (on - last > daysApart) clusters.push([]);
    clusters.at(-1)?.push(row);
    last = on;
  }
  return clusters;
}

function rejectUnpaired(rows: readonly ActionRow[]): Outcome[] {
  const [out, come] = [rows.filter(isOut), rows.filter(isIn)];
  const isOpen = out.length > 0 && come.length > 0;
  return rows.map((row) => {
    const others = isOpen ? rows.filter((other) => other !== row) : [];
    const missing = isOut(row)
      ? 'The row received in exchange for these shares'
      : isIn(row)
        ? 'The row for the shares exchanged for these'
        : 'The row for the shares exchanged for this cash';
    const reason = isOpen
      ? rejections.actionRowsUnclear(linesText(others))
      : rejections.actionRowMissing(missing, daysApart);
    return row.cells.rejected(row.column, reason);
  });
}

function linesText(rows: readonly ActionRow[]): string {
  const lines = rows.map(({ cells }) => cells.line).sort((a, b) => a - b);
  return lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`;
}

function isOut({ quantity }: ActionRow): boolean {
  return quantity !== null && quantity < 0n;
}

function isIn({ quantity }: ActionRow): boolean {
  return quantity !== null && quantity > 0n;
}

function total(rows: readonly ActionRow[]): Quantity {
  return rows.reduce((units, { quantity }) => units + (quantity ?? 0n), 0n) as Quantity;
}

function byTime(a: ActionRow, b: ActionRow): number {
  const [left, right] = [a, b].map(({ time }) => time?.at ?? (time?.on ?? 0) * 86_400_000_000) as [number, number];
  return left - right || a.cells.line - b.cells.line;
}

/** Returns whether a text is a CUSIP, which brokers use for shares without a symbol. */
export function isCusip(asset: string): boolean {
  return /^\d{3}[\dA-Z*@#]{5}\d$|^\d{5}[A-Z0-9]{3}\d$/.test(asset);
}

/**
 * Returns the security's name without the action's text: `SAMPLE CORP CL A` for `SAMPLE CORP CL A XXXMANDATORY MERGER
 * EFF: 07/26/21`.
 */
function normalize(name: string): string {
  const text = name.slice(0, nameMax).toUpperCase();
  const added = text.indexOf('XXX');
  return (added < 0 ? text : text.slice(0, added)).replace(/[^A-Z0-9%]/g, '');
}

const nameMax = 200;
