import type { Quantity } from '../../base/decimal.ts';
import { magnitude } from '../cells/amounts.ts';
import { Cells, type Conventions, HeaderColumns } from '../cells/cells.ts';
import { isCurrency } from '../cells/currencies.ts';
import type { BalanceAfter, Format, Layout } from '../format.ts';

/** The columns of a ledger that states the balance of an asset after each of its rows. */
interface BalanceHeads {
  readonly time: string;
  readonly asset: string;
  /** With its sign. */
  readonly amount: string;
  /** Units of the asset on top of the amount. Null where the amount is all that changes the balance. */
  readonly fee: string | null;
  readonly balance: string;
  readonly conventions: Conventions;
  part(cells: Cells): string;
  /** '' for what is no asset. Default: as the row has it. */
  assetOf?(name: string): string;
  /** A row that changes no balance yet. */
  isPending?(cells: Cells): boolean;
}

/** Reads the balance of a row beside its reader: a cell that cannot be read rejects no line. Cash has no balance. */
export function balancesIn(columnsOf: (layout: Layout) => BalanceHeads): NonNullable<Format['openBalances']> {
  return (layout, header, context) => {
    const columns = columnsOf(layout);
    const places = new HeaderColumns(header);
    return (row) => balanceAfter(new Cells(row, places, context, columns.conventions), columns);
  };
}

function balanceAfter(cells: Cells, columns: BalanceHeads): BalanceAfter | null {
  const name = cells.text(columns.asset).toUpperCase();
  const asset = columns.assetOf === undefined ? name : columns.assetOf(name);
  if (asset === '' || isCurrency(asset) || columns.isPending?.(cells) === true) return null;
  const time = cells.time(columns.time);
  const amount = cells.roundedQuantity(columns.amount);
  if (time === null || amount === null) return null;
  const fee = columns.fee === null ? null : magnitude(cells.roundedQuantity(columns.fee));
  return {
    on: time.on,
    at: time.at,
    asset,
    part: columns.part(cells),
    change: (amount - (fee ?? 0n)) as Quantity,
    balance: cells.roundedQuantity(columns.balance),
    decimals: decimalsIn(cells.text(columns.balance)),
  };
}

/** All of them where the number is written with a power of ten. */
function decimalsIn(text: string): number {
  return /e/i.test(text) ? 18 : (/\.(\d+)$/.exec(text)?.[1]?.length ?? 0);
}
