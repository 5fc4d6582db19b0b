import { hash } from 'node:crypto';
import { generator } from '../bench/trades.ts';
import type { MadeFile } from './history.ts';

/** A row of a generated file, with the fields of Lotbook CSV. */
export interface MadeRow {
  /** The source's own id. */
  readonly id: string;
  readonly date: string;
  readonly type: 'buy' | 'sell';
  readonly asset: string;
  readonly quantity: string;
  readonly amount: string;
}

const assets = 8;
const secondsOfDay = 86_400;
const [firstDay, days] = [Date.UTC(2023, 0, 1), 730];
/** The maximum number of rows in a file. */
export const fileRowsMax = 400;

/**
 * Creates purchases and sales of a few stocks over two years so that a user's files touch the same lots and wash each
 * other's losses.
 */
export function generateRows({ name, number, rows }: MadeFile): MadeRow[] {
  const random = generator(Number.parseInt(hash('sha256', name, 'hex').slice(0, 8), 16));
  return Array.from({ length: rows }, (_, row) => {
    const sells = random() < 0.4;
    // Most sales find lots because they come later and are smaller.
    const day = sells ? Math.floor(days * (0.3 + 0.7 * random())) : Math.floor(days * 0.7 * random());
    const second = (number * fileRowsMax + row) % secondsOfDay;
    const quantity = 1 + Math.floor(random() * (sells ? 8 : 20));
    return {
      id: `${name}-${row}`,
      date: new Date(firstDay + day * secondsOfDay * 1000 + second * 1000).toISOString(),
      type: sells ? 'sell' : 'buy',
      asset: `N${Math.floor(random() * assets)}`,
      quantity: String(quantity),
      amount: (quantity * (60 + 40 * random())).toFixed(2),
    };
  });
}

export function formatRowsCsv(rows: Iterable<MadeRow>): string {
  const lines = ['date,type,account,asset,asset_class,quantity,amount,id'];
  for (const { date, type, asset, quantity, amount, id } of rows)
    lines.push(`${date},${type},Broker,${asset},stock,${quantity},${amount},${id}`);
  return `${lines.join('\n')}\n`;
}
