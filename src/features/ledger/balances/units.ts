import type { Day } from '../../../base/day.ts';
import { proportion, type Quantity } from '../../../base/decimal.ts';
import { sharesPerContract } from '../../../engine/events/event.ts';
import { rightOf, underlyingOf } from '../../../engine/events/keys.ts';
import type { Ratio, Transaction } from '../../../engine/model.ts';
import { rowOf, typesWhere } from '../../../engine/transaction-types.ts';

/** The fields of a transaction that determine how units move. */
export type UnitRow = Pick<
  Transaction,
  | 'id'
  | 'line'
  | 'type'
  | 'at'
  | 'on'
  | 'account'
  | 'asset'
  | 'assetClass'
  | 'quantity'
  | 'amount'
  | 'receivedAsset'
  | 'receivedQuantity'
  | 'feeAsset'
  | 'feeQuantity'
  | 'toAccount'
  | 'ratio'
  | 'shares'
  | 'underlying'
  | 'right'
>;

/** A number of units of an asset that entered or left an account. */
interface UnitMovement {
  readonly account: string;
  readonly asset: string;
  readonly units: bigint;
}

/**
 * Transaction types that change all units of an asset at once. Rows of these types that have only a date come first on
 * their day.
 */
export const actionTypes = typesWhere((row) => row.lots === 'changes');
/**
 * Transaction types that end long or short contracts. Rows of these types that have only a date come last on their day.
 */
export const endingTypes = typesWhere((row) => row.lots === 'ends_option');

/**
 * Counts the units of each account as rows move them. Ignores lots, so more units may leave an account than it held. A
 * short position is negative. The rows must be sorted by `compareUnitRows`.
 */
export class UnitCounts {
  private readonly assets = new Map<string, Map<string, bigint>>();
  private readonly actionsToday = new Set<string>();
  private readonly soldToday = new Map<string, { own: bigint; reported: bigint }>();
  private today: Day | null = null;

  unitsOf(account: string, asset: string): Quantity {
    return (this.assets.get(asset)?.get(account) ?? 0n) as Quantity;
  }

  /** Applies a row and returns its movements. */
  take(row: UnitRow): readonly UnitMovement[] {
    if (row.on !== this.today) {
      this.actionsToday.clear();
      this.soldToday.clear();
    }
    this.today = row.on;
    const moved = this.computeMovements(row).filter(({ asset, units }) => asset !== '' && units !== 0n);
    for (const { account, asset, units } of moved) {
      const accounts = this.assets.get(asset) ?? new Map<string, bigint>();
      accounts.set(account, (accounts.get(account) ?? 0n) + units);
      this.assets.set(asset, accounts);
    }
    return moved;
  }

  private computeMovements(row: UnitRow): readonly UnitMovement[] {
    if (actionTypes.has(row.type)) return this.action(row);
    if (endingTypes.has(row.type)) return this.listEndMovements(row);
    return row.type === 'reported_sale' || row.type === 'sell' ? this.sale(row) : plainMovements(row);
  }

  /** Combines sales with a Form 1099, which repeats sales from other rows on the same day and may report more. */
  private sale(row: UnitRow): UnitMovement[] {
    const [units = emptyMovement, ...others] = plainMovements(row);
    const name = JSON.stringify([row.account, row.asset]);
    const sold = this.soldToday.get(name) ?? { own: 0n, reported: 0n };
    const before = most(sold.own, sold.reported);
    if (row.type === 'sell') sold.own -= units.units;
    else sold.reported -= units.units;
    this.soldToday.set(name, sold);
    const more = most(sold.own, sold.reported) - before;
    // Ignores units that appear only on the form and that no row bought.
    const isHeld = row.type === 'sell' || more <= this.unitsOf(row.account, row.asset);
    const removedUnits = isHeld ? more : 0n;
    return [{ ...units, units: -removedUnits }, ...others];
  }

  /** Applies a corporate action once per account, even if several rows report it. */
  private action(row: UnitRow): UnitMovement[] {
    const reached = this.listPositions(row).filter(({ account }) => this.isNewToday(row, account));
    switch (row.type) {
      case 'split':
        return splitMovements(row, reached);
      case 'spinoff':
        return dealt(row.receivedQuantity ?? 0n, reached).map(({ account, units }) => ({
          account,
          asset: row.receivedAsset,
          units,
        }));
      case 'rename':
      case 'merger':
        return successionMovements(row, reached);
      default:
        return [];
    }
  }

  private isNewToday({ type, asset, receivedAsset, ratio }: UnitRow, account: string): boolean {
    const action = JSON.stringify([type, asset, receivedAsset, `${ratio?.numerator}:${ratio?.denominator}`, account]);
    if (type === 'split') {
      // If one row has the ratio and another has the shares added, the ratio counts. Shares added in several rows add
      // up.
      const [by, other] = ratio === null ? ['shares', 'ratio'] : ['ratio', 'shares'];
      if (this.actionsToday.has(JSON.stringify([other, asset, account]))) return false;
      this.actionsToday.add(JSON.stringify([by, asset, account]));
      if (ratio === null) return true;
    }
    const isNew = !this.actionsToday.has(action);
    this.actionsToday.add(action);
    return isNew;
  }

