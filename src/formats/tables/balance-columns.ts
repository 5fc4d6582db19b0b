import type { Quantity } from '../../base/decimal.ts';
import { magnitude } from '../cells/amounts.ts';
import { Cells, type Conventions, HeaderColumns } from '../cells/cells.ts';
import { isCurrency } from '../cells/currencies.ts';
import type { BalanceAfter, Format, Layout } from '../format.ts';

/** The columns of a ledger that shows an asset's balance after each row. */
interface BalanceHeads {
  readonly time: string;
  readonly asset: string;
  /** Signed. */
  readonly amount: string;
  /** The fee column, in units of the asset on top of the amount. Null if the balance changes only by the amount. */
  readonly fee: string | null;
  readonly balance: string;
  readonly conventions: Conventions;
  part(cells: Cells): string;
  /** Returns the asset, or '' for a name that is not an asset. Default: the text in the row. */
  assetOf?(name: string): string;
  /** Returns whether the row does not change the balance yet. */
  isPending?(cells: Cells): boolean;
}

/**
 * Reads a row's balance independently of the row's reader, so that an unreadable cell rejects no line. Cash has no
 * balance.
 */
export function createBalanceReader(columnsOf: (layout: Layout) => BalanceHeads): NonNullable<Format['openBalances']> {
  return (layout, header, context) => {
    const columns = columnsOf(layout);
    const headerColumns = new HeaderColumns(header);
    return (row) => balanceAfter(new Cells(row, headerColumns, context, columns.conventions), columns);
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
    decimals: countDecimals(cells.text(columns.balance)),
  };
}

/** Returns all decimals if the number is in scientific notation. */
function countDecimals(text: string): number {
  return /e/i.test(text) ? 18 : (/\.(\d+)$/.exec(text)?.[1]?.length ?? 0);
}
