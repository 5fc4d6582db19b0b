import type { Day } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { StageScope } from './rows.queries.ts';
import { parseDayColumn, type TouchedKeys, touch } from './rows.ts';
import { type LastLine, selectStagedKeys, selectStagedSecondKeys, storeFresh } from './staged.queries.ts';

/**
 * Staged rows that are becoming transactions. Rows that only affect their own book can wait until it is computed: the
 * database stores the rows of some books while the engine computes the previous ones.
 */
export interface Arrivals {
  /** All affected books, whether their rows are stored or still waiting. */
  readonly touched: TouchedKeys;
  /** The last day of the waiting rows, or null if there are none. */
  readonly lastDay: Day | null;
  /** The number of rows stored so far. */
  readonly stored: number;
  /** Returns the number of waiting rows in a book. */
  waiting(key: string): number;
  /** Stores the waiting rows of these books, or of all books. */
  bring(keys?: readonly string[]): Promise<void>;
}

/** If fewer rows than this could wait, all rows are stored immediately. */
const waitingMinDefault = 20_000;

/** Opens the new rows of an import. Stores rows that affect other books immediately. */
export async function openArrivals(
  sql: Sql,
  scope: StageScope,
  lastLine: LastLine,
  at: Date,
  waitingMin = waitingMinDefault,
): Promise<Arrivals> {
  const keys = await selectStagedKeys(sql, scope);
  const others = keys.every((row) => row.alone) ? [] : await selectStagedSecondKeys(sql, scope);
  const touched = new Map<string, Day>();
  for (const { asset_key, day } of [...keys, ...others]) touch(touched, asset_key, parseDayColumn(day));
  const moved = new Set(others.map((row) => row.asset_key));
  const alone = keys.filter((row) => row.alone && !moved.has(row.asset_key));
  const isMany = alone.reduce((sum, row) => sum + row.rows, 0) >= waitingMin;
  const waiting = new Map(isMany ? alone.map((row) => [row.asset_key, row.rows]) : []);
  const days = isMany ? alone.map((row) => row.last).sort() : [];
  const but = [...waiting.keys()];
  const stored = but.length < keys.length ? await storeFresh(sql, scope, { but }, lastLine, at) : 0;
  const last = days.at(-1);
  const lastDay = last === undefined ? null : parseDayColumn(last);
  return new Waiting(touched, lastDay, waiting, stored, (of) => storeFresh(sql, scope, { of }, lastLine, at));
}

class Waiting implements Arrivals {
  constructor(
    readonly touched: TouchedKeys,
    readonly lastDay: Day | null,
    private readonly rows: Map<string, number>,
    public stored: number,
    private readonly store: (keys: readonly string[]) => Promise<number>,
  ) {}

  waiting(key: string): number {
    return this.rows.get(key) ?? 0;
  }

  async bring(keys: readonly string[] = [...this.rows.keys()]): Promise<void> {
    const some = keys.filter((key) => this.rows.has(key));
    if (some.length === 0) return;
    for (const key of some) this.rows.delete(key);
    this.stored += await this.store(some);
  }
}

/** Used for a change that is already stored. */
export const noArrivals: Arrivals = {
  touched: new Map(),
  lastDay: null,
  stored: 0,
  waiting: () => 0,
  bring: async () => {},
};
