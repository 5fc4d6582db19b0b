import { useEffect, useState } from 'preact/hooks';
import { clientId } from '../../api/page-url.ts';
import { say, sayProblem } from '../../api/toasts.ts';
import { previewUndo, restoreImport, undoImport } from '../../api/uploads.ts';
import { formatCount } from '../../format/amounts.ts';
import { Icon, useAction } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ProblemNotice, Waiting } from '../../parts/page.tsx';
import { YearsPreview } from '../../parts/years-preview.tsx';

interface UndoImportProps {
  readonly id: string;
  /** The file name. */
  readonly name: string;
  /** Whether the import failed. It stored nothing, so it is removed without asking. */
  readonly isFailed?: boolean;
  readonly onUndone?: () => void;
}

/** Undoes an import, after asking with the transactions and gains that this removes. */
export function UndoImport(undo: UndoImportProps) {
  const { id, name, isFailed = false, onUndone } = undo;
  const [isOpen, setOpen] = useState(false);
  const remove = async () => {
    await undoImport(id, clientId.value);
    say(`${name} removed.`);
    onUndone?.();
  };
  return (
    <OwnBooks>
      <button type="button" onClick={() => (isFailed ? remove().catch(sayProblem) : setOpen(true))}>
        <Icon name="undo" /> {isFailed ? 'Remove' : 'Undo'}
        <span class="visually-hidden"> {name}</span>
      </button>
      {isOpen && <UndoDialog {...undo} onClose={() => setOpen(false)} />}
    </OwnBooks>
  );
}

/** Restores an import that was undone less than a day ago. */
export function RestoreImport({ id, name }: Pick<UndoImportProps, 'id' | 'name'>) {
  const { act, problem, isBusy } = useAction();
  const restore = async () => {
    await restoreImport(id, clientId.peek());
    say(`${name} restored, with your edits and answers.`);
  };
  return (
    <OwnBooks>
      {problem !== null && <ProblemNotice problem={problem} />}
      <button type="button" aria-disabled={isBusy} onClick={() => void act(restore)}>
        Restore<span class="visually-hidden"> {name}</span>
      </button>
    </OwnBooks>
  );
}

type UndoPreview = Awaited<ReturnType<typeof previewUndo>>;

function UndoDialog({ id, name, onUndone, onClose }: UndoImportProps & { readonly onClose: () => void }) {
  const [removal, setRemoval] = useState<UndoPreview | null>(null);
  const { act, problem } = useAction();
  useEffect(() => {
    void act(async () => setRemoval(await previewUndo(id, clientId.peek())));
  }, [id]);
  const undo = async () => {
    await undoImport(id, clientId.peek());
    const removed = removal === null ? '' : ` ${formatCount(removal.transactions, 'transaction')} removed.`;
    const client = clientId.peek();
    say(`Import of ${name} undone.${removed}`, () => restoreImport(id, client));
    onClose();
    onUndone?.();
  };
  return (
    <Dialog title={`Undo the import of ${name}?`} onClose={onClose}>
      <Form
        fields={{}}
        verb="Undo import"
        busy="Undo import"
        look="danger"
        isReady={() => removal !== null}
        onSubmit={undo}
        onClose={onClose}
        cancel="Keep import"
      >
        {problem !== null && <ProblemNotice problem={problem} />}
        {removal === null ? problem === null && <Waiting /> : <RemovalView removal={removal} />}
      </Form>
    </Dialog>
  );
}

function RemovalView({ removal: { transactions, years } }: { readonly removal: UndoPreview }) {
  if (transactions === 0) return <p>This removes no transactions. Other files also have the rows of this file.</p>;
  return (
    <>
      <p>
        This removes <strong>{formatCount(transactions, 'transaction')}</strong>, with the edits you made to{' '}
        {transactions === 1 ? 'it' : 'them'}. You can restore {transactions === 1 ? 'it' : 'them'} within a day.
      </p>
      <YearsPreview years={years} />
    </>
  );
}
