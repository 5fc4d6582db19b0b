import { useEffect, useRef, useState } from 'preact/hooks';
import { addFiles, nextFiles } from '../../api/uploads.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Check, FormActions } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';

/** Accepts dropped, chosen or pasted files, with options for the next ones. */
export function DropCard() {
  const input = useRef<HTMLInputElement>(null);
  const [isPasting, setPasting] = useState(false);
  const { account, isTrial, isCorrection } = nextFiles.value;
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const isTyped = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!isTyped && isTable(text)) addFiles([createCsvFile(text)]);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
  return (
    <section class="card drop">
      <div class="drop-place">
        <Icon name="import" />
        <div>
          <h2>Drop CSV or FDX files here, or anywhere in Lotbook</h2>
          <p class="fine">
            Drop as many as you like. If we don't recognize a CSV file, we'll ask you to match its columns. Save an
            Excel workbook as CSV first.
          </p>
        </div>
        <p class="actions">
          <Button label="Browse files" class="primary" onClick={() => input.current?.click()} />
          <Button label="Paste from a spreadsheet" aria-expanded={isPasting} onClick={() => setPasting(!isPasting)} />
          <input
            ref={input}
            type="file"
            multiple
            hidden
            accept=".csv,.tsv,.txt,.json,text/csv,text/plain,application/json"
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
          label="Account name (optional)"
          value={account}
          onInput={(text) => setNext({ account: text })}
          placeholder="Joint brokerage"
          hint="Used when a file doesn't name one. Defaults to the broker's name."
        />
        <Check
          label="Preview before importing"
          means="Shows what each file would change. Nothing is saved until you confirm."
          isOn={isTrial}
          onInput={(isOn) => setNext({ isTrial: isOn })}
        />
        <Check
          label="Corrects earlier files"
          means="Rows that differ from an earlier file wait under Review. You can replace all of them at once."
          isOn={isCorrection}
          onInput={(isOn) => setNext({ isCorrection: isOn })}
        />
      </div>
    </section>
  );
}

function setNext(change: Partial<typeof nextFiles.value>): void {
  nextFiles.value = { ...nextFiles.peek(), ...change };
}

function PasteForm({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        addFiles([createCsvFile(text)]);
        onClose();
      }}
    >
      <div class="field">
        <label for="pasted-rows">Rows, including the header</label>
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
      <FormActions verb="Import rows" onClose={onClose} />
    </form>
  );
}

/** Returns whether text has several lines with several cells, as copied from a spreadsheet or an editor. */
function isTable(text: string): boolean {
  const lines = text.split('\n').filter((line) => /[,;\t|]/.test(line));
  return lines.length > 1;
}

const createCsvFile = (text: string): File => new File([text], 'Pasted rows.csv', { type: 'text/csv' });