  /** Closes contracts. Exercise or assignment for shares also moves the shares. */
  private listEndMovements(row: UnitRow): UnitMovement[] {
    const { account, asset, quantity } = row;
    const held = this.unitsOf(account, asset);
    const ended = least(quantity ?? 0n, held < 0n ? -held : held);
    const contracts = { account, asset, units: held < 0n ? ended : -ended };
    if (row.type === 'expire' || row.assetClass === 'section_1256') return [contracts];
    const shares = row.shares ?? ((quantity ?? 0n) * sharesPerContract) / unit;
    const buys = (row.type === 'exercise') === (rightOf(row) === 'call');
    return [contracts, { account, asset: underlyingOf(row), units: buys ? shares : -shares }];
  }

  private listPositions({ asset, account }: UnitRow): Position[] {
    const positions = [...(this.assets.get(asset) ?? [])].map(([name, units]) => ({ account: name, units }));
    return positions.filter((one) => one.units !== 0n && (account === '' || one.account === account));
  }
}

const emptyMovement: UnitMovement = { account: '', asset: '', units: 0n };

/** One whole unit. */
const unit = 10n ** 18n;

interface Position {
  readonly account: string;
  readonly units: bigint;
}

function plainMovements(row: UnitRow): readonly UnitMovement[] {
  const { type, account, asset, feeAsset, receivedAsset } = row;
  // A row with a negative amount reverses another row.
  const sign = row.amount !== null && row.amount < 0n ? -1n : 1n;
  const quantity = (row.quantity ?? 0n) * sign;
  // The quantity that the trade gives up already includes a fee withheld from the same asset.
  const isWithheld = type === 'trade' && feeAsset === asset;
  const fee = { account, asset: feeAsset, units: isWithheld ? 0n : -(row.feeQuantity ?? 0n) * sign };
  switch (rowOf(type).lots) {
    case 'opens':
      return [{ account, asset, units: quantity }, fee];
    case 'disposes':
      return [{ account, asset, units: -quantity }, fee];
    case 'exchanges':
      return [
        { account, asset, units: -quantity },
        { account, asset: receivedAsset, units: (row.receivedQuantity ?? 0n) * sign },
        fee,
      ];
    case 'moves':
      if (type === 'deposit') return [{ account, asset, units: quantity }];
      return [
        { account, asset, units: -quantity },
        ...(type === 'transfer' ? [{ account: row.toAccount, asset, units: quantity }] : []),
        fee,
      ];
    case 'opens_short':
      return [{ account, asset, units: -quantity }, fee];
    case 'closes_short':
      // Delivering owned shares without a payment closes the long and the short position at once.
      return [{ account, asset, units: type === 'cover' && row.amount === 0n ? 0n : quantity }, fee];
    default:
      return [];
  }
}

function splitMovements(row: UnitRow, reached: readonly Position[]): UnitMovement[] {
  const { asset, ratio, quantity, amount } = row;
  const added =
    ratio === null
      ? amount === null
        ? dealt(quantity ?? 0n, reached)
        : []
      : reached.map(({ account, units }) => ({ account, units: scaleUnits(units, ratio) - units }));
  const cashed = amount !== null && quantity !== null && quantity > 0n ? quantity : 0n;
  const account = row.account === '' ? reached[0]?.account : row.account;
  const moved = added.map((one) => ({ ...one, asset }));
  return cashed === 0n || account === undefined ? moved : [...moved, { account, asset, units: -cashed }];
}

function successionMovements(row: UnitRow, reached: readonly Position[]): UnitMovement[] {
  const { asset, receivedAsset, ratio, receivedQuantity } = row;
  const removals = reached.map(({ account, units }) => ({ account, asset, units: -units }));
  const arrivals =
    row.type === 'rename'
      ? reached
      : ratio === null
        ? dealt(receivedQuantity ?? 0n, reached)
        : reached.map(({ account, units }) => ({ account, units: scaleUnits(units, ratio) }));
  return [...removals, ...arrivals.map(({ account, units }) => ({ account, asset: receivedAsset, units }))];
}

/** Distributes units among accounts in proportion to their holdings. */
function dealt(units: bigint, positions: readonly Position[]): Position[] {
  const total = positions.reduce((sum, one) => sum + one.units, 0n);
  if (total === 0n) return [];
  let [held, given] = [0n, 0n];
  return positions.map((one) => {
    held += one.units;
    const share = proportion(units, held, total) - given;
    given += share;
    return { account: one.account, units: share };
  });
}

function scaleUnits(units: bigint, { numerator, denominator }: Ratio): bigint {
  return proportion(units, numerator, denominator);
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/**
 * Sorts by day, then by instant, then by line. Among rows with only a date, actions come first and endings last. A Form
 * 1099 comes at the end of its day.
 */
export function compareUnitRows(a: UnitRow, b: UnitRow): number {
  if (a.on !== b.on) return a.on - b.on;
  return (
    computeDayRank(a) - computeDayRank(b) ||
    (a.at ?? 0) - (b.at ?? 0) ||
    a.line - b.line ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

function computeDayRank({ type, at }: UnitRow): number {
  if (type === 'reported_sale') return 3;
  if (at !== null) return 1;
  return actionTypes.has(type) ? 0 : endingTypes.has(type) ? 2 : 1;
}
