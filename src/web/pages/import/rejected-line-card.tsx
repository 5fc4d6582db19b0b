import { useState } from 'preact/hooks';
import { to } from '../../api/acting.ts';
import { api, got } from '../../api/api.ts';
import { useResource } from '../../api/resource.ts';
import { csvLines } from '../../format/csv.ts';
import { Money } from '../../parts/amount.tsx';
import { DismissForm } from './dismiss-form.tsx';
import { MendLineForm } from './mend-line-form.tsx';
import { RawLine } from './raw-line.tsx';
import type { RejectedFileLine } from './rejected-lines.ts';
import { RowEntryForm } from './row-entry-form.tsx';

/** A line as it stands in its file, why it could not be read, and the ways on. */
export function RejectedLineCard({ line }: { readonly line: RejectedFileLine }) {
  const { id, importId, column, reason, state, note, amount, year, transactionId, header } = line;
  const [act, setAct] = useState<'mend' | 'enter' | 'dismiss' | null>(null);
  const file = useResource(`import ${importId}`, () => got(api.imports({ id: importId }).get())).data;
  const cells = csvLines(line.text)[0]?.cells ?? [];
  const isMany = line.code === 'more_lines';
  const isOpen = state === 'open' || state === 'dismissed';
  // What the file does not hold, no mended cell can say.
  const isByHand = reason.includes('by hand');
  const close = () => setAct(null);
  return (
    <article class="card rejected-line" aria-labelledby={`line-${id}`}>
      <header>
        <h2 id={`line-${id}`}>
          Line {line.line} of {file?.fileName ?? 'a file'}
        </h2>
        <p class="fine">
          {year !== undefined && `Tax year ${year}`}
          {amount !== undefined && (
            <>
              {year !== undefined && ', '}
              <Money amount={amount} />
            </>
          )}
        </p>
      </header>
      <p>
        {column !== null && <strong>{column}: </strong>}
        {reason}.
      </p>
      {!isMany && <RawLine header={header} cells={cells} column={column} />}
      {note !== null && <p>Set aside: {note}</p>}
      {state === 'mended' && transactionId !== null && (
        <p>
          Mended by <a href={to('/transactions', { ids: transactionId })}>a row</a>.
        </p>
      )}
      {isOpen && act === null && (
        <p class="actions">
          {!isMany && header.length > 0 && (
            <button type="button" class={isByHand ? '' : 'primary'} onClick={() => setAct('mend')}>
              Mend the line
            </button>
          )}
          {!isMany && (
            <button type="button" class={isByHand ? 'primary' : ''} onClick={() => setAct('enter')}>
              Enter what it says
            </button>
          )}
          {state === 'open' && (
            <button type="button" onClick={() => setAct('dismiss')}>
              Set it aside
            </button>
          )}
        </p>
      )}
      {act === 'mend' && file !== undefined && (
        <MendLineForm line={line} file={file} header={header} cells={cells} onClose={close} />
      )}
      {act === 'enter' && <RowEntryForm line={line} onClose={close} />}
      {act === 'dismiss' && <DismissForm line={line} onClose={close} />}
    </article>
  );
}
