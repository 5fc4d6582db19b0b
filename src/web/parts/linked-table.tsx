import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../format/amounts.ts';
import { TableHead } from './table-head.tsx';

interface LinkedRow {
  readonly key: string;
  readonly name: string;
  readonly href: string;
  readonly cells: readonly ComponentChildren[];
}

interface LinkedTableProps {
  /** The head of the names, then of each cell. */
  readonly head: readonly [string, ...string[]];
  readonly rows: readonly LinkedRow[];
  /** So many rows are shown at first. */
  readonly most?: number;
}

/** A table of numbers, whose names lead to what is behind them. */
export function LinkedTable({ head, rows, most = rows.length }: LinkedTableProps) {
  const [isWhole, setWhole] = useState(false);
  const [first, ...others] = head;
  const shown = isWhole ? rows : rows.slice(0, most);
  return (
    <>
      <div class="scroll">
        <table>
          <TableHead columns={[first, ...others.map((number) => ({ number }))]} />
          <tbody>
            {shown.map(({ key, name, href, cells }) => (
              <tr key={key}>
                <th scope="row">
                  <a href={href}>{name}</a>
                </th>
                {cells.map((cell, at) => (
                  <td key={others[at]} class="number">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          Show {counted(rows.length - shown.length, 'more', 'more')}
        </button>
      )}
    </>
  );
}
