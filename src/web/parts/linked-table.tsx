import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../format/amounts.ts';

interface LinkedRow {
  readonly key: string;
  readonly name: string;
  readonly href: string;
  readonly cells: readonly ComponentChildren[];
}

interface LinkedTableProps {
  /** The head of the names, then of each cell. */
  readonly head: readonly string[];
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
          <thead>
            <tr>
              <th scope="col">{first}</th>
              {others.map((text) => (
                <th key={text} scope="col" class="number">
                  {text}
                </th>
              ))}
            </tr>
          </thead>
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
