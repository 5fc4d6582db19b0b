import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../../format/amounts.ts';
import { TableHead } from '../table-head.tsx';

interface LinkedRow {
  readonly key: string;
  readonly name: ComponentChildren;
  readonly href: string;
  readonly cells: readonly ComponentChildren[];
}

interface LinkedTableProps {
  /** The heading of the names, then of each cell. */
  readonly head: readonly [string, ...string[]];
  readonly rows: readonly LinkedRow[];
  /** The number of rows shown at first. */
  readonly most?: number;
}

/** A table of numbers whose names link to the details. */
export function LinkedTable({ head, rows, most = rows.length }: LinkedTableProps) {
  const [isWhole, setWhole] = useState(false);
  const [first, ...others] = head;
  // On a phone, only the first and last numbers are shown.
  const isSpare = (at: number) => at > 0 && at < others.length - 1;
  const shown = isWhole ? rows : rows.slice(0, most);
  return (
    <>
      <div class="scroll linked">
        <table>
          <TableHead
            columns={[first, ...others.map((name, at) => (isSpare(at) ? { spareNumber: name } : { number: name }))]}
          />
          <tbody>
            {shown.map(({ key, name, href, cells }) => (
              <tr key={key}>
                <th scope="row">
                  <a href={href}>{name}</a>
                </th>
                {cells.map((cell, at) => (
                  <td key={others[at]} class={isSpare(at) ? 'number spare' : 'number'}>
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
          Show {formatCount(rows.length - shown.length, 'more', 'more')}
        </button>
      )}
    </>
  );
}
