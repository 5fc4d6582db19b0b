import { useState } from 'preact/hooks';
import { useDraft } from '../../api/draft.ts';
import { clientId } from '../../api/page-url.ts';
import { Problem } from '../../api/problem.ts';
import { type ImportedFile, sendFile } from '../../api/upload-request.ts';
import { csvText } from '../../format/csv.ts';
import { Field } from '../../parts/field.tsx';
import { FormActions } from '../../parts/form-actions.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { YearsPreview } from '../../parts/years-preview.tsx';
import { type PreviewedRow, toShownRow } from './preview-view.tsx';
import { ReadingChoice } from './reading-choice.tsx';
import { toFileQuestion } from './readings.ts';
import { fixRow, type RejectedFileLine, toManualRow } from './rejected-lines.ts';
import { RowsTable } from './rows-table.tsx';

interface MendLineFormProps {
  readonly line: RejectedFileLine;
  /** The format and the accounts of the file. */
  readonly file: Pick<ImportedFile, 'format' | 'accounts'>;
  readonly header: readonly string[];
  readonly cells: readonly string[];
  readonly onClose: () => void;
}

/** Lets the user fix the cells of a row, reads it again as part of its file, and then adds it. */
export function FixRowForm({
  line: { id, line, column, reason },
  file: { format, accounts },
  header,
  cells,
  onClose,
}: MendLineFormProps) {
  const [draft, setDraft, forget] = useDraft(`mend ${id}`, { cells: header.map((_, at) => cells[at] ?? '') });
  const [answer, setAnswer] = useState<string>();
  const [read, setRead] = useState<{ row: PreviewedRow; result: ImportedFile } | null>(null);
  const { problem, isBusy, submit } = useAction();
  const question = problem === null ? null : toFileQuestion(problem);
  const change = (at: number, text: string): void => {
    setRead(null);
    setDraft({ cells: draft.cells.with(at, text) });
  };
  const readAgain = async () => {
    const file = new File([csvText([header, draft.cells])], 'mended.csv', { type: 'text/csv' });
    const parameters = question === null || answer === undefined ? {} : { [question.parameter]: answer };
    // The file's title may name its account, but the row alone does not.
    const [account] = accounts.length === 1 ? accounts : [];
    const options = {
      ...(format === null || format === 'mapping' ? {} : { format }),
      ...(account === undefined ? {} : { account: account.account }),
      ...parameters,
    };
    const result = await sendFile({ file, options, client: clientId.value, key: null });
    setRead({ row: requireSingleRow(result), result });
  };
  const add = async () => {
    if (read === null) return;
    const undo = await fixRow(id, toManualRow(read.row));
    forget();
    say(`Line ${line} fixed.`, undo);
  };
  const isShown = (at: number): boolean => header[at] === column || (cells[at] ?? '') !== '';
  const renderField = (name: string, at: number) => (
    <Field
      key={at}
      label={name === '' ? `Column ${at + 1}` : name}
      value={draft.cells[at] ?? ''}
      onInput={(text) => change(at, text)}
      problem={name === column && draft.cells[at] === (cells[at] ?? '') ? reason : undefined}
    />
  );
  return (
    <form class="answer" onSubmit={submit(read === null ? readAgain : add)}>
      {problem !== null && <ProblemNotice problem={problem} />}
      {question !== null && <ReadingChoice question={question} value={answer} onChange={setAnswer} />}
      <div class="fields">{header.map((name, at) => (isShown(at) ? renderField(name, at) : null))}</div>
      {header.some((_, at) => !isShown(at)) && (
        <details>
          <summary>Empty cells</summary>
          <div class="fields">{header.map((name, at) => (isShown(at) ? null : renderField(name, at)))}</div>
        </details>
      )}
      {read !== null && (
        <div role="status">
          <p>Result:</p>
          <RowsTable label="The fixed row" rows={[toShownRow(read.row)]} />
          <YearsPreview years={read.result.preview?.years ?? []} />
        </div>
      )}
      <FormActions verb={read === null ? 'Try again' : 'Add transaction'} isBusy={isBusy} onClose={onClose} />
    </form>
  );
}

/** Returns the one transaction that a fixed row produces. Throws the reason if there is none. */
function requireSingleRow({ preview, duplicates, skipped }: ImportedFile): PreviewedRow {
  const [row, another] = preview?.transactions ?? [];
  const [reject] = preview?.rejects ?? [];
  if (reject !== undefined) {
    const columnPrefix = reject.column === null ? '' : `${reject.column}: `;
    throw new Problem('rejected', 0, `This row still can't be read. ${columnPrefix}${reject.reason}.`, null);
  }
  if (duplicates > 0) throw new Problem('duplicate', 0, 'This row was already imported. Dismiss it.', null);
  if (row === undefined && skipped > 0) {
    throw new Problem('skipped', 0, 'This row now has nothing taxable in it. Dismiss it.', null);
  }
  if (row === undefined || another !== undefined) {
    const detail = "This row alone doesn't make one transaction. Enter it manually.";
    throw new Problem('unclear', 0, detail, null);
  }
  return row;
}
