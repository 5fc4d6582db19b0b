import type { Money, Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { readRatio } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { rejections } from '../cells/reasons.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import { type Activity, type ActivityColumns, readActivity } from './activity.ts';
import { type Kinds, readRowKind } from './kinds.ts';

/** The numbers in a broker's row. `total` is a trade's value before the fee, and the net amount of any other row. */
type BrokerNumbers = Omit<Activity, 'asset' | 'quantity'> & {
  readonly quantity?: Quantity | null;
  readonly total?: Money | null;
};

/** A row whose type and numbers are known. */
interface BrokerRow {
  readonly time: Time | null;
  readonly kind: TransactionType;
  readonly asset: string;
  readonly numbers: BrokerNumbers;
  readonly common: Partial<StatedFields>;
}

/** A broker's table, in which one column shows the type of each row. */
interface BrokerTable {
  readonly time: string | ((cells: Cells) => Time | null);
  readonly kind: string;
  readonly kinds: Kinds;
  readonly columns: ActivityColumns;
  /** The column with the ratio of a split. */
  readonly ratio?: string;
  /** Returns why a row is not a transaction. */
  readonly skip?: (cells: Cells) => string | null;
  /** Reads the numbers before the type, so that an unreadable one rejects a row of any type. */
  readonly numbers: (cells: Cells) => BrokerNumbers;
  /** Returns the asset. Default: the asset's column in capital letters. */
  readonly asset?: (cells: Cells, kind: TransactionType) => string;
  readonly common?: (cells: Cells, kind: TransactionType) => Partial<StatedFields>;
  /** Reads a row that differs from the others, or returns null. */
  readonly special?: (cells: Cells, row: BrokerRow) => Outcome | null;
}

/** Returns a reader of independent rows: purchases, sales, transfers of shares, splits and income. */
export function brokerRows(table: BrokerTable): (cells: Cells) => Outcome {
  const { time: timeOf, kind: kindColumn, kinds, columns, ratio: ratioColumn, skip, asset: assetOf, special } = table;
  return (cells) => {
    const reason = skip?.(cells) ?? null;
    if (reason !== null) return cells.skip(reason);
    const numbers = table.numbers(cells);
    const time = typeof timeOf === 'string' ? cells.time(timeOf) : timeOf(cells);
    const kind = readRowKind(cells, kindColumn, kinds);
    if (typeof kind !== 'string') return kind;
    const asset = assetOf === undefined ? cells.text(columns.asset).toUpperCase() : assetOf(cells, kind);
    const common = table.common?.(cells, kind) ?? {};
    const outcome = special?.(cells, { time, kind, asset, numbers, common }) ?? null;
    if (outcome !== null) return outcome;
    if (kind === 'split' && ratioColumn !== undefined) {
      const ratio = readRatio(cells.text(ratioColumn));
      if (ratio === undefined) return cells.rejected(ratioColumn, rejections.unreadableRatio);
      return cells.read(time, { ...common, type: kind, asset, ratio });
    }
    const { total, quantity = null } = numbers;
    const isTrade = kind === 'buy' || kind === 'sell';
    const net = isTrade || total === undefined ? (numbers.net ?? null) : total;
    const gross = isTrade && total !== undefined ? total : (numbers.gross ?? null);
    return readActivity(cells, time, kind, columns, { ...numbers, asset, quantity, net, gross }, common);
  };
}
