import { useState } from 'preact/hooks';
import { api, unwrapResponse } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { count } from '../../format/amounts.ts';
import { csvLines } from '../../format/csv.ts';
import { withFormats } from '../../format/dates.ts';
import { Money } from '../../parts/amount.tsx';
import { DismissForm } from './dismiss-form.tsx';
import { FixRowForm } from './fix-row-form.tsx';
import { RawLine } from './raw-line.tsx';
import type { RejectedFileLine } from './rejected-lines.ts';
import { RowEntryForm } from './row-entry-form.tsx';
import { guessType } from './row-prefill.ts';
import { nameColumn } from './wizard/field-names.ts';

/** A row in its file, the reason it could not be read, and the user's options. */
export function RejectedLineCard({ line }: { readonly line: RejectedFileLine }) {
  return (
    <article class="card rejected-line" aria-labelledby={`line-${line.id}`}>
      <RejectedLineBody line={line} />
    </article>
  );
}

interface RejectedLineBodyProps {
  readonly line: RejectedFileLine;
  /** In the list to review, the likeliest form is open, and the row is dismissed like any other item. */
  readonly isItem?: boolean;
}

export function RejectedLineBody({ line, isItem = false }: RejectedLineBodyProps) {
  const { id, importId, column, reason, manual, state, note, amount, year, transactionId, header } = line;
  const isMany = line.code === 'more_lines';
  // Fixing cells cannot add data that the file does not contain.
  const isByHand = manual || header.length === 0;
  const likeliest = isByHand || guessType(line.text) !== undefined ? 'enter' : 'mend';
  const [action, setAction] = useState<'mend' | 'enter' | 'dismiss' | null>(isItem && !isMany ? likeliest : null);
  const file = useResource(`import ${importId}`, () => unwrapResponse(api.imports({ id: importId }).get())).data;
  const cells = csvLines(line.text)[0]?.cells ?? [];
  const isOpen = state === 'open' || state === 'dismissed';
  const close = () => setAction(null);
  return (
    <>
      {isItem ? (
        <p class="fine">Line {count(line.line)} of the file</p>
      ) : (
        <header>
          <h2 id={`line-${id}`}>
            Line {count(line.line)} of {file?.fileName ?? 'a file'}
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
      )}
      <p>
        {column !== null && <strong>{nameColumn(column)}: </strong>}
        {withFormats(reason)}.
      </p>
      {!isMany && action !== 'mend' && <RawLine header={header} cells={cells} column={column} />}
      {note !== null && <p>Dismissed: {note}</p>}
      {state === 'mended' && transactionId !== null && (
        <p>
          Fixed as <a href={to('/transactions', { ids: transactionId })}>this transaction</a>.
        </p>
      )}
      {isOpen && action === null && (
        <p class="actions">
          {!isMany && header.length > 0 && (
            <button type="button" class={manual ? '' : 'primary'} onClick={() => setAction('mend')}>
              Edit row
            </button>
          )}
          {!isMany && (
            <button type="button" class={manual ? 'primary' : ''} onClick={() => setAction('enter')}>
              Enter manually
            </button>
          )}
          {state === 'open' && !isItem && (
            <button type="button" onClick={() => setAction('dismiss')}>
              Dismiss
            </button>
          )}
        </p>
      )}
      {action === 'mend' && file !== undefined && (
        <FixRowForm line={line} file={file} header={header} cells={cells} onClose={close} />
      )}
      {action === 'enter' && file !== undefined && (
        <RowEntryForm line={line} cells={cells} accounts={file.accounts.map((each) => each.account)} onClose={close} />
      )}
      {action === 'dismiss' && <DismissForm line={line} onClose={close} />}
    </>
  );
}
