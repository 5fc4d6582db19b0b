import { formatQuantity, type Money, type Quantity } from '../../base/decimal.ts';
import { magnitude, ratioOf, sum } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import type { Stated } from '../cells/drafts.ts';
import { withLines } from '../cells/joined.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import { asDebt } from './bonds.ts';
import { rejectIncomplete } from './brokers.ts';

/**
 * What the source's word for a corporate action means. `split`: fewer or more of the same shares. `rename`: a new symbol,
 * CUSIP or share class of the same company. `exchange`: shares of another company. `payout`: cash for all shares.
 */
export type ActionKind = 'split' | 'rename' | 'exchange' | 'payout';

/** One row of a corporate action. Brokers write one for the shares that leave, one for those that come, and one for cash. */
export interface ActionRow {
  readonly cells: Cells;
  /** The column with the name of the action, which rejections name. */
  readonly column: string;
  readonly time: Time | null;
  readonly kind: ActionKind;
  readonly asset: string;
  /** The name of the security without what the action adds to it. */
  readonly name?: string;
  /** Positive for shares that come, negative for those that leave. Null for cash alone. */
  readonly quantity: Quantity | null;
  /** Cash received. A market value of shares is no cash. */
  readonly amount?: Money | null;
  readonly fee?: Money | null;
  /** What the source states that the shares are worth. It is no cash, so that both sides must agree. */
  readonly value?: Money | null;
  /** The symbol or CUSIP of the other side, if the row names it. */
  readonly other?: string;
  /** The source's own number of the action. */
  readonly reference?: string;
  /** Shares that a broker adds to round a fraction up. */
  readonly rounds?: true;
  readonly common?: Pick<Stated, 'account' | 'assetClass' | 'currency'>;
}

/** The rows of one action may be this many days apart. */
const daysApart = 5;
/** More rows of actions than in any known file. They wait in memory. */
const rowsHeldMax = 10_000;
const namesMax = 20_000;

/**
 * Joins the rows of corporate actions at the end of a file. They come in any order, on one day or a few days apart, and
 * with a row for each lot. Rows that fit no others, or several, are rejected with the lines in question.
 */
export class CorporateActions {
  private readonly rows: ActionRow[] = [];
  /** The symbols that other rows of the file give a name. */
  private readonly symbolsOf = new Map<string, Set<string>>();
  /** The CUSIPs under which other rows of the file have a security. */
  private readonly cusips = new Set<string>();

