import { useEffect, useRef, useState } from 'preact/hooks';
import { addFiles, nextFiles } from '../../api/uploads.ts';
import { Field } from '../../parts/field.tsx';
import { FormActions } from '../../parts/form-actions.tsx';
import { Icon } from '../../parts/icon.tsx';

/** Where files come in: dropped, chosen or pasted, with what is said of them before. */
export function DropCard() {
  const input = useRef<HTMLInputElement>(null);
  const [isPasting, setPasting] = useState(false);
  const { account, isTrial, isCorrection } = nextFiles.value;
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const isTyped = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!isTyped && isTable(text)) addFiles([fileOf(text)]);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
  return (
    <section class="card drop">
      <div class="drop-place">
        <Icon name="import" />
        <div>
          <h2>Drop CSV files here, or anywhere in Lotbook</h2>
          <p class="fine">
            Any number at once, of any of the sources we know. A file that nobody knows is asked about.
          </p>
        </div>
        <p class="actions">
          <button type="button" class="primary" onClick={() => input.current?.click()}>
            Choose files
          </button>
          <button type="button" aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
            Paste rows
          </button>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            aria-label="Files to import"
            onChange={({ currentTarget }) => {
              addFiles(currentTarget.files ?? []);
              currentTarget.value = '';
            }}
          />
        </p>
      </div>
      {isPasting && <PasteForm onClose={() => setPasting(false)} />}
      <div class="fields">
        <Field
          label="Account (optional)"
          value={account}
          onInput={(text) => {
            nextFiles.value = { ...nextFiles.peek(), account: text };
          }}
          placeholder="Joint brokerage"
          hint="Of rows that name none, in the next files. Left empty, it is the source’s name."
        />
        <label class="check">
          <input
            type="checkbox"
            checked={isTrial}
            onChange={({ currentTarget }) => {
              nextFiles.value = { ...nextFiles.peek(), isTrial: currentTarget.checked };
            }}
          />
          <span>
            Look first
            <span class="fine">Shows what each file would change, and stores nothing before you say so.</span>
          </span>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isCorrection}
            onChange={({ currentTarget }) => {
              nextFiles.value = { ...nextFiles.peek(), isCorrection: currentTarget.checked };
            }}
          />
          <span>
            Corrects earlier files
            <span class="fine">
              Rows that differ from those of an earlier file wait under To do. One answer replaces all of them.
            </span>
          </span>
        </label>
      </div>
    </section>
  );
}

function PasteForm({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        addFiles([fileOf(text)]);
        onClose();
      }}
    >
      <div class="field">
        <label for="pasted-rows">Rows, with their header</label>
        <textarea
          id="pasted-rows"
          class="code"
          rows={6}
          required
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          placeholder={'date,type,account,asset,quantity,amount\n2025-02-03,buy,Schwab,MSFT,5,2050.00'}
        />
      </div>
      <FormActions verb="Import the rows" onClose={onClose} />
    </form>
  );
}

/** Of several lines with several cells: what a spreadsheet or an editor copies. */
function isTable(text: string): boolean {
  const lines = text.split('\n').filter((line) => /[,;\t|]/.test(line));
  return lines.length > 1;
}

function fileOf(text: string): File {
  return new File([text], 'Pasted rows.csv', { type: 'text/csv' });
}
