import { useState } from 'preact/hooks';
import { to } from '../../api/page-url.ts';
import { useImport } from '../../api/status.ts';
import { say } from '../../api/toasts.ts';
import { count } from '../../format/amounts.ts';
import { csvLines } from '../../format/csv.ts';
import { withFormats } from '../../format/dates.ts';
import { Money } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { Form } from '../../parts/form.tsx';
import { dismissLine, type RejectedFileLine } from './rejected-lines.ts';
import { FixRowForm, guessType, RowEntryForm } from './row-entry-form.tsx';
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
  const file = useImport(importId).data;
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
            <Button label="Edit row" class={manual ? '' : 'primary'} onClick={() => setAction('mend')} />
          )}
          {!isMany && (
            <Button label="Enter manually" class={manual ? 'primary' : ''} onClick={() => setAction('enter')} />
          )}
          {state === 'open' && !isItem && <Button label="Dismiss" onClick={() => setAction('dismiss')} />}
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
          <Button label="Dismiss" onClick={() => setIsAnswered(true)} />
        </p>
      )}
      {isAnswered && <DismissForm line={line} onClose={() => setIsAnswered(false)} />}
    </article>
  );
}

export function DifferenceBody({ line }: { readonly line: RejectedFileLine }) {
  const { id, importId, column, reason, note, stated, computed, amount, year, header } = line;
  const file = useImport(importId).data;
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

interface RawLineProps {
  readonly header: readonly string[];
  readonly cells: readonly string[];
  readonly column: string | null;
}

/** The cells of a row under their column names. Empty cells are shown only if they caused the error. */
function RawLine({ header, cells, column }: RawLineProps) {
  const columnIndexes = Array.from({ length: Math.max(header.length, cells.length) }, (_, at) => at);
  const isFaulty = (at: number): boolean => column !== null && header[at] === column;
  return (
    <dl class="raw-line">
      {columnIndexes.map((at) =>
        isFaulty(at) || (cells[at] ?? '').trim() !== '' ? (
          <div key={at} class={isFaulty(at) ? 'raw-cell faulty' : 'raw-cell'}>
            <dt class="raw-name">{header[at] || `Column ${at + 1}`}</dt>
            <dd class="raw-value">{(cells[at] ?? '').trim() || 'empty'}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

/** Dismisses a row with a note. */
function DismissForm({ line: { id, line }, onClose }: Readonly<{ line: RejectedFileLine; onClose: () => void }>) {
  return (
    <Form
      class="answer"
      draft={`dismiss ${id}`}
      fields={{ note: { label: 'Reason', isRequired: true, hint: 'For you and your preparer. Saved with the row.' } }}
      verb="Dismiss"
      onSubmit={async ({ note }) => {
        await dismissLine(id, note);
        say(`Line ${line} dismissed. You can still fix it under “Dismissed”.`);
      }}
      onClose={onClose}
    />
  );
}