  /** Remembers the symbol of a security, for actions that name it by its CUSIP. */
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
    if (this.rows.length >= rowsHeldMax)
      return [row.cells.rejected(row.column, 'unpaired', 'too many corporate actions in one file: split the file')];
    this.rows.push(row);
    return [];
  }

  end(): readonly Outcome[] {
    const groups = Map.groupBy(this.rows.splice(0), ({ kind, common }) => `${kind} ${common?.account ?? ''}`);
    return [...groups.values()].flatMap((rows) => this.settle(rows));
  }

  /** The actions of one kind and account. */
  private settle(rows: readonly ActionRow[]): readonly Outcome[] {
    return clusters(rows).flatMap((cluster) => {
      const { actions, rest } = actionsOfCluster(cluster);
      return [...actions.flatMap((action) => this.outcomesOf(action)), ...unpaired(rest)];
    });
  }

  private outcomesOf(action: readonly ActionRow[]): readonly Outcome[] {
    const [first] = [...action].sort(byTime);
    if (first === undefined) return [];
    const stated = this.statedBy(action);
    if (stated === null)
      return action.map(({ cells }) => cells.skip('the same shares under another number: nothing changes'));
    if (typeof stated === 'string') {
      const lines = linesText(action);
      return action.map(({ cells, column }) => rejectIncomplete(cells, column, `${lines}: ${stated}`));
    }
    if (stated.type === 'merger' && first.kind === 'exchange' && stated.receivedAsset !== undefined)
      first.cells.warn('the exchange of shares is read as one without gain or loss, which the file does not state');
    if ((first.value ?? null) !== null) first.cells.acceptValue();
    const outcome = first.cells.read(first.time, { ...first.common, ...stated });
    if (outcome.kind !== 'rejected')
      return [
        withLines(
          outcome,
          action.map(({ cells }) => cells.line),
        ),
      ];
    const { column, code, reason } = outcome.issue;
    return action.map(({ cells }) => cells.rejected(column, code, reason));
  }

  /** The transaction of an action, or what its rows leave out. Null if the shares stay as they are. */
  private statedBy(action: readonly ActionRow[]): Stated | string | null {
    const [out, come] = [action.filter(isOut), action.filter(isIn)];
    const [given, received] = [out[0], come[0]];
    const amount = sum(...action.map((row) => row.amount ?? null));
    const money = { amount: amount === 0n ? null : amount, fee: sum(...action.map((row) => row.fee ?? null)) };
    if (received?.rounds === true) return { type: 'split', asset: received.asset, quantity: total(come) };
    if (given === undefined) return 'the row of the shares that leave is not in the file';
    if (received === undefined) {
      const asset = action.find((row) => row.quantity === null)?.asset || given.asset;
      if (money.amount === null) return 'what came for these shares is not in the file';
      const paid = isCusip(given.asset) ? asset : given.asset;
      const stated: Stated = {
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
    const ratio = ratioOf(after, before);
    const [valueBefore, valueAfter] = [out, come].map((rows) =>
      magnitude(sum(...rows.map(({ value = null }) => value))),
    );
    if (valueBefore !== valueAfter) return 'whether the money is cash or the value of the shares the rows do not say';
    const isSplit = given.kind === 'split' && isCusip(given.asset) && !this.cusips.has(given.asset);
    const asset = isSplit ? received.asset : this.symbolOf(given);
    if (asset === null) return unnamed(given, received);
    const isSame = given.kind !== 'split' && asset === received.asset && before === after;
    if (isSame && money.amount === null) return null;
    if (isSplit || asset === received.asset)
      return money.amount === null
        ? { type: 'split', asset, ratio }
        : 'the cash of a split needs the fraction that was sold';
    const exchange = { asset, receivedAsset: received.asset };
    return given.kind === 'rename' && before === after && money.amount === null
      ? { type: 'rename', ...exchange }
      : { type: 'merger', ...exchange, ratio, ...money };
  }

  /** The symbol of the shares that leave. Null if they have a CUSIP that no other row gives one symbol. */
  private symbolOf({ asset, name = '' }: ActionRow): string | null {
    if (!isCusip(asset) || this.cusips.has(asset)) return asset;
    const symbols = this.symbolsOf.get(normalize(name));
    return symbols?.size === 1 ? ([...symbols][0] ?? null) : null;
  }
}

function unnamed(given: ActionRow, received: ActionRow): string {
  const [out, come] = [given, received].map(
    ({ quantity, asset }) => `${formatQuantity(magnitude(quantity) ?? (0n as Quantity))} ${asset}`,
  );
  return `${come} came for ${out}, a CUSIP whose symbol no other row of the file names`;
}

interface Divided {
  readonly actions: ActionRow[][];
  readonly rest: ActionRow[];
}

/**
 * The actions of rows that are a few days apart. What belongs together for sure comes first, by day. The last rows of a day
 * belong together if every day has one pair of them, and otherwise if they are the only pair of all days.
 */
function actionsOfCluster(rows: readonly ActionRow[]): Divided {
  const byDay = [...Map.groupBy(rows, ({ time }) => time?.on).values()].map((ofDay) => actionsIn(ofDay, sure));
  const actions = byDay.flatMap((day) => day.actions);
  const left = byDay.map(({ rest }) => rest).filter((rest) => rest.length > 0);
  const isPairs = left.every(
    (ofDay) => byAsset(ofDay.filter(isOut)).size === 1 && byAsset(ofDay.filter(isIn)).size === 1,
  );
  const last = (isPairs ? left : [left.flat()]).map((some) => actionsIn(some, [...sure, alone]));
  return { actions: [...actions, ...last.flatMap((some) => some.actions)], rest: last.flatMap(({ rest }) => rest) };
}

/** Divides rows into actions of one asset that leaves, one that comes, and their cash. */
function actionsIn(rows: readonly ActionRow[], pairings: readonly Fit[]): Divided {
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
    const only = pairings.includes(alone) && outs.size === 1 && cash.size === 1 ? [...cash.keys()][0] : undefined;
    const key = cash.has(asset) ? asset : only;
    if (key === undefined && !given.some(paysCash)) continue;
    actions.push([...given, ...(key === undefined ? [] : (cash.get(key) ?? []))]);
    outs.delete(asset);
    if (key !== undefined) cash.delete(key);
  }
  for (const [asset, paid] of cash) {
    const ofAsset = actions.filter((action) => action.some((row) => row.asset === asset));
    const [owner, other] = ofAsset.length === 0 && pairings.includes(alone) ? actions : ofAsset;
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

/** How the shares that leave and those that come belong together for sure. */
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
/** They are the only ones, and those that leave have no cash of their own. */
const alone: Fit = (given) => !given.some(paysCash);

/** Whether the row has shares that leave and the cash for them. */
function paysCash({ quantity, amount = null }: ActionRow): boolean {
  return quantity !== null && quantity < 0n && amount !== null && amount > 0n;
}

function byAsset(rows: readonly ActionRow[]): Map<string, ActionRow[]> {
  return Map.groupBy(rows, ({ asset }) => asset) as Map<string, ActionRow[]>;
}

/** Rows of which each is at most `daysApart` after the one before it. */
function clusters(rows: readonly ActionRow[]): ActionRow[][] {
  const found: ActionRow[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const row of [...rows].sort(byTime)) {
    const on = row.time?.on ?? 0;
    if (on - last > daysApart) found.push([]);
    found.at(-1)?.push(row);
    last = on;
  }
  return found;
}

function unpaired(rows: readonly ActionRow[]): Outcome[] {
  const [out, come] = [rows.filter(isOut), rows.filter(isIn)];
  const isOpen = out.length > 0 && come.length > 0;
  return rows.map((row) => {
    const others = isOpen ? rows.filter((other) => other !== row) : [];
    const missing = isOut(row)
      ? 'the row of what came for these shares'
      : isIn(row)
        ? 'the row of the shares that left for these'
        : 'the row of the shares that left for this cash';
    const reason = isOpen
      ? `which of the rows of this action belong together is not clear (${linesText(others)}): enter it by hand`
      : `${missing} is not in the file within ${daysApart} days: enter the action by hand`;
    return row.cells.rejected(row.column, 'unpaired', reason);
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

/** Shares without a symbol stand under their CUSIP. */
export function isCusip(asset: string): boolean {
  return /^\d{3}[\dA-Z*@#]{5}\d$|^\d{5}[A-Z0-9]{3}\d$/.test(asset);
}

/** `SAMPLE CORP CL A XXXMANDATORY MERGER EFF: 07/26/21` is the security `SAMPLE CORP CL A`. */
function normalize(name: string): string {
  const text = name.slice(0, nameMax).toUpperCase();
  const added = text.indexOf('XXX');
  return (added < 0 ? text : text.slice(0, added)).replace(/[^A-Z0-9%]/g, '');
}

const nameMax = 200;
