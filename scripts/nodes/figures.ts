import { quantile } from '../bench/measure.ts';
import { indexesNeverRead } from '../bench/sizes.ts';
import type { Timetable } from './client.ts';
import type { Server } from './database.ts';
import type { Node } from './node.ts';

/** Returns a line with the figures that grow during the run: the memory of each node and the size of the database. */
export async function growthLine(
  { taken }: Timetable,
  minutes: number,
  nodes: readonly Node[],
  { pool }: Server,
): Promise<string> {
  const answered = [...taken.values()].reduce((sum, { length }) => sum + length, 0);
  const [row] = await pool<{ size: number; rows: number }[]>`
    select (pg_database_size(current_database()) / 1000000)::integer as size, (select count(*)::integer from transactions) as rows`;
  const memory = nodes.map(({ memoryNow }) => `${memoryNow.toFixed(0)} MB`).join(', ');
  return `after ${minutes.toFixed(1)} min: ${answered} requests completed; nodes ${memory}; database ${row?.size ?? 0} MB, ${row?.rows ?? 0} transactions`;
}

/** Returns lines with requests per second, the duration of each kind of request, memory and connections. */
export async function figureLines(
  { taken, statuses, seconds }: Timetable,
  minutes: number,
  nodes: readonly Node[],
  { pool }: Server,
): Promise<string[]> {
  const answered = [...taken.values()].reduce((sum, { length }) => sum + length, 0);
  const [row] = await pool<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity where application_name like 'lotbook%'`;
  const milliseconds = (value: number): string => value.toFixed(0).padStart(7);
  const kinds = [...taken].sort(([one], [other]) => (one < other ? -1 : 1));
  const others = [...statuses].filter(([status]) => status < 200 || status >= 300);
  return [
    `${(answered / (minutes * 60)).toFixed(1)} requests completed per second, peak ${Math.max(0, ...seconds.filter((one) => one > 0))}`,
    `${'milliseconds'.padEnd(38)}  count      p50      p99      max`,
    ...kinds.map(
      ([kind, all]) =>
        `${kind.padEnd(38)} ${String(all.length).padStart(6)}  ${milliseconds(quantile(all, 0.5))}  ${milliseconds(quantile(all, 0.99))}  ${milliseconds(Math.max(...all))}`,
    ),
    `failed requests: ${others.map(([status, count]) => `${count} × ${status === 0 ? 'cut off' : status}`).join(', ') || 'none'}`,
    `peak memory of the nodes: ${nodes.map(({ memory }) => `${memory.toFixed(0)} MB`).join(', ')}; connections: ${row?.count ?? 0}`,
    `unused indexes: ${(await indexesNeverRead(pool)).join(', ') || 'none'}`,
  ];
}
