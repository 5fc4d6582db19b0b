import { useState } from 'preact/hooks';
import { api, unwrapResponse } from '../../api/api.ts';
import { useResource } from '../../api/resource.ts';
import { csvLines } from '../../format/csv.ts';
import { DismissForm } from './dismiss-form.tsx';
import { RawLine } from './raw-line.tsx';
import type { RejectedFileLine } from './rejected-lines.ts';

/**
 * A row whose reported result differs from the computed one. Amounts have no dollar sign because the column may be in
 * another currency, such as `Result (GBP)`.
 */
export function DifferenceCard({ line }: { readonly line: RejectedFileLine }) {
  const [isAnswered, setIsAnswered] = useState(false);
  return (
    <article class="card rejected-line" aria-labelledby={`line-${line.id}`}>
      <DifferenceBody line={line} />
      {line.state === 'open' && !isAnswered && (
        <p class="actions">
          <button type="button" onClick={() => setIsAnswered(true)}>
            Dismiss
          </button>
        </p>
      )}
      {isAnswered && <DismissForm line={line} onClose={() => setIsAnswered(false)} />}
    </article>
  );
}

export function DifferenceBody({ line }: { readonly line: RejectedFileLine }) {
  const { id, importId, column, reason, note, stated, computed, amount, year, header } = line;
  const file = useResource(`import ${importId}`, () => unwrapResponse(api.imports({ id: importId }).get())).data;
  const cells = csvLines(line.text)[0]?.cells ?? [];
  const numbers = [
    ["Your file's result", stated],
    ['Calculated from its other numbers', computed],
    ['Difference', amount],
  ] as const;
  return (
    <>
      <header>
        <h3 id={`line-${id}`}>
          Line {line.line} of {file?.fileName ?? 'a file'}
        </h3>
        <p class="fine">{year !== undefined && `Tax year ${year}`}</p>
      </header>
      <dl class="raw-line">
        {numbers.map(([name, value]) => (
          <div key={name} class={name === 'Difference' ? 'raw-cell faulty' : 'raw-cell'}>
            <dt class="raw-name">{name}</dt>
            <dd class="raw-value">
              <span class="amount">{value}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p>
        {column !== null && <strong>{column}: </strong>}
        {reason}.
      </p>
      <RawLine header={header} cells={cells} column={column} />
      {note !== null && <p>Dismissed: {note}</p>}
    </>
  );
}
